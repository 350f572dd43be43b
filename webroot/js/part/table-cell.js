// table-cell.js - headings and cells of a table (columns: see table.js).

import { el, setAttr, setText, setWidth } from '../dom.js';

export const classOf = (column) =>
  `col-${column.id}${column.of && !column.cell ? ' number' : ''}${column.key ? ' key' : ''}`;

export function createHeading(column, on) {
  const attributes = { scope: 'col', class: classOf(column) };
  if (column.plain) return el('th', attributes, el('span', { title: column.tip }, column.title));
  const press = { type: 'button', title: column.tip, onclick: () => on.sort(column) };
  return el('th', attributes, el('button', press, column.title));
}

/** { nodes, set(row, scale, full) }; `full` is the value of a full bar. */
export const createCell = (column, on) => (column.cell ? column.cell() : textCell(column, on));

function textCell(column, on) {
  const isButton = column.key && on.choose;
  const text = isButton ? el('button', { type: 'button', class: 'mono' }) : el('span');
  const fill = column.share ? el('span', { class: 'share-fill' }) : null;
  const track = fill ? el('span', { class: 'share-track', 'aria-hidden': 'true' }, fill) : null;
  return {
    nodes: [track, text].filter(Boolean),
    set(row, scale, full) {
      setText(text, column.text(row, scale));
      if (column.hint) setAttr(text, 'title', column.hint(row));
      if (fill) setWidth(fill, full > 0 ? (column.of(row) ?? 0) / full : 0);
    },
  };
}
