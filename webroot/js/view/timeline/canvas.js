// canvas.js - paints the visible calls, lane by lane, and knows which is under a point.
//
// A frame costs what can be seen: of each row only the visible stretch, calls too narrow for a box as pixels
// (timeline/rows.js), and letters only where they fit. Lanes that are pinned stay at the top while the others scroll below them.

import { setAttr } from '../../dom.js';
import { fromTop, laneAt, rowTop } from '../../model/lanes.js';
import { fit } from '../../part/fitted.js';
import { PixelRows } from './pixels.js';
import { paintLanes } from './rows.js';
import { paintAxis, paintGround, paintSpot } from './spot.js';
import { setHeight } from './style.js';
import { paintUnrecorded } from './unrecorded.js';

const pickPx = 3; // a call this near to the pointer is under it

/** True when an item stands in the row of a context and depth, not across all of them. */
export const isInRow = (item) => item.kind === 'call' || item.kind === 'away';

function hasCalls({ picture, from, to }, context, depth) {
  const segment = picture.segment(context, depth);
  if (segment === null) return false;
  const i = picture.firstAfter(segment, from);
  return i < segment.end && picture.start[i] < to;
}

export class TimelineCanvas {
  /** `sheet` is as high as all lanes; the canvas stays in place inside it and paints the part scrolled to. */
  constructor(scroller, canvas, sheet, style) {
    this.scroller = scroller;
    this.canvas = canvas;
    this.sheet = sheet;
    this.style = style;
    this.pixels = new PixelRows();
    this.context = canvas.getContext('2d', { alpha: false });
    this.leastRowPx = matchMedia('(pointer: coarse)').matches ? 24 : 19;
    this.rowPx = this.leastRowPx;
    this.scene = null;
    this.width = 0;
    this.height = 0;
    this.wanted = null; // the row for the next painting to scroll to, { context, depth }
    this.opened = false; // true: scrolled to rows with calls
  }

  /**
   * scene: { layers (timeline/data.js), sight, held, newest (tick up to which there is a picture), layout
   * (model/lanes.js), lit (a byte per function, or null), hover, selected (items of a picture, or null), unrecorded
   * (model/windows.js), range ({ from, to } or null), cursor (ticks, or null), time (model/time.js), axis (its marks)
   * }.
   */
  paint(scene) {
    this.scene = scene;
    const { context, style } = this;
    this.width = this.scroller.clientWidth;
    this.height = this.scroller.clientHeight;
    fit(this.canvas, context, this.width, this.height);
    setAttr(this.canvas, 'data-row', String(this.rowPx)); // for code that looks for a row: pointers in tests
    setHeight(this.sheet, Math.max(scene.layout.height, this.height));
    this.scale = this.width / (scene.sight.to - scene.sight.from);
    if (!this.opened) this.#open();
    this.#scrollToWanted();
    this.scroll = this.scroller.scrollTop;
    paintGround(this);
    this.#notHeld();
    paintAxis(this);
    paintUnrecorded(this);
    this.#gaps();
    this.#lanes();
    this.#range(scene.range);
    paintSpot(this);
    this.#outline(scene.selected, style.accent, 2);
    if (scene.hover !== scene.selected) this.#outline(scene.hover, style.plain, 1.5);
    if (scene.cursor !== null) {
      context.fillStyle = style.edge;
      context.fillRect(Math.round(this.x(scene.cursor)), 0, 1, this.height);
    }
  }

