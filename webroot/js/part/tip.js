// tip.js - the name and the figures of what is pointed at, beside the pointer; and of what the keys have chosen, beside that.
//
// It says nothing that the details line and the words for ears do not.

import { el, setText } from '../dom.js';
import { middle } from '../model/names.js';
import { tipSpot } from '../model/tipspot.js';

const titleMost = 120; // letters

export class Tip {
  #title = el('bdi', { class: 'mono' });
  #text = el('span');
  #shown = '';
  #dismissed = ''; // what Escape has put away

  constructor() {
    this.root = el('div', { class: 'tip', 'aria-hidden': 'true', hidden: true }, el('strong', {}, this.#title), this.#text);
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && !this.root.hidden && this.#dismiss(), true);
  }

  #dismiss() {
    this.#dismissed = this.#shown;
    this.root.hidden = true;
  }

  /** Tells { id, title, text } about the box (model/tipspot.js); nothing for null. `id` is another for another thing. */
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
    const { width, height } = this.root.getBoundingClientRect();
    const { left, top } = tipSpot({ width, height }, box, { width: innerWidth, height: innerHeight });
    Object.assign(this.root.style, { left: `${left}px`, top: `${top}px` });
  }
}
