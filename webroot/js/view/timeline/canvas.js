// canvas.js - paints the calls in sight, lane by lane, and knows which is under a point.
//
// A frame costs what can be seen: of each row only the stretch in sight, calls too narrow for a box as pixels
// (timeline/pixels.js), and letters only where they fit.

import { inkOn } from '../../model/colour.js';
import { laneAt, rowTop } from '../../model/lanes.js';
import { shorten } from '../../model/names.js';
import { awayKinds } from '../../model/picture.js';
import { PixelRows } from './pixels.js';
import { paintAxis, paintGround, paintSpot } from './spot.js';
import { fit, setHeight } from './style.js';
import { paintUnrecorded } from './unrecorded.js';

const [padPx, textLeastPx] = [4, 30];
const narrowPx = 3; // below this width calls are pixels, not boxes
const pickPx = 3; // a call this near to the pointer is meant

/** Whether an item stands in the row of a context and depth, not across all of them. */
export const isInRow = (item) => item.kind === 'call' || item.kind === 'away';

function hasCalls({ picture, from, to }, context, depth) {
  const segment = picture.segment(context, depth);
  if (segment === null) return false;
  const i = picture.firstAfter(segment, from);
  return i < segment.end && picture.start[i] < to;
}

export class TimelineCanvas {
  /** `sheet` is as high as all lanes; the canvas stays put inside it and paints what is scrolled to. */
  constructor(scroller, canvas, sheet, style) {
    this.scroller = scroller;
    this.canvas = canvas;
    this.sheet = sheet;
    this.style = style;
    this.pixels = new PixelRows();
    this.context = canvas.getContext('2d', { alpha: false });
    this.rowPx = matchMedia('(pointer: coarse)').matches ? 24 : 19;
    this.scene = null;
    this.width = 0;
    this.height = 0;
    this.wanted = null; // the row that the next painting scrolls to, { context, depth }
    this.opened = false; // on rows with calls
  }

  /**
   * scene: { layers (timeline/data.js), sight, held, layout (model/lanes.js), lit (a byte per function, or null), hover,
   * selected (items of a picture, or null), unrecorded (model/windows.js), range ({ from, to } or null), cursor (ticks, or null), axis (its marks) }.
   */
  paint(scene) {
    this.scene = scene;
    const { context, style } = this;
    this.width = this.scroller.clientWidth;
    this.height = this.scroller.clientHeight;
    fit(this.canvas, context, this.width, this.height);
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
    context.font = style.font;
    context.textBaseline = 'middle';
    this.pixels.begin(this.width, Math.ceil(this.height / this.rowPx) + 2, this.rowPx - 1);
    for (const lane of scene.layout.lanes) {
      const top = lane.top - this.scroll;
      if (top > this.height || lane.bottom - this.scroll < 0) continue;
      context.fillStyle = style.line;
      if (lane.top > 0) context.fillRect(0, top, this.width, 1);
      for (let row = 0; row < lane.rows; row++) {
        const y = lane.rowsTop + row * this.rowPx - this.scroll;
        if (y + this.rowPx < 0 || y > this.height) continue;
        this.pixels.next(y);
        for (const layer of scene.layers) {
          this.#awayRow(layer, lane.context, lane.least + row, y);
          this.#row(layer, lane.context, lane.least + row, y);
        }
      }
    }
    this.pixels.draw(context, this.width);
    this.#range(scene.range);
    paintSpot(this);
    this.#outline(scene.selected, style.accent, 2);
    if (scene.hover !== scene.selected) this.#outline(scene.hover, style.plain, 1.5);
    if (scene.cursor !== null) {
      context.fillStyle = style.edge;
      context.fillRect(Math.round(this.x(scene.cursor)), 0, 1, this.height);
    }
  }

  x(ticks) {
    return (ticks - this.scene.sight.from) * this.scale;
  }

  ticks(x) {
    return this.scene.sight.from + x / this.scale;
  }

  /** Where nothing can be: before the oldest call that is held, and in the future. */
  #notHeld() {
    const { context, style } = this;
    const { held } = this.scene;
    const left = Math.min(this.x(held.oldest), this.width);
    const right = Math.max(this.x(held.newest), 0);
    context.fillStyle = style.sunken;
    if (left > 0) context.fillRect(0, 0, left, this.height);
    if (right < this.width) context.fillRect(right, 0, this.width - right, this.height);
    context.fillStyle = style.muted;
    context.font = style.small;
    context.textBaseline = 'middle';
    const words = held.oldest > 0 ? 'not held any more' : 'before the first call';
    const wide = context.measureText(words).width + 16;
    if (left > wide) context.fillText(words, left - wide + 8, 10);
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

