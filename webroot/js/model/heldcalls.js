// heldcalls.js - answers timeline requests from answers that the page has kept, where there is no daemon.

const columns = ['rows', 'away'];
const empty = (answer, key) => Object.fromEntries(Object.keys(answer[key] ?? {}).map((name) => [name, []]));

/** The number of rows of an answer, of the calls in them, and of rows that are merged. */
export function sizeOf({ rows }) {
  let calls = 0;
  let merged = 0;
  for (const n of rows?.calls ?? []) {
    calls += n;
    if (n > 1) merged++;
  }
  return { rows: rows?.start.length ?? 0, calls, merged };
}

/** Adds the rows of `from` for which `wants(start, end)` returns true. */
function take(into, from, wants) {
  for (const key of columns) {
    const table = from[key];
    if (!table) continue;
    into[key] ??= empty(from, key);
    const names = Object.keys(table);
    for (let i = 0; i < table.start.length; i++) {
      if (!wants(table.start[i], table.start[i] + table.duration[i])) continue;
      for (const name of names) into[key][name]?.push(table[name][i]);
    }
  }
}

/**
 * The answer for { from, to }, or for everything if null, from `whole` (a merged answer about all buffered time) and
 * `part` (a finer one about a range, or null). Inside its range the finer one is used.
 */
export function answerFrom({ whole, part }, range) {
  const from = range === null ? whole.from : Math.max(Number(range.from), 0);
  const to = range === null ? whole.to : Number(range.to);
  const { sequence, oldest, newest, gaps, markers, load } = whole;
  const answer = { sequence, oldest, newest, from, to, gaps, markers, load, rows: empty(whole, 'rows') };
  const fine = part === null ? null : { from: Number(part.from), to: Number(part.to) };
  const isIn = (start, end) => end >= from && start <= to;
  // A merged row that crosses the edge of the finer range belongs to both sides: it is dropped.
  take(answer, whole, (start, end) => isIn(start, end) && (fine === null || end <= fine.from || start >= fine.to));
  if (fine !== null) take(answer, part, isIn);
  return answer;
}
