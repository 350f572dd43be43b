// tip.js - a tip with name and figures, beside the pointer, or beside what the keys have selected.
//
// It says nothing that the details line and the words for screen readers do not. It moves with each frame while the page is dragged or
// zoomed, so it is a layer of its own that is moved as a whole, and sizes are not asked for, which would have the browser lay
// the page out in the midst of a frame: they are remembered when it reports them.

import { el, setText } from '../dom.js';
import { middle } from '../model/names.js';
import { tipSpot } from '../model/tipspot.js';

const titleMost = 120; // letters

export class Tip {
  #title = el('bdi', { class: 'mono' });
  #text = el('span');
  #shown = '';
  #dismissed = ''; // what Escape has hidden
  #box = null;
  #size = { width: 0, height: 0 };
  #room = { width: innerWidth, height: innerHeight };

  constructor() {
    this.root = el('div', { class: 'tip', 'aria-hidden': 'true', hidden: true }, el('strong', {}, this.#title), this.#text);
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && !this.root.hidden && this.#dismiss(), true);
    new ResizeObserver(([{ borderBoxSize }]) => {
      if (this.root.hidden) return;
      const [{ inlineSize: width, blockSize: height }] = borderBoxSize;
      this.#size = { width, height };
      this.#place();
    }).observe(this.root, { box: 'border-box' });
    addEventListener('resize', () => {
      this.#room = { width: innerWidth, height: innerHeight };
    });
  }

  #dismiss() {
    this.#dismissed = this.#shown;
    this.root.hidden = true;
  }

  #place() {
    const { left, top } = tipSpot(this.#size, this.#box, this.#room);
    const moved = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
    if (this.root.style.transform !== moved) this.root.style.transform = moved;
  }

  /** Shows { id, title, text } about the box (model/tipspot.js); nothing for null. `id` is another for another thing. */
  show(words, box) {
    if (words === null || box === null) {
      [this.#shown, this.#dismissed] = ['', ''];
      this.root.hidden = true;
      return;
    }
    this.#shown = String(words.id);
    if (this.#shown !== this.#dismissed) this.#dismissed = '';
    this.root.hidden = this.#dismissed !== '';
    if (this.root.hidden) return;
    setText(this.#title, middle(words.title, titleMost));
    setText(this.#text, words.text);
    this.#box = box;
    this.#place();
  }
}
