// name.js - the name in a card: a very long one is shortened in the middle, and expanded on request.

import { el, setText } from '../dom.js';
import { count } from '../model/format.js';
import { middle } from '../model/names.js';

const shownMost = 240; // letters

export function createName(className) {
  const title = el('h2', { class: `${className} mono` });
  const press = el('button', { type: 'button', class: 'button small name-more', 'aria-expanded': 'false', onclick: () => turn() });
  let name = '';
  let isWhole = false;

  function draw() {
    const isLong = name.length > shownMost;
    setText(title, isWhole ? name : middle(name, shownMost));
    title.classList.toggle('name-whole', isLong && isWhole);
    title.tabIndex = isLong && isWhole ? 0 : -1; // it scrolls then
    press.hidden = !isLong;
    press.setAttribute('aria-expanded', String(isWhole));
    setText(press, isWhole ? 'Less' : `All ${count(name.length)} letters`);
  }

  function turn() {
    isWhole = !isWhole;
    draw();
  }

  return {
    root: el('div', {}, title, press),
    show(next) {
      if (next === name) return;
      name = next;
      isWhole = false;
      draw();
    },
  };
}
