// rows.js - what every table of thousands of rows needs: an order, one that rests, and the visible rows.

const compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/**
 * A sorted copy. A column sorts by `of(row)`, with unknown values (null) always last, or without `of` by its text,
 * ignoring case. `tie(a, b)` orders equal rows.
 */
export function sortBy(rows, column, rising, tie) {
  const sign = rising ? 1 : -1;
  if (!column.of) {
    const key = new Map(rows.map((row) => [row, column.text(row).toLowerCase()]));
    return [...rows].sort((a, b) => sign * compare(key.get(a), key.get(b)) || tie(a, b));
  }
  const key = new Map(rows.map((row) => [row, column.of(row)]));
  return [...rows].sort((a, b) => {
    const x = key.get(a);
    const y = key.get(b);
    if (x === null || y === null) return (x === null) - (y === null) || tie(a, b);
    return sign * (x - y) || tie(a, b);
  });
}

/** The largest `of(row)`, ignoring unknown values (null); at least 0. */
export function largest(rows, of) {
  let most = 0;
  for (const row of rows) most = Math.max(most, of(row) ?? 0);
  return most;
}

/** The visible rows first ... last - 1, with a few more so that scrolling shows no gap. */
export function windowRows(count, rowPx, scrollPx, heightPx, spare = 8) {
  const first = Math.max(Math.floor(scrollPx / rowPx) - spare, 0);
  const last = Math.min(Math.ceil((scrollPx + heightPx) / rowPx) + spare, count);
  return { first: Math.min(first, Math.max(last, 0)), last: Math.max(last, 0) };
}

/**
 * A sort order that is renewed at most every `everyMs`, so that a row can be read and clicked while its figures change.
 */
export class SteadyOrder {
  constructor(idOf, everyMs = 1000) {
    this.idOf = idOf;
    this.everyMs = everyMs;
    this.key = null;
    this.at = -Infinity;
    this.ids = [];
  }

  /** `rows` in order. `key` identifies the order; a new one is sorted at once. */
  arrange(rows, key, nowMs, sort) {
    const asked = `${key}|${rows.length}`;
    if (asked !== this.key || nowMs - this.at > this.everyMs) {
      const sorted = sort(rows);
      this.key = asked;
      this.at = nowMs;
      this.ids = sorted.map(this.idOf);
      return sorted;
    }
    const byId = new Map(rows.map((row) => [this.idOf(row), row]));
    return this.ids.map((id) => byId.get(id)).filter(Boolean);
  }
}

/**
 * How far a table is to be scrolled sideways, from `at`, so that a column is visible in the window's `width`, of which
 * names that stay take the first `covered`. Where it does not fit whole, its beginning is. Beside the names stands no part of a
 * column, of which they would cover the first digits: `edges` are the left edges of all columns.
 */
export function sidewaysTo({ left, width: wide }, { at, width, covered, edges = [] }) {
  const least = left + wide - width;
  const most = Math.max(left - covered, 0);
  const to = Math.min(Math.max(at, least), most);
  if (to === at) return at;
  const whole = edges.map((edge) => edge - covered).filter((place) => place >= to && place <= most);
  return whole.length > 0 ? Math.min(...whole) : to;
}
