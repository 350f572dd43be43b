// table.js - a table of any length: real HTML of which only the rows in the window exist, with columns that
// sort and a row that can be chosen.
//
// A column is { id, title, tip, text(row, scale), of?(row), key?, share?, hint?(row), cell?(), plain? }:
//   text, of   what is shown, and the number it is sorted by; without `of` it is sorted by its text
//   key        names its row: a row header with a button in it, which chooses the row
//   share      draws a bar of of(row), a part of 1, beside the text
//   cell()     makes { nodes, set(row, scale) } for cells of its own kind
//   hint(row)  what the pointer is told over the text
//   plain      cannot be sorted by

import { el, setAttr, setText, setWidth } from '../dom.js';
import { windowRows } from '../model/rows.js';

const clickPx = 4; // a pointer that goes further between press and release drags

/**
 * `on.choose(row)` is called for a click on a row (none: rows cannot be chosen), `on.sort(column)` for one on
 * a heading, `on.scroll()` when other rows may have come into the window, `on.hover(row)` (may be left out) when
 * the pointer comes to a row, and with null when it leaves the table. `rowPx` is the height of a row as the
 * style sheet has it.
 */
export function createTable(caption, className, on, { rowPx = 26 } = {}) {
  let columns = [];
  let headCells = [];
  let rows = [];
  const pool = []; // rows of the document, each { row, cells, data }

  const headRow = el('tr');
  const above = el('tr', { class: 'spacer', 'aria-hidden': 'true' }, el('td'));
  const below = el('tr', { class: 'spacer', 'aria-hidden': 'true' }, el('td'));
  const table = el(
    'table',
    { class: `data-table ${className}` },
    el('caption', { class: 'hidden' }, caption),
    el('thead', {}, headRow),
    el('tbody', {}, above, below),
  );
  const root = el(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': `${caption}, scrollable` },
    table,
  );
  root.addEventListener('scroll', () => on.scroll());
  root.addEventListener('pointerleave', () => on.hover?.(null));

  const dataAt = (target) => pool.find(({ row }) => row.contains(target))?.data ?? null;

  // The row meant is the one that was pressed: rows of live data may stand elsewhere when the button is let go.
  function listenToPresses() {
    let pressed = null;
    const body = table.tBodies[0];
    body.addEventListener('pointerdown', ({ target, clientX, clientY }) => {
      pressed = { data: dataAt(target), clientX, clientY };
    });
    body.addEventListener('click', ({ detail, target, clientX, clientY }) => {
      const press = detail === 0 ? null : pressed; // a key presses no pointer
      pressed = null;
      if (press !== null && Math.hypot(clientX - press.clientX, clientY - press.clientY) > clickPx) return;
      const data = press === null ? dataAt(target) : press.data;
      if (data !== null) on.choose(data);
    });
  }
  if (on.choose) listenToPresses();

  const classOf = (column) => `col-${column.id}${column.of && !column.cell ? ' number' : ''}${column.key ? ' key' : ''}`;

  function heading(column) {
    const attributes = { scope: 'col', class: classOf(column) };
    if (column.plain) return el('th', attributes, el('span', { title: column.tip }, column.title));
    const press = { type: 'button', title: column.tip, onclick: () => on.sort(column) };
    return el('th', attributes, el('button', press, column.title));
  }

  function setColumns(now) {
    if (now.map((c) => c.id).join() === columns.map((c) => c.id).join()) return;
    columns = now;
    headCells = columns.map(heading);
    headRow.replaceChildren(...headCells);
    for (const slot of pool.splice(0)) slot.row.remove();
    for (const spacer of [above, below]) spacer.firstElementChild.colSpan = columns.length;
  }

  function textCell(column) {
    const isButton = column.key && on.choose;
    const text = isButton ? el('button', { type: 'button', class: 'mono' }) : el('span');
    const fill = column.share ? el('span', { class: 'share-fill' }) : null;
    const track = fill ? el('span', { class: 'share-track', 'aria-hidden': 'true' }, fill) : null;
    return {
      nodes: [track, text].filter(Boolean),
      set(row, scale) {
        setText(text, column.text(row, scale));
        if (column.hint) setAttr(text, 'title', column.hint(row));
        if (fill) setWidth(fill, column.of(row) ?? 0);
      },
    };
  }

  function slot(i) {
    if (pool[i] !== undefined) return pool[i];
    const one = { row: el('tr'), cells: [], data: null };
    if (on.hover) one.row.addEventListener('pointerenter', () => on.hover(one.data));
    for (const column of columns) {
      const cell = column.cell ? column.cell() : textCell(column);
      const tag = column.key ? 'th' : 'td';
      one.row.append(el(tag, { class: classOf(column), scope: column.key ? 'row' : null }, ...cell.nodes));
      one.cells.push(cell);
    }
    below.before(one.row);
    pool[i] = one;
    return one;
  }

  return {
    root,
    rows: () => rows,
    /** How many rows a page is, for keys that go a page further. */
    pageRows: () => Math.max(Math.floor(root.clientHeight / rowPx) - 2, 1),
    /** Whether the last row is in sight, or nearly. */
    atEnd: () => root.scrollTop + root.clientHeight >= root.scrollHeight - rowPx / 2,
    toEnd() {
      root.scrollTop = root.scrollHeight;
    },
    /**
     * Shows `list` under `shownColumns`. `sorted` is { id, rising } or null; `marks(row)` gives attributes of
     * the row's element (null: none), the same names for every row; `scale` goes to the columns' text().
     */
    show(list, shownColumns, { sorted = null, scale = null, marks = null } = {}) {
      rows = list;
      setColumns(shownColumns);
      columns.forEach((column, i) => {
        const order = sorted?.id === column.id ? (sorted.rising ? 'ascending' : 'descending') : null;
        setAttr(headCells[i], 'aria-sort', order);
      });
      const { first, last } = windowRows(rows.length, rowPx, root.scrollTop, root.clientHeight - rowPx);
      above.style.height = `${first * rowPx}px`;
      below.style.height = `${(rows.length - last) * rowPx}px`;
      setAttr(table, 'aria-rowcount', String(rows.length + 1));
      for (let i = first; i < last; i++) {
        const one = slot(i - first);
        one.data = rows[i];
        one.row.hidden = false;
        setAttr(one.row, 'aria-rowindex', String(i + 2));
        for (const [name, value] of Object.entries(marks?.(rows[i]) ?? {})) setAttr(one.row, name, value);
        for (const cell of one.cells) cell.set(rows[i], scale);
      }
      for (let i = last - first; i < pool.length; i++) {
        pool[i].row.hidden = true;
        pool[i].data = null;
      }
    },
    scrollBy(step) {
      root.scrollTop += step * rowPx;
    },
    /** Scrolls no more than is needed to have row `i` in sight. */
    reveal(i) {
      const top = i * rowPx;
      if (top < root.scrollTop) root.scrollTop = top;
      else if (top + 2 * rowPx > root.scrollTop + root.clientHeight)
        root.scrollTop = top + 2 * rowPx - root.clientHeight;
    },
  };
}

