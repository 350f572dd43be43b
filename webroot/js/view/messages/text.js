// text.js - text of the target as elements: a sign stands for what cannot be seen, and no text turns the
// writing of its neighbours round.

import { el } from '../../dom.js';
import { pieces } from '../../model/messages.js';

/** A <bdi> that `set(text)` fills. */
export function createMessageText(className = '') {
  const root = el('bdi', { class: className });
  let shown = null;
  return {
    root,
    set(text) {
      if (text === shown) return;
      shown = text;
      root.replaceChildren(
        ...pieces(text).map((piece) =>
          piece.sign ? el('span', { class: 'text-sign' }, piece.text) : document.createTextNode(piece.text),
        ),
      );
    },
  };
}
