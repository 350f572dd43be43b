// heldcalls.js - calls of the timeline that a page has by itself: answered as the daemon would, from answers it once gave.

const columns = ['rows', 'away'];
const empty = (answer, key) => Object.fromEntries(Object.keys(answer[key] ?? {}).map((name) => [name, []]));

/** How many rows of calls an answer has, and how many calls they stand for. */
export function sizeOf({ rows }) {
  let calls = 0;
  let merged = 0;
  for (const n of rows?.calls ?? []) {
    calls += n;
    if (n > 1) merged++;
  }
  return { rows: rows?.start.length ?? 0, calls, merged };
}

/** Adds the rows of `from` that `wants(start, end)` answers true for. */
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
 * What `whole` (an answer about all that is held, merged) and `part` (a finer one about a stretch, or null) say of { from, to }, or of
 * everything for null: the finer one where it reaches, the other beside it.
 */
export function answerFrom({ whole, part }, range) {
  const from = range === null ? whole.from : Math.max(Number(range.from), 0);
  const to = range === null ? whole.to : Number(range.to);
  const { sequence, oldest, newest, gaps, markers } = whole;
  const answer = { sequence, oldest, newest, from, to, gaps, markers, rows: empty(whole, 'rows') };
  const fine = part === null ? null : { from: Number(part.from), to: Number(part.to) };
  const isIn = (start, end) => end >= from && start <= to;
  // A merged row that reaches over the edge of the finer stretch is of both sides: it goes.
  take(answer, whole, (start, end) => isIn(start, end) && (fine === null || end <= fine.from || start >= fine.to));
  if (fine !== null) take(answer, part, isIn);
  return answer;
}
