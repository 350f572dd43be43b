// table.js - rows and columns of the Functions table.

import * as format from './format.js';
import { figuresOf } from './placeholder.js';
import { sortBy } from './rows.js';

/** Columns left to right. `of` gives the number to sort by (null when unknown), `text` what is shown. */
export const columns = [
  { id: 'name', title: 'Function', tip: 'Name from the ELF', key: true, text: (row) => row.fn.name },
  column('self', 'Self', 'Time in the function itself, without what it calls', (f) => f.self_ticks, 'ticks'),
  share('selfShare', 'Self %', 'Self time as a share of all time'),
  column(
    'total',
    'Total',
    'Time in the function and everything it calls; recursion counted once',
    (f) => f.total_ticks,
    'ticks',
  ),
  share('totalShare', 'Total %', 'Total time as a share of all time'),
  {
    id: 'samples',
    title: 'Samples',
    tip: 'Times the sampling interrupt met the function',
    of: (row) => row.samples,
    text: (row) => format.count(row.samples),
  },
  share('sampleShare', 'Samples %', 'As a share of all samples: the time in the function itself, roughly'),
  column('calls', 'Calls', 'Completed calls', (f) => f.calls, 'count'),
  column('mean', 'Mean', 'Total time of a call on average', (f) => f.mean_ticks, 'ticks'),
  column('min', 'Min', 'Shortest call', (f) => f.min_ticks, 'ticks'),
  column('p50', 'p50', 'Half of the calls took no longer', (f) => f.p50_ticks, 'ticks'),
  column('p90', 'p90', 'Nine of ten calls took no longer', (f) => f.p90_ticks, 'ticks'),
  column('p99', 'p99', '99 of 100 calls took no longer', (f) => f.p99_ticks, 'ticks'),
  column('max', 'Max', 'Longest call', (f) => f.max_ticks, 'ticks'),
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
    of: (row) => field(figuresOf(row.fn)) ?? null,
    text:
      kind === 'ticks'
        ? (row, ticksPerSecond) => format.cellDuration(field(figuresOf(row.fn)), ticksPerSecond)
        : (row) => format.count(field(figuresOf(row.fn))),
  };
}

function share(id, title, tip) {
  return { id, title, tip, share: true, of: (row) => row[id], text: (row) => format.percent(row[id]) };
}

/** The columns that have something to say of at least one of the rows. */
export function columnsFor(rows) {
  return columns.filter((c) => rows.some((row) => (c.of ? c.of(row) !== null : c.text(row) !== '')));
}

/** The column to sort by: the one asked for, or where nobody can fill it the one that says most. */
export function sortedColumn(shown, id) {
  for (const wanted of [id, 'self', 'samples', 'calls']) {
    const found = shown.find((c) => c.id === wanted);
    if (found) return found;
  }
  return columns[0];
}

/** Whether there is anything to tell of it, be it that its calls are not known; a placeholder without samples has nothing. */
function tells(fn) {
  return (
    fn.calls > 0 || fn.total_ticks > 0 || fn.samples > 0 || fn.calls === null
  );
}

/** A row for each function that has anything to tell, with its shares of the whole. */
export function functionRows(profile) {
  let all = 0;
  for (const fn of profile.functions) all += fn?.self_ticks ?? 0;
  const sampled = profile.samples?.total > 0 ? profile.samples.total : 0;
  const rows = [];
  for (const fn of profile.functions) {
    if (!fn || !tells(fn)) continue;
    const samples = sampled > 0 ? (fn.samples ?? null) : null;
    rows.push({
      fn,
      samples,
      selfShare: all > 0 && fn.self_ticks !== null ? fn.self_ticks / all : null,
      totalShare: all > 0 && fn.total_ticks !== null ? Math.min(fn.total_ticks / all, 1) : null,
      sampleShare: samples !== null ? samples / sampled : null,
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

const byName = (a, b) => (a.fn.name < b.fn.name ? -1 : a.fn.name > b.fn.name ? 1 : a.fn.id - b.fn.id);

/** Sorted copy; unknown values come last whichever way; equal ones keep the order of their names. */
export function sortRows(rows, by, rising) {
  return sortBy(rows, by, rising, byName);
}
