// pinned.js - functions that the user has pinned, with their watched figures.

const most = 8;
const figures = ['p50', 'p99', 'max'];

/** Adds or removes a pinned label; the oldest is dropped if there are too many. */
export const togglePin = (pinned, label) => (pinned.includes(label) ? pinned.filter((one) => one !== label) : [...pinned, label].slice(-most));

/**
 * [{ label, id (-1: no such function), p50, p99, max (ticks, or null), limits (rows of the daemon), isBroken }], in the
 * order of pinning.
 */
export function pinnedRows(pinned, profile, limits) {
  return pinned.map((label) => {
    const id = profile.idOf(label);
    const fn = profile.functions[id];
    const own = id < 0 ? [] : limits.filter((row) => row.function === id);
    const ticks = Object.fromEntries(figures.map((figure) => [figure, (fn?.calls > 0 && fn[`${figure}_ticks`]) || null]));
    return { label, id, ...ticks, limits: own, isBroken: own.some(({ breaches }) => breaches > 0) };
  });
}

/**
 * The longest call of each column of an over-time answer ({ from, to, step, rows }); null for columns without calls.
 */
export function longestOver({ from, to, step, rows }) {
  const values = new Array(Math.max(Math.ceil((to - from + 1) / step), 1)).fill(null);
  rows.column.forEach((column, i) => (values[column] = rows.max[i]));
  return values;
}

/** The call of such an answer that took `ticks`, for placeOfCall(); null if there is none. */
export function callOf({ rows }, ticks) {
  const i = rows.max.indexOf(ticks);
  return i < 0 ? null : { start: rows.start[i], duration: ticks, context: rows.context[i], depth: rows.depth[i] };
}
