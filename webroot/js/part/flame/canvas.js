// canvas.js - paints the boxes of a flame graph, only the visible ones, and knows which box is under a
// point.

import { setAttr } from '../../dom.js';
import { inkOn, palette } from '../../model/colour.js';
import { boxAt, rowCount, rowHeight, visibleBoxes } from '../../model/layout.js';
import { shorten } from '../../model/names.js';
import { Tones } from '../../model/tones.js';
import { fit } from '../fitted.js';
import { hatching } from '../hatching.js';

const padPx = 5;
const textLeastPx = 18;

export class FlameCanvas {
  /** `scroller` is the element that scrolls; the canvas stays in place inside it and paints the part scrolled to. */
  constructor(scroller, canvas) {
    this.scroller = scroller;
    this.canvas = canvas;
    this.spacer = document.createElement('div');
    scroller.append(this.canvas, this.spacer);
    this.canvas.width = 0; // until the first painting: without alpha it would be black
    this.context = this.canvas.getContext('2d', { alpha: false });
    this.rows = [];
    this.scroll = 0; // of the last painting; reading it forces no layout
    this.width = 0;
    this.height = 0;
    this.leastRowPx = matchMedia('(pointer: coarse)').matches ? 26 : 22;
    this.wantedRowPx = 0; // set by another part; 0: derived from the height
    this.rowPx = this.leastRowPx;
    this.tones = null; // of the frames painted
    this.tonesFor = '';
    this.theme = '';
  }

