// pan.js - moves and zooms a drawing in its window: with wheel, drag, two fingers, and by method calls.

import { listenToPan } from './pointer.js';

const least = 0.25;
const most = 3;
const [fitMargin, revealMargin] = [24, 12];
const fitMost = 1.5; // a small drawing is enlarged at most this much
const readable = 0.8; // a drawing that does not fit at this size is shown in part

/** Boxes are { x, y, width, height } in units of the drawing. */
export class Pan {
  #svg;
  #layer;
  #scale = 1;
  #x = 0;
  #y = 0;

  /** `layer` is the group that is moved inside `svg`. */
  constructor(svg, layer) {
    this.#svg = svg;
    this.#layer = layer;
    this.moved = false; // true: moved by the user since the last fit
    listenToPan(svg, {
      by: (dx, dy) => this.#moveBy(dx, dy),
      zoom: (factor, x, y) => this.#zoomAt(factor, x, y),
    });
  }

  get #size() {
    return { width: this.#svg.clientWidth, height: this.#svg.clientHeight };
  }

  #apply() {
    const [x, y, scale] = [this.#x.toFixed(2), this.#y.toFixed(2), this.#scale.toFixed(4)];
    this.#layer.setAttribute('transform', `translate(${x} ${y}) scale(${scale})`);
  }

  #moveBy(dx, dy) {
    this.#x += dx;
    this.#y += dy;
    this.moved = true;
    this.#apply();
  }

  #zoomAt(factor, atX, atY) {
    const next = Math.min(Math.max(this.#scale * factor, least), most);
    this.#x = atX - ((atX - this.#x) * next) / this.#scale;
    this.#y = atY - ((atY - this.#y) * next) / this.#scale;
    this.#scale = next;
    this.moved = true;
    this.#apply();
  }

  zoom(factor) {
    const { width, height } = this.#size;
    this.#zoomAt(factor, width / 2, height / 2);
  }

  /** Shows all of `box` if it fits at a readable size, else centres `middle`. */
  fit(box, middle) {
    const { width, height } = this.#size;
    const wanted = Math.min((width - 2 * fitMargin) / box.width, (height - 2 * fitMargin) / box.height, fitMost);
    const scale = Math.max(wanted, readable);
    this.#scale = scale;
    const centre = (from, length, room, own, ownLength) => {
      if (length * scale <= room) return room / 2 - (from + length / 2) * scale;
      const middled = room / 2 - (own + ownLength / 2) * scale;
      return Math.min(Math.max(middled, room - fitMargin - (from + length) * scale), fitMargin - from * scale);
    };
    this.#x = centre(box.x, box.width, width, middle.x, middle.width);
    this.#y = centre(box.y, box.height, height, middle.y, middle.height);
    this.moved = false;
    this.#apply();
  }

  /** Moves no more than is needed to make the box visible. */
  reveal(box) {
    const { width, height } = this.#size;
    const over = (from, length, room) =>
      from < revealMargin ? revealMargin - from : Math.min(room - revealMargin - (from + length), 0);
    const byX = over(this.#x + box.x * this.#scale, box.width * this.#scale, width);
    const byY = over(this.#y + box.y * this.#scale, box.height * this.#scale, height);
    if (byX !== 0 || byY !== 0) this.#moveBy(byX, byY);
  }
}