  #row({ picture, from, to }, lane, depth, y) {
    const segment = picture.segment(lane, depth);
    if (segment === null) return;
    const { context, style, scale, rowPx } = this;
    const { lit, sight } = this.scene;
    const { start, end, fn, calls } = picture;
    const left = (from - sight.from) * scale;
    const right = (to - sight.from) * scale;
    const h = rowPx - 1;
    const coarse = picture.grain * scale > 8;
    for (let i = picture.firstAfter(segment, from); i < segment.end && start[i] < to; i++) {
      const x0 = Math.max((start[i] - sight.from) * scale, left);
      const x1 = Math.min((end[i] - sight.from) * scale, right);
      const dark = lit !== null && lit[fn[i]] === 0;
      if (x1 - x0 < narrowPx) {
        const mark = lit !== null && !dark ? style.markPixel : 0;
        this.pixels.put(x0, x1, picture.share(i), dark ? style.fadedPixel : style.pixel(fn[i]), mark);
        continue;
      }
      const w = x1 - x0 - 1; // a pixel of ground keeps neighbours apart
      const fill = style.colour(fn[i]);
      const merged = calls[i] > 1;
      context.fillStyle = dark ? style.hatchGround : fill;
      if (merged && coarse) context.globalAlpha = 0.5; // to be told apart soon
      const high = merged ? Math.max(Math.round(h * picture.share(i)), 1) : h; // as much of the row as ran of the time
      context.fillRect(x0, y + h - high, w, high);
      context.globalAlpha = 1;
      if (lit !== null && !dark) {
        context.fillStyle = style.mark;
        context.fillRect(x0, y + h - 3, Math.max(w, 1), 3);
      }
      if (w >= textLeastPx && !merged) this.#text(fn[i], x0, w, y + h / 2 + 0.5, dark, fill === style.placeholder);
    }
  }

  /** Where the context did not run, below what was innermost: a pattern for each reason, and no call's colour. */
  #awayRow({ picture: { away }, from, to }, lane, depth, y) {
    const segment = away?.segment(lane, depth) ?? null;
    if (segment === null) return;
    const { context, style, rowPx } = this;
    const h = rowPx - 1;
    const coarse = away.grain * this.scale > 8;
    for (let i = away.firstAfter(segment, from); i < segment.end && away.start[i] < to; i++) {
      const x0 = this.x(Math.max(away.start[i], from));
      const end = this.x(Math.min(away.end[i], to));
      const x1 = Math.max(end, x0 + 1);
      if (x1 - x0 < narrowPx) {
        this.pixels.putAway(x0, end, away.share(i), style.awayPixels[away.fn[i]]);
        continue;
      }
      const [left, right] = [Math.max(x0, -1), Math.min(x1 - 1, this.width + 1)];
      context.fillStyle = style.away[away.fn[i]];
      if (away.calls[i] > 1 && coarse) context.globalAlpha = 0.5; // to be told apart soon
      const high = away.calls[i] > 1 ? Math.max(Math.round(h * away.share(i)), 1) : h;
      context.fillRect(left, y + h - high, right - left, high);
      context.globalAlpha = 1;
      if (away.calls[i] === 1) this.#awayText(awayKinds[away.fn[i]], Math.max(left, 0), right, y + h / 2 + 0.5);
    }
  }

  #awayText(word, x, right, y) {
    const { context, style } = this;
    const w = word.length * style.letterPx + 2 * padPx;
    if (right - x < w + 8) return;
    context.fillStyle = style.ground; // letters on a pattern are hard to read
    context.fillRect(x + 2, y - 8, w - 4, 15);
    context.fillStyle = style.muted;
    context.fillText(word, x + padPx, y);
  }

  #text(fn, x, w, y, dark, hatched) {
    const { context, style } = this;
    const text = shorten(style.functions[fn]?.name ?? '', Math.floor((w - 2 * padPx) / style.letterPx));
    if (text === '') return;
    if (hatched && !dark) {
      // Letters on hatching are hard to read: a plain ground goes below them.
      context.fillStyle = style.hatchGround;
      context.fillRect(x + 2, y - 8, text.length * style.letterPx + 2 * padPx - 4, 15);
    }
    context.fillStyle = dark ? style.muted : hatched ? style.plain : inkOn[style.theme];
    context.fillText(text, x + padPx, y, w - 2 * padPx + 1);
  }

  /** What is outside the range fades. */
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
    const top = rowTop(this.scene.layout, item.context, item.depth, rowPx);
    if (top < 0) return;
    const y = top - this.scroll;
    const inset = thick / 2;
    const w = Math.max(x1 - x0 - 1, 3);
    context.strokeRect(x0 + inset, y + inset, w - thick, rowPx - 1 - thick);
  }

  /** The call, merged calls, stretch without a turn or gap under a point of the element, or null. */
  at(x, y) {
    if (this.scene === null) return null;
    const ticks = this.ticks(x);
    const layer = this.scene.layers.find(({ from, to }) => ticks >= from && ticks <= to);
    if (layer === undefined) return null;
    const slack = pickPx / this.scale;
    const place = laneAt(this.scene.layout, y + this.scroller.scrollTop, this.rowPx);
    if (place !== null && place.depth >= 0) {
      const { lane, depth } = place;
      const i = layer.picture.at(lane.context, depth, ticks, slack);
      if (i >= 0) return layer.picture.item(i, { context: lane.context, depth });
      const away = layer.picture.awayAt(lane.context, depth, ticks, slack);
      if (away !== null) return away;
    }
    return layer.picture.gapAt(ticks, slack);
  }

  /** The next painting scrolls so that the row of a context and depth is in sight: only it knows where rows are. */
  showRow({ context, depth }) {
    this.wanted = { context, depth };
  }

  /** The first rows with calls are in sight at first: while a deep call goes on, none of its callers has ended. */
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
    if (top - rowPx < scroller.scrollTop) scroller.scrollTop = Math.max(top - 2 * rowPx, 0);
    else if (top + 2 * rowPx > scroller.scrollTop + this.height) scroller.scrollTop = top + 2 * rowPx - this.height;
  }
}