/**
 * The keys of a table: up and down, by pages, to both ends, and the order. `move(step)` chooses the row so
 * many further; `order` is that of createOrder(), where there is one.
 */
export function tableKeys(group, noun, table, move, order = null) {
  const keys = [
    {
      keys: ['ArrowDown', 'ArrowUp'],
      label: `Next, previous ${noun}`,
      group,
      run: (event) => move(event.key === 'ArrowDown' ? 1 : -1),
    },
    {
      keys: ['PageDown', 'PageUp'],
      label: 'A page further',
      group,
      run: (event) => move((event.key === 'PageDown' ? 1 : -1) * table.pageRows()),
    },
    {
      keys: ['Home', 'End'],
      label: `First, last ${noun}`,
      group,
      run: (event) => move(event.key === 'End' ? table.rows().length : -table.rows().length),
    },
  ];
  if (order === null) return keys;
  return [
    ...keys,
    {
      keys: ['<', '>'],
      label: 'Sort by the column left, right',
      group,
      run: (event) => order.step(event.key === '>' ? 1 : -1),
    },
    { keys: ['v'], label: 'Turn the order round', group, run: () => order.turn() },
  ];
}

/**
 * What sorts a table by the place's `sort` and `rising`: `columns()` are those shown, `current()` the one
 * sorted by. Numbers begin with the largest, text with A.
 */
export function createOrder(host, columns, current) {
  const begin = (column) => host.go({ sort: column.id, rising: column.of === undefined }, { replace: true });
  const turn = () => host.go({ sort: current().id, rising: !host.place.rising }, { replace: true });
  return {
    turn,
    by: (column) => (column.id === current().id ? turn() : begin(column)),
    step(by) {
      const list = columns().filter((column) => !column.plain);
      begin(list[(list.indexOf(current()) + by + list.length) % list.length]);
    },
  };
}
