// table.js - rows and columns of the Functions table.

import { figureText } from './figures.js';
import * as format from './format.js';
import { isAllIdle } from './idle.js';
import { labelOf } from './names.js';
import { figuresOf } from './placeholder.js';
import { sortBy } from './rows.js';
import { matchesFunction } from './search.js';
import { depth } from './stack.js';

const nameColumn = {
  id: 'name',
  title: 'Function',
  tip: 'Name from the ELF',
  key: true,
  text: (row) => labelOf(row.fn),
};
const placeColumn = {
  id: 'place',
  title: 'Source',
  tip: 'File and line',
  text: (row) => format.baseName(format.place(row.fn)),
};

/** Shares of the whole, each with its figure. */
const shares = {
  self_ticks: share('selfShare', 'Self %', 'Self time as a share of the time shown, busy or all'),
  total_ticks: share('totalShare', 'Total %', 'Total time as a share of the time shown, busy or all'),
  samples: share(
    'sampleShare',
    'Samples %',
    'As a share of all samples: the time in the function itself, roughly',
  ),
};

function share(id, title, tip) {
  return { id, title, tip, share: true, of: (row) => row[id], text: (row) => format.percent(row[id]) };
}

function figureColumn(figure) {
  const { key, title, help } = figure;
  const of = (row) => (key in row ? row[key] : figuresOf(row.fn)[key]) ?? null;
  return {
    id: key.replace(/_ticks$/, ''),
    title,
    tip: help,
    of,
    text(row, ticksPerSecond) {
      if (key.endsWith('self_ticks') && isAllIdle(row.fn)) return 'idle';
      if (key === 'stack_bytes' && of(row) !== null) return depth(of(row), row.fn.stack_unknown);
      return figureText(figure, of(row), ticksPerSecond);
    },
  };
}

/** Marks computed values. */
const about = '≈ ';

/** The figure's column, corrected if possible. */
function correctedColumn(figure, all) {
  const { id, title, ...raw } = figureColumn(figure);
  const corrected = all.find(({ key }) => key === `corrected_${figure.key}`);
  if (corrected === undefined) return { id, title, ...raw };
  const column = figureColumn(corrected);
  const isTotal = figure.key === 'total_ticks';
  const error = all.find(({ key }) => key === (isTotal ? 'corrected_total_error_ticks' : 'corrected_error_ticks'));
  const isRough = ({ fn }) => (isTotal ? fn.total_ticks > 2 * fn.corrected_total_ticks : fn.corrected_is_rough);
  const errorOf = ({ fn }) => (error ? fn[error.key] : null) ?? null; // a profile of an older daemon has none
  const rough = (row, scale) => (errorOf(row) !== null && isRough(row) ? ` ± ${figureText(error, errorOf(row), scale)}` : '');
  const text = (row, scale) => (column.of(row) === null ? column.text(row, scale) : about + column.text(row, scale) + rough(row, scale));
  return { ...column, id, title: about + title, text };
}

const made = { raw: new WeakMap(), corrected: new WeakMap() }; // table of figures -> its columns

/**
 * Columns left to right, for the daemon's table of figures. `of` returns the number to sort by (null if unknown),
 * `text` the text shown.
 */
export function columnsOf(figures, isCorrected = false) {
  const known = isCorrected ? made.corrected : made.raw;
  if (!known.has(figures)) {
    const shown = figures.functions.filter((figure) => figure.column !== null);
    shown.sort((a, b) => a.column - b.column);
    const columnOf = (figure) => (isCorrected ? correctedColumn(figure, figures.functions) : figureColumn(figure));
    const columns = shown.flatMap((figure) => [columnOf(figure), shares[figure.key] ?? []].flat());
    known.set(figures, [nameColumn, ...columns, placeColumn]);
  }
  return known.get(figures);
}

/** The columns that have a value in at least one row. */
export function columnsFor(figures, rows, isCorrected = false) {
  return columnsOf(figures, isCorrected).filter((c) => rows.some((row) => (c.of ? c.of(row) !== null : c.text(row) !== '')));
}

/** The column to sort by: the one asked for, or if it is empty, the most useful one. */
export function sortedColumn(shown, id) {
  for (const wanted of [id, 'self', 'samples', 'calls']) {
    const found = shown.find((c) => c.id === wanted);
    if (found) return found;
  }
  return nameColumn;
}

/** True when there is anything to show of it, even if its calls are unknown; a placeholder without samples has nothing. */
function tells(fn) {
  return (
    fn.calls > 0 || fn.total_ticks > 0 || fn.samples > 0 || fn.calls === null
  );
}

/** True when any function has corrected times. */
export const hasCorrected = ({ functions }) => functions.some((fn) => (fn?.corrected_self_ticks ?? null) !== null);

/** A row for each function that has anything to show, with its shares of the whole. */
export function functionRows(profile, isCorrected = false) {
  const [selfOf, totalOf] = isCorrected
    ? [(fn) => fn.corrected_self_ticks ?? null, (fn) => fn.corrected_total_ticks ?? null]
    : [(fn) => fn.self_ticks, (fn) => fn.total_ticks];
  let all = 0;
  for (const fn of profile.functions) if (fn) all += selfOf(fn) ?? 0;
  const sampled = profile.samples?.total > 0 ? profile.samples.total : 0;
  const rows = [];
  for (const fn of profile.functions) {
    if (!fn || !tells(fn)) continue;
    const samples = sampled > 0 ? (fn.samples ?? null) : null;
    rows.push({
      fn,
      samples,
      selfShare: all > 0 && selfOf(fn) !== null ? selfOf(fn) / all : null,
      totalShare: all > 0 && totalOf(fn) !== null ? Math.min(totalOf(fn) / all, 1) : null,
      sampleShare: samples !== null ? samples / sampled : null,
    });
  }
  return rows;
}

/** Rows of functions that match; all rows for an empty search. */
export const filterRows = (rows, match) => (match.empty ? rows : rows.filter(({ fn }) => matchesFunction(match, fn)));

const byName = (a, b) => (a.fn.name < b.fn.name ? -1 : a.fn.name > b.fn.name ? 1 : a.fn.id - b.fn.id);

/** A sorted copy; unknown values are always last; equal ones are sorted by name. */
export function sortRows(rows, by, rising) {
  return sortBy(rows, by, rising, byName);
}
