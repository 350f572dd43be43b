// functions.js - the table of functions, and beside it the sandwich of the one that is chosen.

import { el, setAttr, setText } from '../dom.js';
import { count, place as sourcePlace, plural, ticksNote } from '../model/format.js';
import { isPlaceholder } from '../model/placeholder.js';
import { SteadyOrder } from '../model/rows.js';
import { columnsFor, filterRows, functionRows, sortedColumn, sortRows } from '../model/table.js';
import { createEmpty } from '../part/empty.js';
import { createSandwich } from './functions/sandwich.js';
import { createOrder, createTable, tableKeys } from '../part/table.js';

const hints = {
  name: ({ fn }) => (fn.raw_name ? `${fn.name}\n${fn.raw_name}` : fn.name),
  place: ({ fn }) => sourcePlace(fn),
};

function create(host) {
  let rows = []; // all that are listed, in order
  let columns = [];
  let sorted = null; // the column
  const steady = new SteadyOrder((row) => row.fn.id);

  const choose = ({ fn }) => host.go({ fn: host.profile.labelOf(fn.id) });
  const order = createOrder(
    host,
    () => columns,
    () => sorted,
  );
  const table = createTable('Functions', 'functions-table', {
    choose,
    sort: (column) => order.by(column),
    scroll: () => host.redraw(),
  });
  const nothing = el('p', { class: 'table-nothing', hidden: true });
  const status = el('p', { class: 'table-status' });
  const sandwich = createSandwich(host);
  const empty = createEmpty(() => host.device('start'));
  const body = el(
    'div',
    { class: 'table-body' },
    el('div', { class: 'table-side' }, table.root, nothing, status),
    sandwich.root,
  );
  const root = el('section', { class: 'view functions', 'aria-label': 'Functions' }, body, empty.root);

  function listRows(all) {
    const { place } = host;
    const matching = filterRows(all, host.match);
    const key = [sorted.id, place.rising, place.search, host.paused].join('|');
    rows = steady.arrange(matching, key, performance.now(), (list) => sortRows(list, sorted, place.rising));
    const timed = columns.some((column) => column.id === 'self');
    setText(
      status,
      [
        host.match.empty
          ? plural(all.length, 'function')
          : `${count(rows.length)} of ${plural(all.length, 'function')}`,
        timed && !host.profile.ticksPerSecond ? ticksNote : '',
      ]
        .filter(Boolean)
        .join(' · '),
    );
    nothing.hidden = rows.length > 0;
    setText(
      nothing,
      host.match.error
        ? `Not a regular expression: ${host.match.error}`
        : `No function matches “${place.search}”.`,
    );
  }

  function update() {
    const all = functionRows(host.profile);
    body.hidden = all.length === 0;
    if (all.length === 0) {
      empty.show(host.profile, host.answers);
      return;
    }
    empty.hide();
    columns = columnsFor(all).map((column) => ({ ...column, hint: hints[column.id] }));
    sorted = sortedColumn(columns, host.place.sort);
    listRows(all);
    const chosen = host.profile.idOf(host.place.fn);
    table.show(rows, columns, {
      sorted: { id: sorted.id, rising: host.place.rising },
      scale: host.profile.ticksPerSecond,
      marks: ({ fn }) => ({
        'aria-selected': fn.id === chosen ? 'true' : null,
        'data-placeholder': isPlaceholder(fn) ? '' : null,
      }),
    });
    sandwich.update();
    setAttr(body, 'data-open', sandwich.open() ? '' : null);
  }

  function move(step) {
    const chosen = host.profile.idOf(host.place.fn);
    const at = rows.findIndex((row) => row.fn.id === chosen);
    const to = at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
    if (rows[to] === undefined) return false;
    host.go({ fn: host.profile.labelOf(rows[to].fn.id) }, { replace: true });
    table.reveal(to);
    return true;
  }

  function back() {
    if (host.place.fn === '') return false;
    host.go({ fn: '' });
    return true;
  }

  const group = 'Functions';
  return {
    root,
    update,
    back,
    summary: () =>
      host.match.empty ? '' : `${count(rows.length)} of ${count(functionRows(host.profile).length)}`,
    next: move,
    actions: [
      ...tableKeys(group, 'function', table, move, order),
      { keys: ['g'], label: 'Find in the flame graph', group, run: () => sandwich.toFlame() },
      ...(host.views.includes('source')
        ? [{ keys: ['s'], label: 'Open in Source', group, run: () => sandwich.toSource() }]
        : []),
    ],
  };
}

export const functions = { id: 'functions', title: 'Functions', create };
