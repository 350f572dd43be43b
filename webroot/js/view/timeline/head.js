// head.js - paints what stands above the lanes: an overview of all that is held with a handle on the visible
// part, the axis of time, and the markers.

import { duration, percent } from '../../model/format.js';
import { fit } from '../../part/fitted.js';
import { paintStrip } from './strip.js';

const overviewPx = 40;
const axisPx = 22;
const markerPx = 18;
const axisTop = overviewPx + 1;
const markerTop = axisTop + axisPx;
const markRoomPx = 96;
const markNearPx = 5; // distance at which a mark of the overview is pointed at

/** A flag on a pole of `high` pixels, with its top at y. */
function paintFlag(context, x, y, high, { ok }) {
  context.fillStyle = ok;
  context.fillRect(x - 0.5, y, 1.5, high);
  context.fillRect(x, y, 8, 6);
}

export class TimelineHead {
  constructor(canvas, style) {
    this.canvas = canvas;
    this.style = style;
    this.context = canvas.getContext('2d', { alpha: false });
    this.strip = document.createElement('canvas'); // the overview, painted once per picture
    this.stripPaint = this.strip.getContext('2d', { alpha: false });
    this.stripFor = null;
    this.load = null; // the result of paintStrip()
    this.scene = null;
    this.width = 0;
  }

  /**
   * The scene is that of the lanes (timeline/canvas.js), with overview, marks (the visible markers), notes (all of them, as markers), contexts, time (model/time.js), spot (the moment gone to, or null) and ticksPerSecond.
   * Returns the marks of the axis.
   */
  paint(scene, width) {
    this.scene = scene;
    this.width = width;
    this.axis = scene.time.marks(scene.sight.from, scene.sight.to, Math.min(markRoomPx / width, 0.5));
    const { context, style } = this;
    // Without any marker, the marker lane would be empty.
    const marked = (scene.overview?.markers.ticks.length ?? 0) > 0 || scene.marks.length > 0;
    const high = markerTop + (marked ? markerPx : 0);
    fit(this.canvas, context, width, high);
    context.fillStyle = style.ground;
    context.fillRect(0, 0, width, high);
    this.#overview();
    this.#axis();
    if (marked) this.#markers();
    return this.axis.marks;
  }

  /** Converts between pixels of the overview and ticks. */
  stripX(ticks) {
    const { oldest, newest } = this.scene.held;
    return ((ticks - oldest) / Math.max(newest - oldest, 1)) * this.width;
  }

  stripTicks(x) {
    const { oldest, newest } = this.scene.held;
    return oldest + (x / this.width) * (newest - oldest);
  }

  x(ticks) {
    const { from, to } = this.scene.sight;
    return ((ticks - from) / (to - from)) * this.width;
  }