  /** How many pixels scrolling shifts a lane by. */
  #shift({ bottom }) {
    return bottom <= this.scene.layout.held ? 0 : -this.scroll;
  }

  #lanes() {
    const { context, style, height } = this;
    const { lanes, held } = this.scene.layout;
    const yOf = (lane) => this.#shift(lane);
    const isHeld = ({ bottom }) => bottom <= held;
    paintLanes(this, lanes.filter((lane) => !isHeld(lane)), yOf, held, height);
    paintLanes(this, lanes.filter(isHeld), yOf, 0, Math.min(held, height));
    context.fillStyle = style.edge;
    if (held > 0) context.fillRect(0, held - 1, this.width, 2);
  }

  x(ticks) {
    return (ticks - this.scene.sight.from) * this.scale;
  }

  ticks(x) {
    return this.scene.sight.from + x / this.scale;
  }

  /** Marks times without data: before the oldest buffered call, and after the newest. */
  #notHeld() {
    const { context, style } = this;
    const { held, newest, time, sight } = this.scene;
    const left = Math.min(this.x(held.oldest), this.width);
    const right = Math.max(this.x(newest < sight.to ? newest : held.newest), 0);
    context.fillStyle = style.sunken;
    if (left > 0) context.fillRect(0, 0, left, this.height);
    if (right < this.width) context.fillRect(right, 0, this.width - right, this.height);
    // Calls since the first record were dropped, or that record was not a call.
    const first = Math.max(Math.min(this.x(time.first), left), 0);
    this.#label('before the first record', 0, first);
    this.#label('no calls available', first, left);
  }

  /** Draws text at the right end of the pixels x0 to x1, if it fits. */
  #label(words, x0, x1) {
    const { context, style } = this;
    context.fillStyle = style.muted;
    context.font = style.small;
    context.textBaseline = 'middle';
    const wide = context.measureText(words).width + 16;
    if (x1 - x0 > wide) context.fillText(words, x1 - wide + 8, 10);
  }

  #gaps() {
    const { context, style } = this;
    for (const { picture, from, to } of this.scene.layers) {
      const { gaps } = picture;
      for (let i = 0; i < gaps.from.length; i++) {
        if (gaps.from[i] > to || gaps.to[i] < from) continue;
        const x0 = Math.max(this.x(Math.max(gaps.from[i], from)), 0);
        const x1 = Math.min(this.x(Math.min(gaps.to[i], to)), this.width);
        context.fillStyle = style.lost;
        context.fillRect(x0, 0, Math.max(x1 - x0, 2), this.height);
      }
    }
  }

  /** Fades everything outside the range. */
  #range(range) {
    if (range === null) return;
    const { context, style, width, height } = this;
    const x0 = this.x(range.from);
    const x1 = this.x(range.to);
    context.fillStyle = style.ground;
    context.globalAlpha = 0.62;
    if (x0 > 0) context.fillRect(0, 0, Math.min(x0, width), height);
    if (x1 < width) context.fillRect(Math.max(x1, 0), 0, width - Math.max(x1, 0), height);
    context.globalAlpha = 1;
    context.fillStyle = style.accent;
    for (const x of [x0, x1]) if (x >= -1 && x <= width) context.fillRect(Math.round(x) - 1, 0, 2, height);
  }

  #outline(item, colour, thick) {
    if (item === null) return;
    const { context, rowPx } = this;
    const x0 = Math.max(this.x(item.start), -4);
    const x1 = Math.min(this.x(item.end), this.width + 4);
    if (x1 < -2 || x0 > this.width + 2) return;
    context.strokeStyle = colour;
    context.lineWidth = thick;
    if (!isInRow(item)) {
      context.strokeRect(x0 - 1, thick / 2, Math.max(x1 - x0, 1) + 2, this.height - thick);
      return;
    }
    const y = this.rowY(item);
    if (y === null) return;
    const inset = thick / 2;
    const w = Math.max(x1 - x0 - 1, 3);
    context.strokeRect(x0 + inset, y + inset, w - thick, rowPx - 1 - thick);
  }

  /**
   * The position of the row of a context and depth in pixels of the canvas; null if it is not painted, or covered by
   * pinned lanes.
   */
  rowY({ context, depth }) {
    const { layout } = this.scene;
    const top = rowTop(layout, context, depth, this.rowPx);
    if (top < 0 || top < layout.held) return top < 0 ? null : top;
    return top - this.scroll + this.rowPx > layout.held ? top - this.scroll : null;
  }

  /** { lane, depth } of model/lanes.js at a pixel of the canvas, or null. */
  laneAt(y) {
    return this.scene === null ? null : laneAt(this.scene.layout, fromTop(this.scene.layout, y, this.scroll), this.rowPx);
  }

  /** The call, merged calls, away stretch or gap at a point of the element, or null. */
  at(x, y) {
    if (this.scene === null) return null;
    const ticks = this.ticks(x);
    const layer = this.scene.layers.find(({ from, to }) => ticks >= from && ticks <= to);
    if (layer === undefined) return null;
    const slack = pickPx / this.scale;
    const place = this.laneAt(y);
    if (place !== null && place.depth >= 0) {
      const { lane, depth } = place;
      const i = layer.picture.at(lane.context, depth, ticks, slack);
      if (i >= 0) return layer.picture.item(i, { context: lane.context, depth });
      const away = layer.picture.awayAt(lane.context, depth, ticks, slack);
      if (away !== null) return away;
    }
    return layer.picture.gapAt(ticks, slack);
  }

  /** The next painting scrolls so that the row of a context and depth is visible: only it knows where rows are. */
  showRow({ context, depth }) {
    this.wanted = { context, depth };
  }

  /** The first rows with calls are visible at first: while a deep call goes on, none of its callers has ended. */
  #open() {
    if (this.scene.layers.some(({ picture }) => picture === this.scene.overview)) return; // a better one is on its way
    for (const lane of this.scene.layout.lanes) {
      for (let row = 0; row < lane.rows; row++) {
        if (!this.scene.layers.some((layer) => hasCalls(layer, lane.context, lane.least + row))) continue;
        this.opened = true;
        const top = lane.rowsTop + row * this.rowPx;
        if (top + this.rowPx > this.height) this.scroller.scrollTop = top - 2 * this.rowPx;
        return;
      }
    }
  }

  #scrollToWanted() {
    if (this.wanted === null) return;
    const { context, depth } = this.wanted;
    this.wanted = null;
    const top = rowTop(this.scene.layout, context, depth, this.rowPx);
    if (top < 0) return;
    const { scroller, rowPx } = this;
    const { held } = this.scene.layout;
    if (top < held) return;
    if (top - rowPx < scroller.scrollTop + held) scroller.scrollTop = Math.max(top - 2 * rowPx - held, 0);
    else if (top + 2 * rowPx > scroller.scrollTop + this.height) scroller.scrollTop = top + 2 * rowPx - this.height;
  }
}
