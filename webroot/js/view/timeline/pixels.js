// pixels.js - draws calls too narrow for a box as columns of pixels, whose height is the share of the time that ran.
// They are painted into a bitmap that is then drawn at once: thousands cost as much as a few boxes.

import { Columns } from '../../model/columns.js';

const levelsMost = 24; // distinct heights: limits a frame's cost

export class PixelRows {
  constructor() {
    this.canvas = document.createElement('canvas');
    this.context = this.canvas.getContext('2d');
    this.cells = new Uint32Array(0);
    this.columns = new Columns(1);
    this.used = [];
  }

  /** Clears the bitmap for `rows` rows of `width` CSS pixels, each `high` pixels high. */
  begin(width, rows, high) {
    this.ratio = devicePixelRatio || 1;
    this.wide = Math.max(Math.round(width * this.ratio), 1);
    this.high = high;
    this.levels = Math.min(high, levelsMost);
    this.lines = this.levels + 1; // one more for the marks of search matches
    const tall = Math.max(rows, 1) * this.lines;
    if (this.columns.wide !== this.wide) this.columns = new Columns(this.wide);
    this.columns.clear();
    if (this.canvas.width !== this.wide || this.canvas.height < tall) {
      this.canvas.width = this.wide;
      this.canvas.height = tall;
      this.image = this.context.createImageData(this.wide, tall);
      this.cells = new Uint32Array(this.image.data.buffer);
    } else {
      this.cells.fill(0, 0, this.used.length * this.lines * this.wide);
    }
    this.used = [];
  }

  /** Begins the next row, which will be drawn at `y`. */
  next(y) {
    this.#paint();
    this.used.push({ y, any: false, marked: false });
  }

  /**
   * Adds calls from x0 to x1 that ran for this share of the time, in this colour (style.rgba); `mark` is the colour
   * below it, or 0.
   */
  put(x0, x1, share, colour, mark) {
    this.columns.add(x0 * this.ratio, x1 * this.ratio, share, colour, mark);
  }

  /** Adds away stretches, likewise. */
  putAway(x0, x1, share, colour) {
    this.columns.addAway(x0 * this.ratio, x1 * this.ratio, share, colour);
  }

  /** Paints the columns of the current row. */
  #paint() {
    const { columns, cells, wide, levels } = this;
    const row = this.used.at(-1);
    if (row === undefined || columns.end <= columns.first) return;
    row.any = true;
    const top = (this.used.length - 1) * this.lines * wide;
    for (let i = columns.first; i < columns.end; i++) {
      const { ran, away } = columns.level(i, levels);
      for (let line = 0; line < away; line++)
        cells[top + (levels - 1 - line) * wide + i] = line < ran ? columns.colour[i] : columns.awayColour[i];
      if (columns.mark[i] === 0) continue;
      row.marked = true;
      cells[top + levels * wide + i] = columns.mark[i];
    }
    columns.clear();
  }

  /** Draws all rows, with marks as the lowest three pixels. */
  draw(context, width) {
    this.#paint();
    const { wide, high, levels, lines } = this;
    if (!this.used.some(({ any }) => any)) return;
    this.context.putImageData(this.image, 0, 0, 0, 0, wide, this.used.length * lines);
    context.imageSmoothingEnabled = false;
    this.used.forEach(({ y, any, marked }, row) => {
      if (any) context.drawImage(this.canvas, 0, row * lines, wide, levels, 0, y, width, high);
      if (marked) context.drawImage(this.canvas, 0, row * lines + levels, wide, 1, 0, y + high - 3, width, 3);
    });
  }
}

/** "#rrggbb" as a pixel; other colours become mid grey. */
export function pixelOf(colour) {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  const [r, g, b] = found === null ? [128, 128, 128] : found.slice(1).map((part) => parseInt(part, 16));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** A pixel as a CSS colour. */
export const wordOf = (pixel) => `#${[0, 8, 16].map((shift) => ((pixel >>> shift) & 255).toString(16).padStart(2, '0')).join('')}`;
