// picture.js - the calls of a stretch of time as the daemon sent them, merged to what a screen shows, in a form that
// is quick to draw and to search.
//
// Rows are in segments, one for each context and depth, ordered by start. A row of more than one call is a mark for
// calls too short to distinguish, named after the longest.
//
// Stretches in which a context did not run (preempted or blocked) are in a picture of their own, `away`, so that code
// that walks, searches or counts calls does not meet them.

import { packTable } from './callcolumns.js';

const keyOf = (context, depth) => context * 65536 + depth;
const none = { start: [], duration: [], function: [], context: [], depth: [], calls: [] };

/** Why a context did not run; the index is the number in rows of an away picture. */
export const awayKinds = ['preempted', 'blocked'];

/** The rows as columns of calls, with the number of the kind as the function. */
const awayRows = ({ kind, count, ...columns }) => ({
  ...columns,
  function: kind.map((one) => awayKinds.indexOf(one)),
  calls: count,
});

/** Converts an item of an away picture. */
const asAway = ({ fn, busy, longest, isCut, ...item }) => ({ ...item, kind: 'away', why: awayKinds[fn] ?? '' });

export class Picture {
  /** `answer` as GET /api/v1/timeline gives it; `grain`: calls of fewer ticks may be merged. */
  constructor(answer, grain = Infinity) {
    this.grain = grain;
    this.sequence = answer.sequence;
    this.from = answer.from ?? 0;
    this.to = answer.to ?? 0;
    this.oldest = answer.oldest;
    this.newest = answer.newest;
    const rows = packTable(answer.rows ?? none);
    this.count = rows.start.length;
    // Of each row: `busy` is the sum of its calls' durations, `longest` its longest call, `reach` the latest end so far
    // in the segment.
    this.start = rows.start;
    this.fn = rows.function;
    this.calls = rows.calls;
    this.end = rows.duration.map((ticks, i) => rows.start[i] + ticks);
    this.busy = rows.busy ?? rows.duration;
    this.longest = rows.longest ?? rows.duration;
    this.cuts = rows.cut ?? null; // 1: the longest call crosses the edge of a window; null: from an older daemon, or not a call
    this.reach = new Float64Array(this.count);
    this.segments = new Map();
    this.#cut(rows);
    this.away = answer.away?.start.length > 0 ? new Picture({ ...answer, rows: awayRows(answer.away), away: null }, grain) : null;
    this.gaps = answer.gaps ?? { from: [], to: [], records: [] };
    this.load = answer.load ?? null; // how long each context ran, by column; null: not asked for, or unknown
    this.markers = answer.markers ?? { ticks: [], kind: [], text: [], count: [] };
  }

