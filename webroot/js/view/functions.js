// functions.js - the table of functions, and beside it the sandwich of the one that is chosen.
//
// The table is real HTML; of 5,000 rows only those in the window exist. Numbers are renewed with every
// update, their order only once a second, so that a row stays under the pointer long enough to be read and
// clicked.

import { el, setAttr, setText, setWidth } from '../dom.js';
import { count, place as sourcePlace, plural } from '../model/format.js';
import { isPlaceholder } from '../model/placeholder.js';
import { columnsFor, filterRows, functionRows, sortRows, windowRows } from '../model/table.js';
import { createEmpty } from './empty.js';
import { createSandwich } from './sandwich.js';

const rowPx = 26;
const sortEveryMs = 1000;

function create(app) {
  let rows = []; // all that are listed, in order
  let ordered = { key: '', at: 0, ids: [] };
  let columns = [];
  let headCells = [];
  const pool = [];

  const headRow = el('tr');
  const above = el('tr', { class: 'spacer', 'aria-hidden': 'true' }, el('td'));
  const below = el('tr', { class: 'spacer', 'aria-hidden': 'true' }, el('td'));
  const bodyPart = el('tbody', {}, above, below);
  const table = el(
    'table',
    { class: 'functions-table' },
    el('caption', { class: 'hidden' }, 'Functions'),
    el('thead', {}, headRow),
    bodyPart,
  );
  const scroller = el(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': 'Functions, scrollable' },
    table,
  );
  const nothing = el('p', { class: 'table-nothing', hidden: true });
  const status = el('p', { class: 'table-status' });
  const sandwich = createSandwich(app);
  const empty = createEmpty(() => app.device('start'));
  const body = el(
    'div',
    { class: 'functions-body' },
    el('div', { class: 'table-side' }, scroller, nothing, status),
    sandwich.root,
  );
  const root = el('section', { class: 'view functions', 'aria-label': 'Functions' }, body, empty.root);

  scroller.addEventListener('scroll', () => app.redraw());

  function sortBy(column) {
    const { sort, rising } = app.place;
    const numeric = column.of !== undefined;
    app.go({ sort: column.id, rising: sort === column.id ? !rising : !numeric }, { replace: true });
  }

  function drawHead() {
    const now = columnsFor(app.profile);
    if (now.map((c) => c.id).join() !== columns.map((c) => c.id).join()) {
      columns = now;
      headCells = columns.map((column) =>
        el(
          'th',
          { scope: 'col', class: `col-${column.id}${column.of ? ' number' : ''}` },
          el('button', { type: 'button', title: column.tip, onclick: () => sortBy(column) }, column.title),
        ),
      );
      headRow.replaceChildren(...headCells);
      for (const slot of pool.splice(0)) slot.row.remove();
      for (const spacer of [above, below]) spacer.firstElementChild.colSpan = columns.length;
    }
    const { sort, rising } = app.place;
    columns.forEach((column, i) => {
      setAttr(headCells[i], 'aria-sort', column.id === sort ? (rising ? 'ascending' : 'descending') : null);
    });
  }

  function listRows() {
    const { profile, place } = app;
    const all = functionRows(profile);
    const matching = filterRows(all, app.match);
    const key = [place.sort, place.rising, place.search, matching.length, app.paused].join('|');
    const now = performance.now();
    if (key !== ordered.key || now - ordered.at > sortEveryMs) {
      rows = sortRows(matching, place.sort, place.rising);
      ordered = { key, at: now, ids: rows.map((row) => row.fn.id) };
    } else {
      const byId = new Map(matching.map((row) => [row.fn.id, row]));
      rows = ordered.ids.map((id) => byId.get(id)).filter(Boolean);
    }
    setText(
      status,
      app.match.empty
        ? plural(all.length, 'function')
        : `${count(rows.length)} of ${plural(all.length, 'function')}`,
    );
    nothing.hidden = rows.length > 0;
    setText(
      nothing,
      app.match.error
        ? `Not a regular expression: ${app.match.error}`
        : `No function matches “${place.search}”.`,
    );
    return all.length;
  }

  function slot(i) {
    if (pool[i] !== undefined) return pool[i];
    const one = { row: el('tr'), cells: [], fn: null };
    one.row.addEventListener('click', () => choose(one.fn));
    for (const column of columns) {
      const text = el(
        column.id === 'name' ? 'button' : 'span',
        column.id === 'name' ? { type: 'button', class: 'mono' } : {},
      );
      const fill = column.share ? el('span', { class: 'share-fill' }) : null;
      const track = fill ? el('span', { class: 'share-track', 'aria-hidden': 'true' }, fill) : null;
      const cell = el(
        column.id === 'name' ? 'th' : 'td',
        {
          class: `col-${column.id}${column.of ? ' number' : ''}`,
          scope: column.id === 'name' ? 'row' : null,
        },
        track,
        text,
      );
      one.row.append(cell);
      one.cells.push({ text, fill });
    }
    below.before(one.row);
    pool[i] = one;
    return one;
  }

  function choose(fn) {
    if (fn !== null) app.go({ fn: app.profile.labelOf(fn.id) });
  }

  function drawRows() {
    const { first, last } = windowRows(rows.length, rowPx, scroller.scrollTop, scroller.clientHeight - rowPx);
    above.style.height = `${first * rowPx}px`;
    below.style.height = `${(rows.length - last) * rowPx}px`;
    setAttr(table, 'aria-rowcount', String(rows.length + 1));
    const chosen = app.profile.idOf(app.place.fn);
    const { ticksPerSecond } = app.profile;
    for (let i = first; i < last; i++) {
      const data = rows[i];
      const { row, cells } = slot(i - first);
      pool[i - first].fn = data.fn;
      row.hidden = false;
      setAttr(row, 'aria-rowindex', String(i + 2));
      setAttr(row, 'aria-selected', data.fn.id === chosen ? 'true' : null);
      setAttr(row, 'data-placeholder', isPlaceholder(data.fn.name) ? '' : null);
      columns.forEach((column, c) => {
        setText(cells[c].text, column.text(data, ticksPerSecond));
        if (cells[c].fill) setWidth(cells[c].fill, column.of(data) ?? 0);
      });
      setAttr(
        cells[0].text,
        'title',
        data.fn.raw_name ? `${data.fn.name}\n${data.fn.raw_name}` : data.fn.name,
      );
      setAttr(cells[columns.length - 1].text, 'title', sourcePlace(data.fn));
    }
    for (let i = last - first; i < pool.length; i++) pool[i].row.hidden = true;
  }

  function update() {
    drawHead();
    const all = listRows();
    body.hidden = all === 0;
    if (all === 0) {
      empty.show(app.profile, app.answers);
      return;
    }
    empty.hide();
    drawRows();
    sandwich.update();
    setAttr(body, 'data-open', sandwich.open() ? '' : null);
  }

  function move(step) {
    const chosen = app.profile.idOf(app.place.fn);
    const at = rows.findIndex((row) => row.fn.id === chosen);
    const to = at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
    if (rows[to] === undefined) return false;
    app.go({ fn: app.profile.labelOf(rows[to].fn.id) }, { replace: true });
    const top = to * rowPx;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + 2 * rowPx > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + 2 * rowPx - scroller.clientHeight;
    return true;
  }

  function back() {
    if (app.place.fn === '') return false;
    app.go({ fn: '' });
    return true;
  }

  const group = 'Functions';
  return {
    root,
    update,
    back,
    summary: () =>
      app.match.empty ? '' : `${count(rows.length)} of ${count(functionRows(app.profile).length)}`,
    next: move,
    actions: [
      {
        keys: ['ArrowDown', 'ArrowUp'],
        label: 'Next, previous function',
        group,
        run: (event) => move(event.key === 'ArrowDown' ? 1 : -1),
      },
      {
        keys: ['PageDown', 'PageUp'],
        label: 'A page further',
        group,
        run: (event) =>
          move(
            (event.key === 'PageDown' ? 1 : -1) * Math.max(Math.floor(scroller.clientHeight / rowPx) - 2, 1),
          ),
      },
      {
        keys: ['Home', 'End'],
        label: 'First, last function',
        group,
        run: (event) => move(event.key === 'End' ? rows.length : -rows.length),
      },
      {
        keys: ['<', '>'],
        label: 'Sort by the column left, right',
        group,
        run: (event) => {
          const at = columns.findIndex((column) => column.id === app.place.sort);
          const to = columns[(at + (event.key === '>' ? 1 : -1) + columns.length) % columns.length];
          app.go({ sort: to.id, rising: to.of === undefined }, { replace: true });
        },
      },
      {
        keys: ['v'],
        label: 'Turn the order round',
        group,
        run: () => app.go({ rising: !app.place.rising }, { replace: true }),
      },
      { keys: ['g'], label: 'Find in the flame graph', group, run: () => sandwich.toFlame() },
    ],
  };
}

export const functions = { id: 'functions', title: 'Functions', create };
