// table.js - the table of changes: all functions before and after.

import { el, setAttr, setText } from '../../dom.js';
import { changeColumns, changedBy, changesCsv } from '../../model/changes.js';
import { strength } from '../../model/compare.js';
import { count, plural } from '../../model/format.js';
import { isPlaceholder } from '../../model/placeholder.js';
import { sortBy, SteadyOrder } from '../../model/rows.js';
import { matchesFunction } from '../../model/search.js';
import { createFoot, whyEmpty } from '../../part/foot.js';
import { createTable } from '../../part/table.js';
import { tableKeys } from '../../part/table-keys.js';

const byName = (a, b) =>
  a.entry.name < b.entry.name ? -1 : a.entry.name > b.entry.name ? 1 : a.entry.id - b.entry.id;
const noiseTip = 'Noise, or too few calls';
const cellsColoured = { delta: 'own', ratio: 'own', meanRatio: 'mean' };

/** `lead(entry)` opens a row's function. */
export function createChangeTable(host, lead) {
  const state = {
    host,
    rows: [],
    columns: [],
    sorted: null, // the column
    how: null, // how figures are formatted
    all: 0,
    steady: new SteadyOrder((row) => row.entry.id),
  };
  const order = orderOf(state);
  state.table = createTable('Changes', 'changes-table', {
    choose: (row) => lead(row.entry),
    sort: order.by,
    scroll: () => host.redraw(),
  });
  state.foot = createFoot(state.table);
  const { table, foot } = state;
  return {
    root: el('div', { class: 'table-side' }, table.root, foot.nothing, foot.root),
    move: (step) => move(state, step),
    /** The row selected by keys, as an aligned function, or null. */
    chosen: () => state.rows[selected(state)]?.entry ?? null,
    csv: () => changesCsv(state.rows, state.how),
    summary: () => (host.match.empty ? '' : `${count(state.rows.length)} of ${count(state.all)}`),
    /** `list`: rows of changeRows(); `how`: the format of their figures. */
    show: (list, how) => show(state, list, how),
    keys: tableKeys('Table of changes', 'function', table, (step) => move(state, step), order),
  };
}

function orderOf(state) {
  const { host } = state;
  const begin = (column) =>
    host.go({ changes: column.id, changesRising: column.of === undefined }, { replace: true });
  const turn = () => host.go({ changesRising: !host.place.changesRising }, { replace: true });
  return {
    turn,
    by: (column) => (column.id === state.sorted.id ? turn() : begin(column)),
    step(by) {
      const { columns, sorted } = state;
      begin(columns[(columns.indexOf(sorted) + by + columns.length) % columns.length]);
    },
  };
}

const leastOf = (host) => host.place.least / 100;

function hint({ entry }) {
  return entry.raw_name ? `${entry.name}\n${entry.raw_name}` : entry.name;
}

/** A text cell whose colour shows a change of at least `least()`; its sign shows it, too. */
function trendCell(column, part, least) {
  const text = el('span', { class: 'trend' });
  return {
    nodes: [text],
    set(row) {
      setText(text, column.text(row));
      const step = strength(row[part], least());
      text.dataset.trend = row[part].noise ? 'noise' : step > 0 ? 'more' : step < 0 ? 'less' : '';
      setAttr(text, 'title', row[part].noise ? noiseTip : null);
    },
  };
}

function columnsFor(host, how) {
  return changeColumns(how).map((column) => {
    const part = cellsColoured[column.id];
    if (column.id === 'name') return { ...column, key: true, hint };
    return part ? { ...column, cell: () => trendCell(column, part, () => leastOf(host)) } : column;
  });
}

function show(state, list, how) {
  const { host } = state;
  const { place, match } = host;
  state.how = how;
  state.columns = columnsFor(host, how);
  state.sorted = state.columns.find(({ id }) => id === place.changes) ?? state.columns.find(({ id }) => id === 'delta');
  state.all = list.length;
  const matching = match.empty ? list : list.filter(({ entry }) => matchesFunction(match, entry));
  const told = matching.filter((row) => place.least === '0' || changedBy(row, leastOf(host)));
  const { sorted } = state;
  const { changesRising: rising } = place;
  const key = [sorted.id, rising, place.search, place.least, host.paused, how.unit, how.measure].join();
  state.rows = state.steady.arrange(told, key, performance.now(), (some) => sortBy(some, sorted, rising, byName));
  state.table.show(state.rows, state.columns, {
    sorted: { id: sorted.id, rising },
    marks: ({ entry }) => ({
      'aria-selected': entry.label === place.fn ? 'true' : null,
      'data-placeholder': isPlaceholder(entry) ? '' : null,
    }),
  });
  tell(state, matching.length);
}

function tell({ host, rows, all, foot }, matching) {
  const { match, place } = host;
  const limit = `${place.least} %`;
  const hidden = matching - rows.length;
  const otherwise =
    matching === 0 ? `No function matches “${place.search}”.` : `No function has changed by ${limit} or more.`;
  foot.tell(
    [
      match.empty ? plural(all, 'function') : `${count(matching)} of ${plural(all, 'function')}`,
      hidden > 0 ? `${count(hidden)} that changed by less than ${limit} not listed` : '',
    ],
    whyEmpty(rows, match, otherwise),
  );
}

const selected = ({ rows, host }) => rows.findIndex((row) => row.entry.label === host.place.fn);

function move(state, step) {
  const { rows, host, table } = state;
  const at = selected(state);
  const to = at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
  if (rows[to] === undefined) return false;
  host.go({ fn: rows[to].entry.label }, { replace: true });
  table.reveal(to);
  return true;
}
