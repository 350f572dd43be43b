// hot-list.js - the list beside a flame graph: the functions with most self time, or all that match the search, even if
// their frames are too narrow to see.

import { el, setAttr, setText, setWidth } from '../dom.js';
import { plural, percent } from '../model/format.js';
import { shorten, tipOf } from '../model/names.js';
import { explain, isPlaceholder } from '../model/placeholder.js';
import { largest } from '../model/rows.js';
import { createSpark } from './spark.js';

const rowsMost = 100;
const maxTitle = 'Max over time';
const letterPx = 7; // of the fixed-width font at the list's size
const besidesPx = 88; // margins and the share

/**
 * `on.point(fn)` is called with the function that is pointed at (-1: none), `on.choose(node)` which frame to go to; `on.scroll()`, which may be left out,
 * that other rows are visible. Where there is room for a table each row has figures, too.
 */
export function createHotList(on) {
  const hot = { on, title: el('h2'), note: el('span', { class: 'hot-note' }), heads: [], titles: '', list: el('ul', { class: 'hot-list' }), rows: [], shown: [], room: 0 };
  const root = el(
    'section',
    { class: 'hot', 'aria-label': 'Functions in this graph' },
    (hot.head = el('div', { class: 'hot-head' }, hot.title, hot.note)),
    hot.list,
  );
  hot.root = root;
  if (on.scroll) hot.list.addEventListener('scroll', () => on.scroll());
  return {
    root,
    rowsMost,
    /**
     * Shows `entries`: { fn, node, name, figure (text), part (of the bar, 0 ... 1), tip, selected, narrow, trend ('' or
     * the direction of change) }.
     */
    show(heading, remark, entries) {
      hot.room = 0;
      show(hot, heading, remark, entries);
    },
    /** Shows functions of one profile; see entriesOf(). */
    update(found) {
      const { searching, callersOf } = found;
      showTitles(hot, found);
      const heading = searching ? 'Matches' : callersOf ? 'Called by' : 'Hottest functions';
      const remark = searching ? `${plural(found.list.length, 'function')}, total` : callersOf ? '' : 'self';
      show(hot, heading, remark, entriesOf(found));
      if (hot.titles !== '') showCells(hot, found);
    },
    /**
     * Reads sizes for the next update(). Returns the functions of the rows that are visible, from the top. To be called before
     * anything of the page changes in a frame: then the browser has them, and need not lay out the list once more.
     */
    measure() {
      const { list, shown } = hot;
      hot.room = roomOf(hot);
      const rowPx = list.firstElementChild?.offsetHeight ?? 0;
      if (rowPx === 0) return [];
      const first = Math.floor(list.scrollTop / rowPx);
      return shown.slice(first, first + Math.ceil(list.clientHeight / rowPx)).map(({ fn }) => fn);
    },
  };
}

/** Sets the table's column titles; a list has none. */
function showTitles(hot, { titles, maxOf }) {
  const now = [...titles, ...(maxOf ? [maxTitle] : [])];
  if (now.join() === hot.titles) return;
  hot.titles = now.join();
  hot.room = 0;
  hot.heads = now.map((title) => el('span', { class: title === maxTitle ? 'hot-max' : 'hot-figure' }, title));
  hot.head.replaceChildren(hot.title, hot.note, ...hot.heads);
  hot.root.toggleAttribute('data-table', now.length > 0);
  for (const { item } of hot.rows.splice(0)) item.remove();
}

/** Sets the figures of each row, and its longest call over time. */
function showCells({ rows, shown, titles }, { functions, cellsOf, maxOf }) {
  shown.forEach(({ fn }, i) => {
    const row = rows[i];
    if (row.figures === undefined) {
      row.figures = cellsOf(fn).map(() => el('span', { class: 'hot-figure' }));
      row.spark = titles.endsWith(maxTitle) ? createSpark() : null;
      row.press.append(...row.figures, ...(row.spark ? [row.spark.root] : []));
    }
    cellsOf(fn).forEach((text, k) => setText(row.figures[k], text));
    const values = maxOf?.(fn) ?? [];
    row.spark?.show(values, Math.max(...values, 0), `Longest call of ${functions[fn]?.name ?? ''} over time`);
  });
}

function rowOf(hot, i) {
  if (hot.rows[i] !== undefined) return hot.rows[i];
  const name = el('span', { class: 'hot-name mono' });
  const share = el('span', { class: 'hot-share' });
  const fill = el('span', { class: 'hot-fill', 'aria-hidden': 'true' });
  const press = el(
    'button',
    {
      type: 'button',
      onclick: () => hot.on.choose(hot.shown[i].node),
      onpointerenter: () => hot.on.point(hot.shown[i].fn),
      onpointerleave: () => hot.on.point(-1),
    },
    fill,
    name,
    share,
  );
  const item = el('li', {}, press);
  hot.list.append(item);
  hot.rows[i] = { item, press, name, share, fill };
  return hot.rows[i];
}

/** How many letters of a name there is room for; 0 while the list is hidden. */
function roomOf({ titles, list, rows }) {
  const wide = titles === '' ? list.clientWidth : rows[0]?.name.clientWidth + besidesPx || 600;
  return Math.max(Math.floor((wide - besidesPx) / letterPx), 0);
}

function show(hot, heading, remark, entries) {
  hot.shown = entries;
  if (hot.room === 0) hot.room = roomOf(hot);
  setText(hot.title, heading);
  setText(hot.note, remark);
  entries.forEach((entry, i) => {
    const { item, press, name, share, fill } = rowOf(hot, i);
    item.hidden = false;
    setText(name, shorten(entry.name, hot.room));
    setText(share, entry.figure);
    setWidth(fill, entry.part);
    setAttr(press, 'title', entry.tip);
    setAttr(press, 'data-selected', entry.selected ? '' : null);
    setAttr(press, 'data-narrow', entry.narrow ? '' : null);
    setAttr(press, 'data-trend', entry.trend || null);
  });
  for (let i = entries.length; i < hot.rows.length; i++) hot.rows[i].item.hidden = true;
}

/** The entries for `list`, [{ fn, node, weight }], with ids of `functions`; shares are of `whole`. */
function entriesOf({ functions, list, searching, whole, selectedFn, isNarrow }) {
  // A caller that has not returned yet was not reported yet, and is no hot function.
  const told = list.filter(({ fn, weight }) => weight > 0 || !isPlaceholder(functions[fn]));
  const most = largest(told, ({ weight }) => weight);
  return told.slice(0, rowsMost).map(({ fn, node, weight }) => {
    const name = functions[fn]?.name ?? '';
    const part = whole > 0 ? weight / whole : 0;
    const narrow = searching && isNarrow(node);
    const tip = [tipOf(name), explain(functions[fn]), narrow ? 'Too narrow to see here: click to zoom to it' : '']
      .filter(Boolean)
      .join('\n');
    return { fn, node, name, figure: percent(part), part: most > 0 ? weight / most : 0, tip, selected: fn === selectedFn, narrow };
  });
}