  /** Makes a segment of each run of rows of one context and depth. */
  #cut({ context, depth }) {
    const { count, end, reach } = this;
    for (let first = 0; first < count; ) {
      let [i, latest] = [first, -Infinity];
      for (; i < count && context[i] === context[first] && depth[i] === depth[first]; i++) {
        if (end[i] > latest) latest = end[i];
        reach[i] = latest;
      }
      const key = keyOf(context[first], depth[first]);
      this.segments.set(key, { key, context: context[first], depth: depth[first], first, end: i });
      first = i;
    }
  }

  /** The share of a row's time in which its calls ran. */
  share(i) {
    const length = this.end[i] - this.start[i];
    return length > 0 ? Math.min(this.busy[i] / length, 1) : 1;
  }

  segment(context, depth) {
    return this.segments.get(keyOf(context, depth)) ?? null;
  }

  covers(from, to) {
    return (
      Math.max(from, this.oldest ?? from) >= this.from && Math.min(to, this.newest ?? to) <= this.to
    );
  }

  /** The first row of the segment that ends after `ticks`, or segment.end. */
  firstAfter(segment, ticks) {
    let low = segment.first;
    let high = segment.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.reach[middle] <= ticks) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The last row of the segment that starts at or before `ticks`, or segment.first - 1. */
  lastBefore(segment, ticks) {
    let low = segment.first;
    let high = segment.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.start[middle] <= ticks) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  /** The nearest row of this context and depth within `slack` of `ticks`, or -1. */
  at(context, depth, ticks, slack = 0) {
    const segment = this.segment(context, depth);
    if (segment === null) return -1;
    let best = -1;
    let bestAway = slack;
    for (let i = this.firstAfter(segment, ticks - slack - 1e-9); i < segment.end; i++) {
      if (this.start[i] > ticks + slack) break;
      const away = Math.max(this.start[i] - ticks, ticks - this.end[i], 0);
      if (best < 0 ? away <= bestAway : away < bestAway) [best, bestAway] = [i, away];
      if (away === 0) break;
    }
    return best;
  }

  /** The row of this context and depth that starts at `ticks`, or the one that contains it, or -1. */
  starting(context, depth, ticks) {
    const segment = this.segment(context, depth);
    if (segment === null) return -1;
    const i = this.lastBefore(segment, ticks);
    return i >= segment.first && (this.start[i] === ticks || this.end[i] > ticks) ? i : -1;
  }

  /** The row as an object, which outlives the picture. */
  item(i, { context, depth }) {
    const [start, end, fn, calls] = [this.start[i], this.end[i], this.fn[i], this.calls[i]];
    return { kind: 'call', context, depth, start, end, fn, calls, busy: this.busy[i], longest: this.longest[i], isCut: this.cuts?.[i] === 1 };
  }

  /** A stretch of `away` as an object. */
  awayItem(i, segment) {
    return asAway(this.away.item(i, segment));
  }

  /** The stretch of this context and depth at `ticks`, as at(); an item, or null. */
  awayAt(context, depth, ticks, slack = 0) {
    const i = this.away?.at(context, depth, ticks, slack) ?? -1;
    return i < 0 ? null : this.awayItem(i, { context, depth });
  }

  /** The stretch of this context and depth that starts at `ticks`, as starting(); an item, or null. */
  awayStarting(context, depth, ticks) {
    const i = this.away?.starting(context, depth, ticks) ?? -1;
    return i < 0 ? null : this.awayItem(i, { context, depth });
  }

  /** The call one level up that contains `item`, or null. */
  callerOf(item) {
    const segment = this.segment(item.context, item.depth - 1);
    if (segment === null) return null;
    const i = this.lastBefore(segment, item.start);
    if (i < segment.first || this.end[i] < item.end || this.calls[i] !== 1) return null;
    return this.item(i, segment);
  }

  /** The longest row one level down inside `item`, or null. */
  calleeOf(item) {
    const segment = this.segment(item.context, item.depth + 1);
    if (segment === null) return null;
    let best = -1;
    for (let i = this.firstAfter(segment, item.start); i < segment.end && this.start[i] < item.end; i++) {
      if (best < 0 || this.end[i] - this.start[i] > this.end[best] - this.start[best]) best = i;
    }
    return best < 0 ? null : this.item(best, segment);
  }

  /** The longest stretch in which the call `item` was innermost and did not run, or null. */
  awayIn(item) {
    const best = this.away?.calleeOf(item) ?? null;
    return best === null ? null : asAway(best);
  }

  /** The next row of the segment after (+1) or before (-1) `ticks`, or -1. */
  #next(segment, ticks, step) {
    if (segment === null) return -1;
    let i = this.lastBefore(segment, ticks);
    if (step > 0) {
      while (i < segment.end && (i < segment.first || this.start[i] <= ticks)) i++;
      return i < segment.end ? i : -1;
    }
    while (i >= segment.first && this.start[i] >= ticks) i--;
    return i >= segment.first ? i : -1;
  }

  /** The next call or away stretch in the row of `item`, after (+1) or before (-1) it, or null. */
  beside({ context, depth, start }, step) {
    const [segment, away] = [this.segment(context, depth), this.away?.segment(context, depth) ?? null];
    const i = this.#next(segment, start, step);
    const k = this.away?.#next(away, start, step) ?? -1;
    if (i < 0 && k < 0) return null;
    if (k < 0 || (i >= 0 && step * (this.start[i] - this.away.start[k]) <= 0)) return this.item(i, segment);
    return this.awayItem(k, away);
  }

  /**
   * The next row in time after (+1) or before (-1) `item`, or `ticks` without an item, whose function is marked in
   * `hits`, among lanes for which shows(context) is true. Rows that start together are ordered by depth.
   */
  nextHit(hits, step, item, ticks, shows = () => true) {
    let best = null;
    const after = (a, b) => a.start - b.start || a.context - b.context || a.depth - b.depth;
    const origin = item ?? { start: ticks, context: step > 0 ? -1 : Infinity, depth: 0 };
    for (const segment of this.segments.values()) {
      if (!shows(segment.context)) continue;
      let i = this.lastBefore(segment, origin.start);
      if (step > 0) {
        while (i > segment.first && this.start[i - 1] === origin.start) i--;
        for (i = Math.max(i, segment.first); i < segment.end; i++) {
          if (best !== null && this.start[i] > best.start) break;
          if (!hits[this.fn[i]]) continue;
          const one = this.item(i, segment);
          if (after(one, origin) <= 0) continue;
          if (best === null || after(one, best) < 0) best = one;
          break;
        }
      } else {
        for (; i >= segment.first; i--) {
          if (best !== null && this.start[i] < best.start) break;
          if (!hits[this.fn[i]]) continue;
          const one = this.item(i, segment);
          if (after(one, origin) >= 0) continue;
          if (best === null || after(one, best) > 0) best = one;
          break;
        }
      }
    }
    return best;
  }

  /** A gap as an object; `look` is three times as long. */
  gap(i) {
    const { from, to, records } = this.gaps;
    const length = Math.max(to[i] - from[i], 1);
    const look = { start: Math.max(from[i] - length, 0), end: to[i] + length };
    return { kind: 'gap', start: from[i], end: to[i], records: records[i], look };
  }

  gapAt(ticks, slack = 0) {
    const { from, to } = this.gaps;
    const i = from.findIndex((start, k) => start - slack <= ticks && ticks <= to[k] + slack);
    return i < 0 ? null : this.gap(i);
  }

  /** The first gap that begins after (+1) or before (-1) `ticks`, or null. */
  nextGap(ticks, step) {
    const { from } = this.gaps;
    let best = -1;
    from.forEach((at, i) => {
      if (step * (at - ticks) > 0 && (best < 0 || step * (at - from[best]) < 0)) best = i;
    });
    return best < 0 ? null : this.gap(best);
  }

  marker(i) {
    const { ticks, kind, text, count } = this.markers;
    return { kind: 'marker', start: ticks[i], end: ticks[i], what: kind[i], text: text[i] ?? '', count: count?.[i] ?? 1 };
  }

  markersIn(from, to) {
    const found = [];
    this.markers.ticks.forEach((ticks, i) => {
      if (ticks >= from && ticks <= to) found.push(this.marker(i));
    });
    return found;
  }

  /** The marker nearest to `ticks`, at most `slack` away, or null. */
  markerAt(ticks, slack) {
    let best = -1;
    this.markers.ticks.forEach((at, i) => {
      if (Math.abs(at - ticks) > slack) return;
      if (best < 0 || Math.abs(at - ticks) < Math.abs(this.markers.ticks[best] - ticks)) best = i;
    });
    return best < 0 ? null : this.marker(best);
  }

  /** The first marker after (+1) or before (-1) `ticks`, or null. */
  nextMarker(ticks, step) {
    let best = -1;
    this.markers.ticks.forEach((at, i) => {
      if (step > 0 ? at <= ticks : at >= ticks) return;
      if (best < 0 || (step > 0 ? at < this.markers.ticks[best] : at > this.markers.ticks[best])) best = i;
    });
    return best < 0 ? null : this.marker(best);
  }
}
