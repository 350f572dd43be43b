// minimap.js - the whole of a flame graph in a corner, while only a part of it is visible: where that is, and a way to
// another part for pointers. Keys have ways of their own, so screen readers get nothing of it.

import { el } from '../../dom.js';
import { visibleBoxes } from '../../model/layout.js';

const wide = 180;
const rowPx = 4;
const rowsMost = 18; // further down there is no room, and little to see
const partLeast = 4; // pixels: the visible part is never a line too thin to find

export class Minimap {
  #context;
  #drawnFor = null; // { frames, ground } that `#whole` shows
  #whole = document.createElement('canvas');

  /** `on.centre(share)`: called to centre that position of the whole, 0 ... 1. */
  constructor(on) {
    this.root = el('canvas', { class: 'minimap', 'aria-hidden': 'true', hidden: '' });
    this.#context = this.root.getContext('2d');
    const go = (event) => {
      if (!(event.buttons & 1)) return;
      const box = this.root.getBoundingClientRect();
      on.centre((event.clientX - box.left) / box.width);
    };
    this.root.addEventListener('pointerdown', (event) => {
      this.root.setPointerCapture(event.pointerId);
      go(event);
    });
    this.root.addEventListener('pointermove', go);
  }

  /** Shows that `from` ... `to` (weights) of `frames` are visible; `fillOf(node)` colours, `ink` and `ground` are of the theme. */
  show({ frames, from, to, fillOf, ink, ground }) {
    const all = frames.weight[0];
    const part = (to - from) / all;
    this.root.hidden = !(part < 1 - 1e-6);
    if (this.root.hidden) return;
    const ratio = devicePixelRatio || 1;
    this.#drawWhole(frames, fillOf, ground, ratio);
    const { width, height } = this.#whole;
    if (this.root.width !== width || this.root.height !== height) {
      this.root.width = width;
      this.root.height = height;
      this.root.style.width = `${width / ratio}px`;
      this.root.style.height = `${height / ratio}px`;
    }
    const context = this.#context;
    const left = Math.min((from / all) * width, width - partLeast * ratio);
    const span = Math.max(part * width, partLeast * ratio);
    context.globalAlpha = 0.3;
    context.drawImage(this.#whole, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = ground;
    context.fillRect(left, 0, span, height);
    context.drawImage(this.#whole, left, 0, span, height, left, 0, span, height);
    context.strokeStyle = ink;
    context.lineWidth = 1.5 * ratio;
    context.strokeRect(left, 0, span, height);
  }

  #drawWhole(frames, fillOf, ground, ratio) {
    if (this.#drawnFor?.frames === frames && this.#drawnFor.ground === ground && this.#drawnFor.ratio === ratio) return;
    this.#drawnFor = { frames, ground, ratio };
    const rows = visibleBoxes(frames, 0, frames.weight[0], wide, 1, rowsMost).filter(Boolean);
    this.#whole.width = wide * ratio;
    this.#whole.height = Math.max(rows.length, 2) * rowPx * ratio;
    const context = this.#whole.getContext('2d');
    context.scale(ratio, ratio);
    context.fillStyle = ground;
    context.fillRect(0, 0, wide, this.#whole.height);
    rows.forEach((row, r) => {
      row.node.forEach((node, i) => {
        context.fillStyle = fillOf(node);
        context.fillRect(row.x[i], r * rowPx, row.w[i], rowPx - 0.5);
      });
    });
  }
}
