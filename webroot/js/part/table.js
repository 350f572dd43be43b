// table.js - a table of any length: HTML in which only the visible rows exist, with sortable columns and a selectable
// row.
//
// A column is { id, title, tip, text(row, scale), of?(row), key?, share?, hint?(row), cell?(), plain? }:
//   text, of   what is shown, and the number it is sorted by; without `of` it is sorted by its text
//   key        names its row: a row header, with on.choose a button in it, which chooses the row; a name in a button is shortened to the column's width
//   share      draws a bar of of(row) beside the text: as wide as it is of the largest there is (`of` all rows, also those that a search leaves out), or ('whole') of 1
//   cell()     makes { nodes, set(row, scale) } for cells of its own kind
//   hint(row)  the tooltip of the text
//   plain      cannot be sorted by

import { el, setAttr } from '../dom.js';
import { largest, sidewaysTo, windowRows } from '../model/rows.js';
import { classOf, createCell, createHeading, roomOf } from './table-cell.js';

const roomyPx = 32; // the height of a row in a window that has more room
const headPx = 31;
const clickPx = 4; // a pointer that moves more between press and release drags

/**
 * `on.choose(row)` is called for a click on a row (optional), `on.sort(column)` for a click on a heading, `on.scroll()`
 * when other rows may be visible, `on.hover(row)` (optional) when the pointer enters a row, and with null when it
 * leaves the table. `rowPx` is the height of a row in the style sheet. With `isWhole`, for few rows that may be higher,
 * all rows exist; with `isRoomy`, rows are higher where all of them fit, which then share the height.
 */
