// edges.js - the list of those who call a function, or of those it calls.

import { el, setAttr, setText, setWidth } from '../../dom.js';
import { count, duration, percent } from '../../model/format.js';
import { tipOf } from '../../model/names.js';

/** `choose(id)` is called for the function of the row that is pressed. */
export function createEdges(title, choose) {
  const list = {
    title,
    choose,
    rows: [],
    heading: el('h2', { class: 'part-title' }, title),
    list: el('ul', { class: 'edges' }),
    none: el('p', { class: 'edges-none' }),
  };
  return {
    root: el('section', { class: 'edge-part' }, list.heading, list.list, list.none),
    /** entries: [{ id, name, calls, ticks, own }]; shares are of all of them together. */
    show: (entries, noneText, ticksPerSecond) => show(list, entries, noneText, ticksPerSecond),
  };
}

function rowOf(list, i) {
  if (list.rows[i] !== undefined) return list.rows[i];
  const row = {
    id: -1,
    fill: el('span', { class: 'share-fill', 'aria-hidden': 'true' }),
    name: el('span', { class: 'edge-name mono' }),
    calls: el('span', { class: 'edge-calls' }),
    time: el('span', { class: 'edge-time' }),
    share: el('span', { class: 'edge-share' }),
  };
  const { fill, name, calls, time, share } = row;
  const press = { type: 'button', onclick: () => row.id >= 0 && list.choose(row.id) };
  row.press = el('button', press, fill, name, calls, time, share);
  row.item = el('li', {}, row.press);
  list.list.append(row.item);
  list.rows[i] = row;
  return row;
}

function showRow(row, entry, whole, ticksPerSecond) {
  row.id = entry.id;
  row.item.hidden = false;
  row.press.disabled = entry.own === true;
  setText(row.name, entry.name);
  setAttr(row.press, 'title', tipOf(entry.name));
  setText(row.calls, entry.own ? '' : `${count(entry.calls)} ×`);
  setText(row.time, duration(entry.ticks, ticksPerSecond));
  const part = whole > 0 && entry.ticks !== null ? entry.ticks / whole : NaN;
  setText(row.share, percent(part));
  setWidth(row.fill, part);
}

function show(list, entries, noneText, ticksPerSecond) {
  const whole = entries.reduce((all, one) => all + (one.ticks ?? 0), 0);
  entries.forEach((entry, i) => showRow(rowOf(list, i), entry, whole, ticksPerSecond));
  for (let i = entries.length; i < list.rows.length; i++) list.rows[i].item.hidden = true;
  list.none.hidden = entries.length > 0;
  setText(list.none, noneText);
  const others = entries.filter((entry) => !entry.own).length;
  setText(list.heading, entries.length > 0 ? `${list.title} (${others})` : list.title);
}
