// hot-list.js - the list beside the flame graph: the functions with most self time, or all that match the
// search, so that frames too narrow to see are found all the same.

import { el, setAttr, setText, setWidth } from '../dom.js';
import { plural, percent } from '../model/format.js';
import { shorten } from '../model/names.js';
import { explain, isPlaceholder } from '../model/placeholder.js';

const rowsMost = 100;
const letterPx = 7; // of the fixed-width font at the list's size
const besidesPx = 88; // margins and the share

/** `on.point(fn)` tells which function is pointed at (-1: none), `on.choose(node)` which frame to go to. */
export function createHotList(on) {
  const title = el('h2');
  const note = el('span', { class: 'hot-note' });
  const list = el('ul', { class: 'hot-list' });
  const root = el(
    'section',
    { class: 'hot', 'aria-label': 'Functions in this graph' },
    el('div', { class: 'hot-head' }, title, note),
    list,
  );
  const rows = [];
  let shown = [];

  function row(i) {
    if (rows[i] !== undefined) return rows[i];
    const name = el('span', { class: 'hot-name mono' });
    const share = el('span', { class: 'hot-share' });
    const fill = el('span', { class: 'hot-fill', 'aria-hidden': 'true' });
    const press = el(
      'button',
      {
        type: 'button',
        onclick: () => on.choose(shown[i].node),
        onpointerenter: () => on.point(shown[i].fn),
        onpointerleave: () => on.point(-1),
      },
      fill,
      name,
      share,
    );
    const item = el('li', {}, press);
    list.append(item);
    rows[i] = { item, press, name, share, fill };
    return rows[i];
  }

  return {
    root,
    update({ app, list: found, searching, callersOf, whole, selectedFn, isNarrow }) {
      const nameOf = (fn) => app.profile.functions[fn]?.name ?? '';
      // A caller that has not returned yet has told nothing of itself, and is no hot function.
      shown = found.filter(({ fn, weight }) => weight > 0 || !isPlaceholder(nameOf(fn))).slice(0, rowsMost);
      const room = Math.floor((list.clientWidth - besidesPx) / letterPx);
      setText(title, searching ? 'Matches' : callersOf ? 'Called by' : 'Hottest functions');
      setText(note, searching ? `${plural(found.length, 'function')}, total` : callersOf ? '' : 'self');
      shown.forEach((entry, i) => {
        const { item, press, name, share, fill } = row(i);
        item.hidden = false;
        const text = nameOf(entry.fn);
        const part = whole > 0 ? entry.weight / whole : 0;
        setText(name, shorten(text, room));
        setText(share, percent(part));
        setWidth(fill, part);
        setAttr(
          press,
          'title',
          [
            text,
            explain(text),
            searching && isNarrow(entry.node) ? 'Too narrow to see here: click to zoom to it' : '',
          ]
            .filter(Boolean)
            .join('\n'),
        );
        setAttr(press, 'data-selected', entry.fn === selectedFn ? '' : null);
        setAttr(press, 'data-narrow', searching && isNarrow(entry.node) ? '' : null);
      });
      for (let i = shown.length; i < rows.length; i++) rows[i].item.hidden = true;
    },
  };
}
