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

  /**
   * Shows `entries`: { fn, node, name, figure (text), part (of the bar, 0 ... 1), tip, selected, narrow, trend
   * ('' or which way it changed) }.
   */
  function show(heading, remark, entries) {
    shown = entries;
    const room = Math.floor((list.clientWidth - besidesPx) / letterPx);
    setText(title, heading);
    setText(note, remark);
    entries.forEach((entry, i) => {
      const { item, press, name, share, fill } = row(i);
      item.hidden = false;
      setText(name, shorten(entry.name, room));
      setText(share, entry.figure);
      setWidth(fill, entry.part);
      setAttr(press, 'title', entry.tip);
      setAttr(press, 'data-selected', entry.selected ? '' : null);
      setAttr(press, 'data-narrow', entry.narrow ? '' : null);
      setAttr(press, 'data-trend', entry.trend || null);
    });
    for (let i = entries.length; i < rows.length; i++) rows[i].item.hidden = true;
  }

  return {
    root,
    rowsMost,
    show,
    update({ app, list: found, searching, callersOf, whole, selectedFn, isNarrow }) {
      const heading = searching ? 'Matches' : callersOf ? 'Called by' : 'Hottest functions';
      const remark = searching ? `${plural(found.length, 'function')}, total` : callersOf ? '' : 'self';
      const nameOf = (fn) => app.profile.functions[fn]?.name ?? '';
      // A caller that has not returned yet has told nothing of itself, and is no hot function.
      const told = found.filter(({ fn, weight }) => weight > 0 || !isPlaceholder(nameOf(fn)));
      const entries = told.slice(0, rowsMost).map(({ fn, node, weight }) => {
        const name = nameOf(fn);
        const part = whole > 0 ? weight / whole : 0;
        const narrow = searching && isNarrow(node);
        const tip = [name, explain(name), narrow ? 'Too narrow to see here: click to zoom to it' : '']
          .filter(Boolean)
          .join('\n');
        return { fn, node, name, figure: percent(part), part, tip, selected: fn === selectedFn, narrow };
      });
      show(heading, remark, entries);
    },
  };
}
