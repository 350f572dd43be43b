// drawing.js - the boxes and arrows of a call graph; their elements are reused as long as they are shown.

import { createArrow } from './arrow.js';
import { createBox } from './box.js';
import { set, svgElement } from './svg.js';

export class Drawing {
  #open;
  #arrowLayer = svgElement('g');
  #labelLayer = svgElement('g');
  #boxLayer = svgElement('g');
  #boxes = new Map(); // id -> box
  #arrows = new Map(); // "from to" -> arrow
  #shape = '';

  /** `open(box)` is called for a click on a box or Enter on it. */
  constructor(open) {
    this.#open = open;
    this.svg = svgElement('svg', 'graph-svg');
    this.layer = svgElement('g'); // the group that is moved and zoomed
    set(this.svg, { role: 'group', 'aria-label': 'Call graph' });
    for (const group of [this.#arrowLayer, this.#labelLayer]) set(group, { 'aria-hidden': 'true' });
    this.layer.append(this.#arrowLayer, this.#labelLayer, this.#boxLayer);
    this.svg.append(this.layer);
  }

  /** The id of the box that has the focus, or null. */
  get focused() {
    for (const [id, { root }] of this.#boxes) if (root === document.activeElement) return id;
    return null;
  }

  focus(id) {
    this.#boxes.get(id)?.root.focus({ preventScroll: true });
  }

  /** Draws `columns` as placed by `layout`, and `ways` between them; returns true if the focused box was removed. */
  show(columns, layout, ways, aboutBox, aboutArrow) {
    const { focused } = this;
    this.#showBoxes(columns, layout, aboutBox, focused);
    this.#showArrows(ways, aboutArrow);
    return focused !== null && !this.#boxes.has(focused);
  }

  #showBoxes(columns, layout, aboutBox, focused) {
    const place = ({ id }) => layout.grid.get(id);
    const byPlace = (a, b) => place(a).x - place(b).x || place(a).y - place(b).y;
    const wanted = columns.flatMap(({ boxes }) => [...boxes].sort(byPlace));
    const ids = new Set(wanted.map(({ id }) => id));
    for (const [id, { root }] of this.#boxes) {
      if (ids.has(id)) continue;
      root.remove();
      this.#boxes.delete(id);
    }
    for (const box of wanted) {
      if (!this.#boxes.has(box.id)) this.#boxes.set(box.id, createBox(this.#open));
      this.#boxes.get(box.id).show(box, layout.at.get(box.id), layout.box, aboutBox(box));
    }
    if (layout.shape === this.#shape) return;
    // Order for Tab: left to right, top to bottom.
    this.#shape = layout.shape;
    this.#boxLayer.replaceChildren(...wanted.map(({ id }) => this.#boxes.get(id).root));
    if (focused !== null && ids.has(focused)) this.focus(focused);
  }

  #arrowOf(key) {
    if (!this.#arrows.has(key)) {
      const arrow = createArrow();
      this.#arrows.set(key, arrow);
      this.#arrowLayer.append(arrow.root);
      this.#labelLayer.append(arrow.label);
    }
    return this.#arrows.get(key);
  }

  #showArrows(ways, aboutArrow) {
    const keys = new Set();
    for (const way of ways) {
      const key = `${way.arrow.from} ${way.arrow.to}`;
      keys.add(key);
      this.#arrowOf(key).show(way, aboutArrow(way.arrow));
    }
    for (const [key, { root, label }] of this.#arrows) {
      if (keys.has(key)) continue;
      root.remove();
      label.remove();
      this.#arrows.delete(key);
    }
  }
}
