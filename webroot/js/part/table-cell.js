// table-cell.js - headings and cells of a table (columns: see table.js).

import { el, setAttr, setText, setWidth } from '../dom.js';
import { shorten } from '../model/names.js';

const letterPx = 7.4; // of the fixed-width font, rounded up
const besidesPx = 23; // left and right of a name

export const classOf = (column) =>
  `col-${column.id}${column.of && !column.cell ? ' number' : ''}${column.key ? ' key' : ''}`;

export function createHeading(column, on) {
  const attributes = { scope: 'col', class: classOf(column) };
  if (column.plain) return el('th', attributes, el('span', { title: column.tip }, column.title));
  const press = { type: 'button', title: column.tip, onclick: () => on.sort(column) };
  return el('th', attributes, el('button', press, column.title));
}

const isButton = (column, on) => column.key && on.choose;

/** How many letters of a name in a button there is room for below the heading `head`; any number in other columns, and while the table is hidden. */
export const roomOf = (column, on, head) =>
  isButton(column, on) && head.clientWidth > 0 ? Math.floor((head.clientWidth - besidesPx) / letterPx) : Infinity;

/** { nodes, set(row, scale, full, room) }; `full` is the value of a full bar, `room` as roomOf(). */
export const createCell = (column, on) => (column.cell ? column.cell() : textCell(column, on));

function textCell(column, on) {
  const isNamed = isButton(column, on);
  const text = isNamed ? el('button', { type: 'button', class: 'mono' }) : el('span');
  const fill = column.share ? el('span', { class: 'share-fill' }) : null;
  const track = fill ? el('span', { class: 'share-track', 'aria-hidden': 'true' }, fill) : null;
  return {
    nodes: [track, text].filter(Boolean),
    set(row, scale, full, room) {
      const words = column.text(row, scale);
      setText(text, isNamed ? shorten(words, room) : words);
      if (column.hint) setAttr(text, 'title', column.hint(row));
      if (fill) setWidth(fill, full > 0 ? (column.of(row) ?? 0) / full : 0);
    },
  };
}
