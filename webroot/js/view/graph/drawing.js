// drawing.js - the boxes and arrows of a call graph as elements that stay while what they stand for stays.

import { setAttr, setText } from '../../dom.js';

function svgElement(tag, className) {
  const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
  if (className) node.setAttribute('class', className);
  return node;
}

function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes))
    setAttr(node, name, typeof value === 'number' ? String(Math.round(value * 100) / 100) : value);
}

const pad = 10;

function createBox(open) {
  const root = svgElement('a', 'graph-box');
  const title = svgElement('title');
  const frame = svgElement('rect', 'graph-frame');
  set(frame, { rx: 7 });
  const name = svgElement('text', 'graph-name');
  set(name, { x: pad, y: 20 });
  const figures = svgElement('text', 'graph-figures');
  set(figures, { x: pad, y: 37 });
  const calls = svgElement('text', 'graph-figures');
  set(calls, { y: 37, 'text-anchor': 'end' });
  const track = svgElement('rect', 'graph-track');
  const total = svgElement('rect', 'graph-total');
  const self = svgElement('rect', 'graph-self');
  for (const bar of [track, total, self]) set(bar, { x: pad, y: 44, height: 4, rx: 1 });
  root.append(title, frame, name, figures, calls, track, total, self);
  const one = { root, box: null };
  root.addEventListener('click', (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(one.box);
  });

  /** what: { name, label, figures, calls, total, self (shares or null), href, marks } */
  one.show = (box, at, { width, height }, what) => {
    one.box = box;
    const room = width - 2 * pad;
    set(frame, { width, height });
    set(calls, { x: width - pad });
    set(track, { width: room });
    set(root, {
      transform: `translate(${at.x} ${at.y})`,
      href: what.href,
      'aria-label': what.label,
      'data-centre': at.level === 0 ? '' : null,
      'data-more': box.more ? '' : null,
      'aria-current': at.level === 0 ? 'true' : null,
      ...what.marks,
    });
    setText(title, what.title);
    setText(name, what.name);
    setText(figures, what.figures);
    setText(calls, what.calls);
    for (const [bar, share] of [
      [total, what.total],
      [self, what.self],
    ])
      set(bar, { width: room * Math.min(Math.max(share ?? 0, 0), 1) });
    set(track, { visibility: what.total === null && what.self === null ? 'hidden' : null });
  };
  return one;
}

function createArrow() {
  const root = svgElement('g', 'graph-arrow');
  const title = svgElement('title');
  const line = svgElement('path', 'graph-line');
  const hit = svgElement('path', 'graph-hit'); // wide enough for a pointer
  const head = svgElement('path', 'graph-head');
  root.append(title, line, hit, head);
  const label = svgElement('g', 'graph-label');
  const text = svgElement('text');
  set(text, { 'text-anchor': 'middle', y: 4 });
  label.append(text);
  return {
    root,
    label,
    /** what: { text, title, share (of the heaviest), marks } */
    show(way, what) {
      const [start, bend, turn, end] = way.points;
      const width = 1 + 7 * what.share;
      const size = 5 + 0.6 * width;
      const [dx, dy] = way.heading;
      const [x, y] = end;
      const neck = [x - dx * size, y - dy * size];
      const wing = size * 0.7;
      const path = `M${start} C${bend} ${turn} ${neck}`;
      set(line, { d: path, 'stroke-width': width });
      set(hit, { d: path });
      set(head, {
        d: `M${x} ${y} L${neck[0] + dy * wing} ${neck[1] + dx * wing} L${neck[0] - dy * wing} ${neck[1] - dx * wing} Z`,
      });
      for (const node of [root, label]) set(node, { 'data-kind': way.kind, ...what.marks });
      setText(title, what.title);
      set(label, { visibility: way.label ? null : 'hidden' });
      if (way.label === null) return;
      set(label, { transform: `translate(${way.label.x.toFixed(1)} ${way.label.y.toFixed(1)})` });
      setText(text, what.text);
    },
  };
}

/** `open(box)` is called for a click on a box or Enter on it. */
export function createDrawing(open) {
  const svg = svgElement('svg', 'graph-svg');
  const layer = svgElement('g');
  const arrowLayer = svgElement('g');
  const labelLayer = svgElement('g');
  const boxLayer = svgElement('g');
  set(svg, { role: 'group', 'aria-label': 'Call graph' });
  for (const group of [arrowLayer, labelLayer]) set(group, { 'aria-hidden': 'true' });
  layer.append(arrowLayer, labelLayer, boxLayer);
  svg.append(layer);
  const boxes = new Map();
  const arrows = new Map();
  let shape = '';

  const focusedId = () => {
    for (const [id, one] of boxes) if (one.root === document.activeElement) return id;
    return null;
  };

  return {
    svg,
    layer,
    focusedId,
    focus(id) {
      boxes.get(id)?.root.focus({ preventScroll: true });
    },
    /** Draws `columns` at the places of `layout` and `ways` between them. */
    show(columns, layout, ways, aboutBox, aboutArrow) {
      const wanted = columns.flatMap((column) =>
        [...column.boxes].sort((a, b) => layout.grid.get(a.id).x - layout.grid.get(b.id).x || layout.grid.get(a.id).y - layout.grid.get(b.id).y),
      );
      const ids = new Set(wanted.map(({ id }) => id));
      const focused = focusedId();
      for (const [id, one] of boxes) {
        if (ids.has(id)) continue;
        one.root.remove();
        boxes.delete(id);
      }
      for (const box of wanted) {
        if (!boxes.has(box.id)) boxes.set(box.id, createBox(open));
        boxes.get(box.id).show(box, layout.at.get(box.id), layout.box, aboutBox(box));
      }
      if (layout.shape !== shape) {
        // Tab goes from left to right and down.
        shape = layout.shape;
        boxLayer.replaceChildren(...wanted.map(({ id }) => boxes.get(id).root));
        if (focused !== null && ids.has(focused)) this.focus(focused);
      }
      const keys = new Set();
      for (const way of ways) {
        const key = `${way.arrow.from} ${way.arrow.to}`;
        keys.add(key);
        let one = arrows.get(key);
        if (one === undefined) {
          one = createArrow();
          arrows.set(key, one);
          arrowLayer.append(one.root);
          labelLayer.append(one.label);
        }
        one.show(way, aboutArrow(way.arrow));
      }
      for (const [key, one] of arrows) {
        if (keys.has(key)) continue;
        one.root.remove();
        one.label.remove();
        arrows.delete(key);
      }
      return focused !== null && !ids.has(focused);
    },
  };
}
