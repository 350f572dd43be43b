// table.js - the table of changes: every function before and after.

import { el, setText } from '../../dom.js';
import { changeColumns, changedBy, changesCsv } from '../../model/changes.js';
import { strength } from '../../model/compare.js';
import { count, plural } from '../../model/format.js';
import { isPlaceholder } from '../../model/placeholder.js';
import { sortBy, SteadyOrder } from '../../model/rows.js';
import { createTable, tableKeys } from '../../part/table.js';

const byName = (a, b) =>
  a.entry.name < b.entry.name ? -1 : a.entry.name > b.entry.name ? 1 : a.entry.id - b.entry.id;
const cellsColoured = { delta: 'own', ratio: 'own', meanRatio: 'mean' };

function hint({ entry }) {
  return entry.raw_name ? `${entry.name}\n${entry.raw_name}` : entry.name;
}

/** A text cell whose colour says which way it went by `least()` or more; the sign says it, too. */
function trendCell(column, part, least) {
  const text = el('span', { class: 'trend' });
  return {
    nodes: [text],
    set(row) {
      setText(text, column.text(row));
      const step = strength(row[part], least());
      text.dataset.trend = step > 0 ? 'more' : step < 0 ? 'less' : '';
    },
  };
}

/** `lead(entry)` leads from a row to its function. */
export function createChangeTable(host, lead) {
  let rows = [];
  let columns = [];
  let sorted = null;
  let how = null;
  let all = 0;
  const steady = new SteadyOrder((row) => row.entry.id);

  const begin = (column) =>
    host.go({ changes: column.id, changesRising: column.of === undefined }, { replace: true });
  const order = {
    turn: () => host.go({ changesRising: !host.place.changesRising }, { replace: true }),
    by: (column) => (column.id === sorted.id ? order.turn() : begin(column)),
    step: (by) => begin(columns[(columns.indexOf(sorted) + by + columns.length) % columns.length]),
  };
  const table = createTable('Changes', 'changes-table', {
    choose: (row) => lead(row.entry),
    sort: order.by,
    scroll: () => host.redraw(),
  });
  const nothing = el('p', { class: 'table-nothing', hidden: true });
  const status = el('p', { class: 'table-status' });
  const root = el('div', { class: 'table-side' }, table.root, nothing, status);

  const least = () => host.place.least / 100;

  function columnsFor() {
    return changeColumns(how).map((column) => {
      const part = cellsColoured[column.id];
      if (column.id === 'name') return { ...column, key: true, hint };
      return part ? { ...column, cell: () => trendCell(column, part, least) } : column;
    });
  }

  const matches = ({ entry }) =>
    host.match.empty || [entry.name, entry.raw_name, entry.file].some((text) => text && host.match.test(text));

  function tell(hidden, matching) {
    const limit = `${host.place.least} %`;
    setText(
      status,
      [
        host.match.empty ? plural(all, 'function') : `${count(matching)} of ${plural(all, 'function')}`,
        hidden > 0 ? `${count(hidden)} that changed by less than ${limit} not listed` : '',
      ]
        .filter(Boolean)
        .join(' · '),
    );
    nothing.hidden = rows.length > 0;
    setText(
      nothing,
      host.match.error
        ? `Not a regular expression: ${host.match.error}`
        : matching === 0
          ? `No function matches “${host.place.search}”.`
          : `No function has changed by ${limit} or more.`,
    );
  }

  const selected = () => rows.findIndex((row) => row.entry.label === host.place.fn);

  function move(step) {
    const at = selected();
    const to = at < 0 ? 0 : Math.min(Math.max(at + step, 0), rows.length - 1);
    if (rows[to] === undefined) return false;
    host.go({ fn: rows[to].entry.label }, { replace: true });
    table.reveal(to);
    return true;
  }

  return {
    root,
    move,
    /** The row chosen by keys, as an aligned function, or null. */
    chosen: () => rows[selected()]?.entry ?? null,
    csv: () => changesCsv(rows, how),
    summary: () => (host.match.empty ? '' : `${count(rows.length)} of ${count(all)}`),
    /** `list` of rows as changeRows() gives it, and `as` how their figures are written. */
    show(list, as) {
      how = as;
      const { place } = host;
      columns = columnsFor();
      sorted = columns.find(({ id }) => id === place.changes) ?? columns.find(({ id }) => id === 'delta');
      const matching = list.filter(matches);
      const told = matching.filter((row) => place.least === '0' || changedBy(row, least()));
      all = list.length;
      const key = [
        sorted.id,
        place.changesRising,
        place.search,
        place.least,
        host.paused,
        as.unit,
        as.measure,
      ].join();
      rows = steady.arrange(told, key, performance.now(), (some) =>
        sortBy(some, sorted, place.changesRising, byName),
      );
      tell(matching.length - told.length, matching.length);
      table.show(rows, columns, {
        sorted: { id: sorted.id, rising: place.changesRising },
        marks: ({ entry }) => ({
          'aria-selected': entry.label === place.fn ? 'true' : null,
          'data-placeholder': isPlaceholder(entry) ? '' : null,
        }),
      });
    },
    keys: tableKeys('Table of changes', 'function', table, move, order),
  };
}