  /** Fits the bitmap to the element and the screen, and the rows to the height. */
  #fit(depth) {
    const { clientWidth: width, clientHeight: height } = this.scroller;
    fit(this.canvas, this.context, width, height);
    this.width = width;
    this.height = height;
    this.rowPx = this.wantedRowPx || rowHeight(depth, height, this.leastRowPx);
    setAttr(this.canvas, 'data-row', String(this.rowPx)); // for code that looks for a row: pointers in tests
    const below = Math.max(depth * this.rowPx + 1 - height, 0);
    this.spacer.style.height = `${below}px`;
  }

  /** The colours of the page's style, read once per theme. */
  #style(theme) {
    if (this.theme === theme) return;
    this.theme = theme;
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    this.ink = {
      ground: of('--panel'),
      plain: of('--ink'),
      muted: of('--muted'),
      accent: of('--accent'),
      mark: of('--mark'),
      root: of('--sunken'),
      hatch: of('--hatch'),
      hatchGround: of('--hatch-ground'),
      mono: of('--mono'),
    };
    this.pattern = hatching(this.context, this.ink.hatchGround, this.ink.hatch);
    this.font = `12px ${this.ink.mono}`;
    this.context.font = this.font;
    this.letterPx = this.context.measureText('0'.repeat(50)).width / 50;
  }

  /** The box of a frame in pixels of the window: { left, top, right, bottom }; null if it was not painted. */
  boxOf(node) {
    const { frames, from, to } = this.part;
    const edges = [frames.start[node], frames.start[node] + frames.weight[node]];
    const y = frames.depth[node] * this.rowPx - this.scroll;
    if (edges[0] >= to || edges[1] <= from || y < 0 || y >= this.height) return null;
    const { left: x, top } = this.canvas.getBoundingClientRect();
    const [left, right] = edges.map((at) => x + Math.min(Math.max(((at - from) / (to - from)) * this.width, 0), this.width));
    return { left, right, top: top + y, bottom: top + y + this.rowPx };
  }

  /** The fill of a frame: its function's colour, or a pattern if it is not a function. */
  fillOf(node) {
    return palette(this.theme)[this.tones.of(node)] ?? this.pattern;
  }

  #tone({ frames, functions, colourBy, named, fillOf }) {
    const tonesFor = `${colourBy} ${named}`;
    if (fillOf || (frames === this.frames && tonesFor === this.tonesFor)) return;
    this.tonesFor = tonesFor;
    this.tones = new Tones(frames, functions, colourBy);
  }

  /**
   * scene: { frames, functions, named, theme, colourBy, from, to, zoom (node), hover, selected (nodes or -1), lit (one
   * byte per function, or null if all are lit), rootText(fn): label of the root (-1) or a context }. Optional:
   * fillOf(node) for other colours, captionOf(node, name, letters that fit) for other texts.
   */
  paint(scene) {
    const { frames } = scene;
    this.#style(scene.theme);
    this.#fit(rowCount(frames));
    this.#tone(scene);
    const { context, rowPx } = this;
    const scroll = this.scroller.scrollTop;
    this.scroll = scroll;
    const firstRow = Math.max(Math.floor(scroll / rowPx), 0);
    const lastRow = Math.ceil((scroll + this.height) / rowPx);
    this.rows = visibleBoxes(frames, scene.from, scene.to, this.width, firstRow, lastRow);
    this.frames = frames;
    this.part = scene;

    context.fillStyle = this.ink.ground;
    context.fillRect(0, 0, this.width, this.height);
    context.font = this.font;
    context.textBaseline = 'middle';
    const zoomDepth = frames.depth[scene.zoom];
    for (let r = firstRow; r < this.rows.length; r++) {
      const row = this.rows[r];
      if (row === undefined) continue;
      const y = r * rowPx - scroll;
      for (let i = 0; i < row.node.length; i++) this.#box(scene, row, i, y, r < zoomDepth);
    }
    this.#outline(scene.selected, scroll, this.ink.accent, 2);
    if (scene.hover !== scene.selected) this.#outline(scene.hover, scroll, this.ink.plain, 1.5);
  }

  #box(scene, row, i, y, above) {
    const { context, rowPx, ink } = this;
    const { frames, functions, lit } = scene;
    const node = row.node[i];
    const fn = frames.fn[node];
    const x = row.x[i];
    // A gap of one pixel on the right and below separates frames without strokes.
    const w = Math.max(row.w[i] - 1, 0.6);
    const h = rowPx - 1;
    if (row.more[i] > 0) {
      const shines = lit !== null && this.#marksLit(frames, row, i, lit);
      context.fillStyle = shines ? ink.mark : this.pattern;
      context.fillRect(x, y, w, h);
      return;
    }
    if (fn < 0) {
      context.fillStyle = ink.root;
      context.fillRect(x, y, w, h);
      context.fillStyle = ink.muted;
      if (w < textLeastPx) return;
      const words = scene.rootText(fn);
      const text = node === 0 ? words : shorten(words, Math.floor((w - 2 * padPx) / this.letterPx));
      context.fillText(text, x + padPx, y + h / 2 + 0.5, w - 2 * padPx);
      return;
    }
    const name = functions[fn]?.name ?? '';
    const dark = lit !== null && lit[fn] === 0;
    const fill = scene.fillOf?.(node) ?? this.fillOf(node);
    context.fillStyle = dark ? ink.hatchGround : fill;
    if (above) context.globalAlpha = 0.6;
    context.fillRect(x, y, w, h);
    context.globalAlpha = 1;
    if (lit !== null && !dark) {
      context.fillStyle = ink.mark;
      context.fillRect(x, y + h - 3, w, 3);
    }
    if (w < textLeastPx) return;
    const room = Math.floor((w - 2 * padPx) / this.letterPx);
    const text = scene.captionOf ? scene.captionOf(node, name, room) : shorten(name, room);
    if (text === '') return;
    if (fill === this.pattern && !dark) {
      // Text on hatching is hard to read, so it gets a plain ground.
      context.fillStyle = ink.hatchGround;
      context.fillRect(x + 2, y + 2, text.length * this.letterPx + 2 * padPx - 4, h - 4);
    }
    const onColour = !dark && !above && fill !== this.pattern;
    context.fillStyle = dark ? ink.muted : onColour ? inkOn[this.theme] : ink.plain;
    // The width limit only matters for letters wider than the font's own, such as Chinese names.
    context.fillText(text, x + padPx, y + h / 2 + 0.5, w - 2 * padPx + 1);
  }

  #marksLit(frames, row, i, lit) {
    const parent = frames.parent[row.node[i]];
    let k = frames.order.indexOf(row.node[i], frames.childFrom[parent]);
    for (let left = row.more[i]; left > 0 && k < frames.childFrom[parent + 1]; k++, left--) {
      if (lit[frames.fn[frames.order[k]]]) return true;
    }
    return false;
  }

  #outline(node, scroll, colour, thick) {
    if (node < 0) return;
    const row = this.rows[this.frames.depth[node]];
    const i = row ? row.node.indexOf(node) : -1;
    if (i < 0) return;
    const { context, rowPx } = this;
    context.strokeStyle = colour;
    context.lineWidth = thick;
    const y = this.frames.depth[node] * rowPx - scroll;
    const inset = thick / 2;
    context.strokeRect(row.x[i] + inset, y + inset, Math.max(row.w[i] - 1 - thick, 1), rowPx - 1 - thick);
  }

  /** { node, more } under a point of the element (more = n for a mark of n narrow frames), or null. */
  at(x, y) {
    const r = Math.floor((y + this.scroll) / this.rowPx);
    const row = this.rows[r];
    const i = boxAt(row, x);
    return i < 0 ? null : { node: row.node[i], more: row.more[i] };
  }

  /** Scrolls so that the row is visible, with a row of context above it. */
  showRow(depth) {
    const top = depth * this.rowPx;
    const scroll = this.scroller.scrollTop;
    if (top - this.rowPx < scroll) this.scroller.scrollTop = Math.max(top - this.rowPx, 0);
    else if (top + 2 * this.rowPx > scroll + this.height)
      this.scroller.scrollTop = top + 2 * this.rowPx - this.height;
  }
}