  #overview() {
    const { context, style, width, scene } = this;
    const key = `${width} ${devicePixelRatio} ${style.coloursFor} ${scene.unrecorded.length}`;
    if (this.stripFor !== scene.overview || this.stripKey !== key || this.stripLit !== scene.lit) {
      [this.stripFor, this.stripKey, this.stripLit] = [scene.overview, key, scene.lit];
      fit(this.strip, this.stripPaint, width, overviewPx);
      this.load = paintStrip(this.stripPaint, width, overviewPx, style, scene);
    }
    // The strip may be older than the buffered range: it is drawn at its own times.
    const { overview } = scene;
    context.fillStyle = style.sunken;
    context.fillRect(0, 0, width, overviewPx);
    if (overview !== null && overview.oldest !== null) {
      const x = this.stripX(overview.oldest);
      context.drawImage(this.strip, x, 0, Math.max(this.stripX(overview.newest) - x, 1), overviewPx);
    }
    const x0 = Math.min(Math.max(this.stripX(scene.sight.from), 0), width - 3);
    const x1 = Math.max(Math.min(this.stripX(scene.sight.to), width), x0 + 3);
    context.fillStyle = style.ground;
    context.globalAlpha = 0.35; // time outside of the visible range stays legible
    context.fillRect(0, 0, x0, overviewPx);
    context.fillRect(x1, 0, width - x1, overviewPx);
    context.globalAlpha = 1;
    if (scene.range !== null) {
      context.fillStyle = style.accent;
      const a = this.stripX(scene.range.from);
      context.fillRect(a, overviewPx - 3, Math.max(this.stripX(scene.range.to) - a, 2), 3);
    }
    for (const { start } of scene.notes) paintFlag(context, this.stripX(start), 1, overviewPx, style);
    this.#scale();
    context.strokeStyle = style.accent;
    context.lineWidth = 1.5;
    context.strokeRect(x0 + 0.75, 0.75, Math.max(x1 - x0 - 1.5, 1.5), overviewPx - 1.5);
    context.fillStyle = style.accent;
    for (const x of [x0, x1]) context.fillRect(Math.min(Math.max(x - 2, 0), width - 4), overviewPx / 2 - 8, 4, 16);
    context.fillStyle = style.line;
    context.fillRect(0, overviewPx, width, 1);
  }

  /** Labels the scale of the load. */
  #scale() {
    const { context, style, load, width } = this;
    if (!(load?.top > 0)) return;
    context.font = style.small;
    context.textBaseline = 'middle';
    const scale = percent(load.top);
    const all = `Load: peak ${percent(load.most)} (scale ${scale})`;
    const words = context.measureText(all).width < width / 3 ? all : `${scale} load`; // a narrow overview has no room for more
    const wide = Math.min(context.measureText(words).width + 8, width);
    context.fillStyle = style.ground;
    context.globalAlpha = 0.85;
    context.fillRect(2, 11, wide, 14);
    context.globalAlpha = 1;
    context.fillStyle = style.plain;
    context.fillText(words, 6, 18.5, wide - 8);
  }

  /**
   * The marked call of the overview at a pixel: { fn, longest, usual (in ticks), from, to, rank (1 is the worst), of,
   * picture, row }, or null.
   */
  outlierAt(x) {
    const { load, stripFor: picture, style } = this;
    if (!(load?.outliers?.length > 0)) return null;
    const at = load.outliers.map(({ row }) => Math.abs(this.stripX((picture.start[row] + picture.end[row]) / 2) - x));
    const i = at.indexOf(Math.min(...at));
    if (at[i] > markNearPx) return null;
    const { row, excess } = load.outliers[i];
    const longest = picture.longest[row];
    return { fn: style.functions[picture.fn[row]], longest, usual: longest - excess, from: picture.start[row], to: picture.end[row], rank: i + 1, of: at.length, picture, row };
  }

  /**
   * The load of the overview's column at a pixel: { from, to, total, parts: [{ context, ran }], the highest first };
   * null if unknown.
   */
  loadAt(x) {
    const { load, stripFor: picture } = this;
    if (!(load?.top > 0)) return null;
    const column = (picture.newest - picture.oldest) / load.totals.length;
    const i = Math.floor((this.stripTicks(x) - picture.oldest) / column);
    if (!(i >= 0 && i < load.totals.length)) return null;
    const parts = load.bands.map(({ context, columns }) => ({ context, ran: columns.ran[i] })).filter(({ ran }) => ran > 0);
    parts.sort((a, b) => b.ran - a.ran);
    const from = picture.oldest + i * column;
    return { from, to: from + column, total: load.totals[i], parts };
  }

  #axis() {
    const { context, style, width, scene } = this;
    const { sight, ticksPerSecond, range, time } = scene;
    const cursor = scene.cursor ?? scene.spot;
    context.font = style.small;
    context.textBaseline = 'middle';
    const middle = axisTop + axisPx / 2 + 0.5;
    for (const { ticks, text } of this.axis.marks) {
      const x = this.x(ticks);
      context.fillStyle = style.line;
      context.fillRect(Math.round(x), axisTop + 4, 1, axisPx - 4);
      if (x < 2 || x + 4 + context.measureText(text).width > width) continue;
      context.fillStyle = style.muted;
      context.fillText(text, x + 4, middle);
    }
    if (range !== null) {
      this.#label(range.from, range.to, duration(range.to - range.from, ticksPerSecond), style.accent, style.accentInk);
    } else if (cursor !== null) {
      const words = time.moment(cursor, (sight.to - sight.from) / width);
      this.#label(cursor, cursor, words, style.plain, style.ground);
    }
    context.fillStyle = style.line;
    context.fillRect(0, axisTop + axisPx - 1, width, 1);
  }

  #label(from, to, words, ground, ink) {
    const { context, width } = this;
    const wide = context.measureText(words).width + 12;
    const x0 = this.x(from);
    const x1 = this.x(to);
    if (x1 < 0 || x0 > width) return;
    const centre = (Math.max(x0, 0) + Math.min(x1, width)) / 2;
    const x = Math.min(Math.max(centre - wide / 2, 0), width - wide);
    context.fillStyle = ground;
    if (x1 > x0) context.fillRect(Math.max(x0, 0), axisTop, Math.min(x1, width) - Math.max(x0, 0), 3);
    context.fillRect(x, axisTop + 3, wide, axisPx - 6);
    context.fillStyle = ink;
    context.fillText(words, x + 6, axisTop + axisPx / 2 + 0.5);
  }

  #markers() {
    const { context, style, width, scene } = this;
    const y = markerTop + markerPx / 2;
    context.font = style.small;
    for (let i = 0; i < scene.marks.length; i++) {
      const item = scene.marks[i];
      const x = this.x(item.start);
      const same = scene.selected !== null && scene.selected.kind === 'marker' && scene.selected.start === item.start;
      this.#sign(item.what, x, y, same);
      const room = (i + 1 < scene.marks.length ? this.x(scene.marks[i + 1].start) : width) - x - 14;
      const words = item.count > 1 ? `×${item.count}` : item.text;
      const fits = Math.floor(room / (style.letterPx * 0.92));
      if (!words || fits < 2) continue;
      context.fillStyle = style.plain;
      context.fillText(words.length > fits ? `${words.slice(0, fits - 1)}…` : words, x + 9, y + 0.5, room);
    }
    context.fillStyle = style.line;
    context.fillRect(0, markerTop + markerPx - 1, width, 1);
  }

  /** Kinds differ in shape, not only in colour. */
  #sign(what, x, y, chosen) {
    const { context, style } = this;
    context.fillStyle = { reset: style.bad, breach: style.bad, reconnect: style.bad, overflow: style.warn, message: style.accent, window: style.accent }[what] ?? style.ok;
    context.beginPath();
    if (what === 'note') {
      paintFlag(context, x - 3, y - 6, 12, style);
      if (!chosen) return;
      context.rect(x - 6, y - 7, 13, 14);
    } else if (what === 'window') {
      context.rect(x - 5.5, y - 5.5, 3, 11);
      context.rect(x + 2.5, y - 5.5, 3, 11);
      context.rect(x - 2.5, y - 1.5, 5, 3);
    } else if (what === 'breach') {
      context.rect(x - 1.5, y - 6, 3, 7.5);
      context.rect(x - 1.5, y + 3, 3, 3);
    } else if (what === 'message') context.arc(x, y, 4.5, 0, 7);
    else if (what === 'reset') {
      context.moveTo(x - 5.5, y - 5);
      context.lineTo(x + 5.5, y - 5);
      context.lineTo(x, y + 5.5);
    } else if (what === 'overflow') context.rect(x - 4.5, y - 4.5, 9, 9);
    else if (what === 'reconnect') {
      context.moveTo(x - 5, y - 5.5);
      context.lineTo(x + 5.5, y);
      context.lineTo(x - 5, y + 5.5);
    } else {
      context.moveTo(x, y - 6);
      context.lineTo(x + 5.5, y);
      context.lineTo(x, y + 6);
      context.lineTo(x - 5.5, y);
    }
    if (what !== 'note') context.fill();
    if (!chosen) return;
    context.strokeStyle = style.plain;
    context.lineWidth = 2;
    context.stroke();
  }

  /** The part of the head at y. */
  part(y) {
    return y <= overviewPx ? 'overview' : y < markerTop ? 'axis' : 'markers';
  }
}
