// pixels.js - calls too narrow for a box of their own, as pixels: a line of them for each row of calls, which is
// then drawn as high as the row. Thousands of them cost what one box does.

export class PixelRows {
  constructor() {
    this.canvas = document.createElement('canvas');
    this.context = this.canvas.getContext('2d');
    this.cells = new Uint32Array(0);
    this.row = -1;
  }

  /** Room for `rows` rows, all of them empty, of `width` pixels of the page. */
  begin(width, rows) {
    this.ratio = devicePixelRatio || 1;
    this.wide = Math.max(Math.round(width * this.ratio), 1);
    // Two lines a row: the calls, and what marks those that a search matches.
    const high = Math.max(rows, 1) * 2;
    if (this.canvas.width !== this.wide || this.canvas.height < high) {
      this.canvas.width = this.wide;
      this.canvas.height = high;
      this.image = this.context.createImageData(this.wide, high);
      this.cells = new Uint32Array(this.image.data.buffer);
    } else {
      this.cells.fill(0);
    }
    this.row = -1;
    this.used = [];
  }

  /** Goes on to the next row, which will be drawn at `y`. */
  next(y) {
    this.row++;
    this.used.push({ y, any: false, marked: false });
    this.painted = 0;
  }

  /**
   * From x0 to x1 in this colour (style.rgba); `mark` is the colour below it, or 0. The first to come has the
   * pixel, but for those that are marked.
   */
  put(x0, x1, colour, mark) {
    const first = Math.floor(x0 * this.ratio);
    const from = Math.max(first, mark === 0 ? this.painted : 0);
    const to = Math.min(Math.max(Math.round(x1 * this.ratio), first + 1), this.wide);
    if (to <= from) return;
    const line = this.row * 2 * this.wide;
    this.cells.fill(colour, line + from, line + to);
    this.used[this.row].any = true;
    if (mark !== 0) {
      this.cells.fill(mark, line + this.wide + from, line + this.wide + to);
      this.used[this.row].marked = true;
    }
    this.painted = to;
  }

  /** Draws all rows, each `high` pixels of the page high, their marks as the lowest three. */
  draw(context, width, high) {
    if (!this.used.some(({ any }) => any)) return;
    this.context.putImageData(this.image, 0, 0, 0, 0, this.wide, this.used.length * 2);
    context.imageSmoothingEnabled = false;
    this.used.forEach(({ y, any, marked }, row) => {
      if (any) context.drawImage(this.canvas, 0, row * 2, this.wide, 1, 0, y, width, high);
      if (marked) context.drawImage(this.canvas, 0, row * 2 + 1, this.wide, 1, 0, y + high - 3, width, 3);
    });
  }
}

/** "#rrggbb" as a pixel; what is no such colour is mid grey. */
export function pixelOf(colour) {
  const found = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  const [r, g, b] = found === null ? [128, 128, 128] : found.slice(1).map((part) => parseInt(part, 16));
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}
