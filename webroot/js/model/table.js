// table.js - rows and columns of the Functions table.

import * as format from './format.js';
import { isPlaceholder } from './placeholder.js';

/** Columns left to right. `of` gives the number to sort by (null when unknown), `text` what is shown. */
export const columns = [
  { id: 'name', title: 'Function', tip: 'Name from the ELF', text: (row) => row.fn.name },
  column('self', 'Self', 'Time in the function itself, without what it calls', (f) => f.self_ticks, 'ticks'),
  {
    id: 'selfShare',
    title: 'Self %',
    tip: 'Self time as a share of all time',
    share: true,
    of: (row) => row.selfShare,
    text: (row) => format.percent(row.selfShare),
  },
  column(
    'total',
    'Total',
    'Time in the function and everything it calls; recursion counted once',
    (f) => f.total_ticks,
    'ticks',
  ),
  {
    id: 'totalShare',
    title: 'Total %',
    tip: 'Total time as a share of all time',
    share: true,
    of: (row) => row.totalShare,
    text: (row) => format.percent(row.totalShare),
  },
  column('calls', 'Calls', 'Completed calls', (f) => f.calls, 'count'),
  column('mean', 'Mean', 'Total time of a call on average', (f) => f.mean_ticks, 'ticks'),
  column('min', 'Min', 'Shortest call', (f) => f.min_ticks, 'ticks'),
  column('p50', 'p50', 'Half of the calls took no longer', (f) => f.p50_ticks, 'ticks'),
  column('p90', 'p90', 'Nine of ten calls took no longer', (f) => f.p90_ticks, 'ticks'),
  column('p99', 'p99', '99 of 100 calls took no longer', (f) => f.p99_ticks, 'ticks'),
  column('max', 'Max', 'Longest call', (f) => f.max_ticks, 'ticks'),
  column('samples', 'Samples', 'Times the sampling interrupt met the function', (f) => f.samples, 'count'),
  {
    id: 'place',
    title: 'Source',
    tip: 'File and line',
    text: (row) => format.baseName(format.place(row.fn)),
  },
];

function column(id, title, tip, field, kind) {
  return {
    id,
    title,
    tip,
    of: (row) => field(row.fn) ?? null,
    text:
      kind === 'ticks'
        ? (row, ticksPerSecond) => format.duration(field(row.fn), ticksPerSecond)
        : (row) => format.count(field(row.fn)),
  };
}

export const columnOf = (id) => columns.find((c) => c.id === id);

/** The columns this dialect can fill. */
export function columnsFor(profile) {
  return columns.filter(
    (c) => c.id !== 'samples' || (profile.provides('samples') && profile.samples?.total > 0),
  );
}

/** Whether there is anything to tell of it: a placeholder whose figures are unknown has nothing. */
function tells(fn) {
  return (
    fn.calls > 0 || fn.total_ticks > 0 || fn.samples > 0 || (fn.calls === null && !isPlaceholder(fn.name))
  );
}

/** A row for each function that has anything to tell, with its shares of the whole. */
export function functionRows(profile) {
  let all = 0;
  for (const fn of profile.functions) all += fn?.self_ticks ?? 0;
  const rows = [];
  for (const fn of profile.functions) {
    if (!fn || !tells(fn)) continue;
    rows.push({
      fn,
      selfShare: all > 0 && fn.self_ticks !== null ? fn.self_ticks / all : null,
      totalShare: all > 0 && fn.total_ticks !== null ? Math.min(fn.total_ticks / all, 1) : null,
    });
  }
  return rows;
}

/** Rows whose name, raw name or file matches; all of them for an empty search. */
export function filterRows(rows, match) {
  if (match.empty) return rows;
  return rows.filter(
    ({ fn }) =>
      match.test(fn.name) || (fn.raw_name && match.test(fn.raw_name)) || (fn.file && match.test(fn.file)),
  );
}

/** Sorted copy; unknown values come last whichever way; equal ones keep the order of their names. */
export function sortRows(rows, id, rising) {
  const by = columnOf(id) ?? columnOf('self');
  const sign = rising ? 1 : -1;
  const byName = (a, b) => (a.fn.name < b.fn.name ? -1 : a.fn.name > b.fn.name ? 1 : a.fn.id - b.fn.id);
  if (!by.of) {
    const key = new Map(rows.map((row) => [row, by.text(row).toLowerCase()]));
    return [...rows].sort((a, b) => sign * compare(key.get(a), key.get(b)) || byName(a, b));
  }
  return [...rows].sort((a, b) => {
    const x = by.of(a);
    const y = by.of(b);
    if (x === null || y === null) return (x === null) - (y === null) || byName(a, b);
    return sign * (x - y) || byName(a, b);
  });
}

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** Rows first ... last - 1 that fall into the window, with a few more so that scrolling never shows a gap. */
export function windowRows(count, rowPx, scrollPx, heightPx, spare = 8) {
  const first = Math.max(Math.floor(scrollPx / rowPx) - spare, 0);
  const last = Math.min(Math.ceil((scrollPx + heightPx) / rowPx) + spare, count);
  return { first: Math.min(first, Math.max(last, 0)), last: Math.max(last, 0) };
}