export function createTable(caption, className, on, { rowPx = 26, isWhole = false, isRoomy = false } = {}) {
  const spacer = () => el('tr', { class: 'spacer', 'aria-hidden': 'true' }, el('td'));
  const table = {
    on,
    rowPx,
    isWhole,
    isRoomy,
    columns: [],
    headCells: [],
    rows: [],
    pool: [], // row elements, each { row, cells, data }
    headRow: el('tr'),
    shownBy: '', // the sort column that was last scrolled into view
    above: spacer(),
    below: spacer(),
  };
  table.element = el(
    'table',
    { class: `data-table ${className}` },
    el('caption', { class: 'hidden' }, caption),
    el('thead', {}, table.headRow),
    el('tbody', {}, table.above, table.below),
  );
  const about = { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': `${caption}, scrollable` };
  table.root = el('div', about, table.element);
  table.root.addEventListener('scroll', () => on.scroll());
  table.root.addEventListener('pointerleave', () => on.hover?.(null));
  if (on.choose) listenToPresses(table);
  return answerOf(table);
}

function answerOf(table) {
  const { root, rowPx } = table;
  return {
    root,
    rows: () => table.rows,
    /** The number of rows by which page keys move. */
    pageRows: () => Math.max(Math.floor(root.clientHeight / rowPx) - 2, 1),
    /** True when the last row is visible, or nearly. */
    atEnd: () => root.scrollTop + root.clientHeight >= root.scrollHeight - rowPx / 2,
    toEnd() {
      root.scrollTop = root.scrollHeight;
    },
    /**
     * Shows `rows` under `columns`. how: `sorted` is { id, rising } or null; `marks(row)` returns attributes for the
     * row's element (null: none), the same names for every row; `scale` is passed to the columns' text().
     */
    show: (rows, columns, how = {}) => show(table, rows, columns, how),
    scrollBy(step) {
      root.scrollTop += step * rowPx;
    },
    /** Scrolls no more than is needed to make row `i` visible. */
    reveal(i) {
      const top = i * rowPx;
      if (top < root.scrollTop) root.scrollTop = top;
      else if (top + 2 * rowPx > root.scrollTop + root.clientHeight)
        root.scrollTop = top + 2 * rowPx - root.clientHeight;
    },
  };
}

/** A click is on the row where it was pressed: live data can move rows before the release. */
function listenToPresses({ element, pool, on }) {
  const dataAt = (target) => pool.find(({ row }) => row.contains(target))?.data ?? null;
  let pressed = null;
  const body = element.tBodies[0];
  body.addEventListener('pointerdown', ({ target, clientX, clientY }) => {
    pressed = { data: dataAt(target), clientX, clientY };
  });
  body.addEventListener('click', ({ detail, target, clientX, clientY }) => {
    const press = detail === 0 ? null : pressed; // a click by key has no pointer position
    pressed = null;
    if (press !== null && Math.hypot(clientX - press.clientX, clientY - press.clientY) > clickPx) return;
    const data = press === null ? dataAt(target) : press.data;
    if (data !== null) on.choose(data);
  });
}

function setColumns(table, columns) {
  const ids = (list) => list.map(({ id, title }) => `${id} ${title}`).join();
  if (ids(columns) === ids(table.columns)) return;
  table.columns = columns;
  table.headCells = columns.map((column) => createHeading(column, table.on));
  table.headRow.replaceChildren(...table.headCells);
  for (const slot of table.pool.splice(0)) slot.row.remove();
}

/** The row of the document at this distance below the first in the window. */
function slotOf({ pool, columns, on, below }, i) {
  if (pool[i] !== undefined) return pool[i];
  const slot = { row: el('tr'), cells: [], data: null };
  if (on.hover) slot.row.addEventListener('pointerenter', () => on.hover(slot.data));
  for (const column of columns) {
    const cell = createCell(column, on);
    const tag = column.key ? 'th' : 'td';
    slot.row.append(el(tag, { class: classOf(column), scope: column.key ? 'row' : null }, ...cell.nodes));
    slot.cells.push(cell);
  }
  below.before(slot.row);
  pool[i] = slot;
  return slot;
}

/** Scrolls sideways to the sort column when it or the width has changed. */
function revealSorted(table, sorted) {
  const { root, columns, headCells } = table;
  const by = `${sorted?.id} ${columns.length} ${root.clientWidth}`;
  if (sorted === null || root.clientWidth === 0 || by === table.shownBy) return;
  table.shownBy = by;
  const head = headCells[columns.findIndex(({ id }) => id === sorted.id)];
  if (!head || root.scrollWidth <= root.clientWidth) return;
  const names = headCells[columns.findIndex(({ key }) => key)];
  const covered = names && names !== head ? names.offsetWidth : 0;
  const to = sidewaysTo(
    { left: head.offsetLeft, width: head.offsetWidth },
    { at: root.scrollLeft, width: root.clientWidth, covered, edges: headCells.map(({ offsetLeft }) => offsetLeft) },
  );
  if (to !== root.scrollLeft) root.scrollLeft = to;
}

function show(table, rows, columns, { sorted = null, scale = null, marks = null, of: all = rows }) {
  const { root, rowPx, pool } = table;
  table.rows = rows;
  setColumns(table, columns);
  table.columns.forEach((column, i) => {
    const order = sorted?.id === column.id ? (sorted.rising ? 'ascending' : 'descending') : null;
    setAttr(table.headCells[i], 'aria-sort', order);
  });
  revealSorted(table, sorted);
  const room = table.columns.map((column, i) => roomOf(column, table.on, table.headCells[i]));
  // Such rows do not scroll, so only the style sheet has their height.
  if (table.isRoomy) table.element.style.setProperty('--row', `${Math.min(Math.max(Math.floor((root.clientHeight - headPx) / rows.length), rowPx), roomyPx)}px`);
  const { first, last } = table.isWhole ? { first: 0, last: rows.length } : windowRows(rows.length, rowPx, root.scrollTop, root.clientHeight - rowPx);
  table.above.style.height = `${first * rowPx}px`;
  table.below.style.height = `${(rows.length - last) * rowPx}px`;
  setAttr(table.element, 'aria-rowcount', String(rows.length + 1));
  const full = table.columns.map(({ share, of }) => (share === true ? largest(all, of) : 1));
  for (let i = first; i < last; i++) {
    const slot = slotOf(table, i - first);
    slot.data = rows[i];
    slot.row.hidden = false;
    setAttr(slot.row, 'aria-rowindex', String(i + 2));
    for (const [name, value] of Object.entries(marks?.(rows[i]) ?? {})) setAttr(slot.row, name, value);
    slot.cells.forEach((cell, k) => cell.set(rows[i], scale, full[k], room[k]));
  }
  for (let i = last - first; i < pool.length; i++) {
    pool[i].row.hidden = true;
    pool[i].data = null;
  }
}
