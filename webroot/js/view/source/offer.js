// offer.js - buttons for functions, while none is selected.

import { el, setText } from '../../dom.js';
import { percent } from '../../model/format.js';
import { tipOf } from '../../model/names.js';

/** `choose(id)` is called for a click. */
export function createOffer(choose) {
  const rows = el('ul', { class: 'offer-list' });
  const title = el('h2');
  const note = el('p');
  const row = ({ id, fn }) =>
    el(
      'li',
      {},
      el(
        'button',
        { type: 'button', title: tipOf(fn.name), onclick: () => choose(id) },
        el('span', { class: 'mono' }, fn.name),
        el('span', { class: 'chooser-share' }),
      ),
    );
  return {
    root: el('div', { class: 'offer', hidden: true }, title, note, rows),
    /** list: [{ id, fn, share }] */
    show(heading, text, list) {
      setText(title, heading);
      setText(note, text);
      const key = list.map(({ id }) => id).join();
      if (rows.dataset.key !== key) {
        rows.dataset.key = key;
        rows.replaceChildren(...list.map(row));
      }
      list.forEach(({ share }, i) =>
        setText(rows.children[i].firstElementChild.lastElementChild, percent(share)),
      );
    },
  };
}
