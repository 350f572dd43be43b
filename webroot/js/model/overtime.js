// overtime.js - one function over time: converts the daemon's columns to a picture and texts.

import { duration, plural } from './format.js';

/**
 * The columns of the daemon's answer, from the first tick on: [{ from, to, calls, min, p50, p99, max, period (mean, or
 * null), jitter (standard deviation of periods) and spread { min, max } of periods (null if unknown), rate (calls per
 * second, or per tick if the clock is unknown), call (the longest) }].
 */
export function columnsOf({ from, to, step, rows }, ticksPerSecond) {
  return rows.column.map((column, i) => {
    const mean = rows.periods[i] > 0 ? rows.period_ticks[i] / rows.periods[i] : null;
    const jitter = rows.period_jitter?.[i]; // an older daemon sends none
    const start = from + column * step;
    const end = Math.min(start + step, to + 1);
    return {
      from: start,
      to: end,
      calls: rows.calls[i],
      min: rows.min[i],
      p50: rows.p50[i],
      p99: rows.p99[i],
      max: rows.max[i],
      period: mean,
      jitter: mean === null ? null : (jitter ?? null),
      spread: mean === null || jitter === undefined ? null : { min: rows.period_min[i], max: rows.period_max[i] },
      rate: (rows.calls[i] * (ticksPerSecond || 1)) / (end - start),
      call: { start: rows.start[i], duration: rows.max[i], context: rows.context[i], depth: rows.depth[i] },
    };
  });
}

/**
 * Heights of durations in a picture, from 0 (bottom) to 1. Logarithmic, so that a call a hundred times longer than
 * usual leaves room for the others.
 */
export function heightOf(columns) {
  const [low, high] = [Math.min(...columns.map(({ min }) => min)), Math.max(...columns.map(({ max }) => max))];
  const [first, last] = [Math.log1p(low), Math.log1p(high)];
  return { low, high, at: (ticks) => (last > first ? (Math.log1p(ticks) - first) / (last - first) : 0.5) };
}

/**
 * The shapes drawn for columns: [{ from, to, low, middle, high (a band with a line in it), dots (ticks) }]. For
 * durations: p50 to p99 and the longest. For columns with periods: the mean with its jitter on both sides, and the
 * extremes.
 */
export function shapesOf(columns, of) {
  if (of !== 'period') return columns.map(({ from, to, p50, p99, max }) => ({ from, to, low: p50, middle: p50, high: p99, dots: [max] }));
  const known = columns.filter(({ period }) => period !== null);
  return known.map(({ from, to, period, jitter, spread }) => ({
    from,
    to,
    low: Math.max(period - (jitter ?? 0), spread?.min ?? 0),
    middle: period,
    high: Math.min(period + (jitter ?? 0), spread?.max ?? Infinity),
    dots: spread === null ? [] : [spread.min, spread.max],
  }));
}

/** The extremes of columns' periods, for heightOf(). */
export const periodExtremes = (shapes) => shapes.map(({ low, high, dots }) => ({ min: Math.min(low, ...dots), max: Math.max(high, ...dots) }));

/** The index of the column nearest to a tick; -1 if there are none. */
export function nearest(columns, tick) {
  let found = -1;
  const away = ({ from, to }) => Math.max(from - tick, tick - to, 0);
  columns.forEach((column, i) => {
    if (found < 0 || away(column) < away(columns[found])) found = i;
  });
  return found;
}

/** The column that a key selects from the `at`th (-1: none yet); null for other keys. */
export function stepTo(key, at, n) {
  const to = { ArrowLeft: at < 0 ? n - 1 : at - 1, ArrowRight: at + 1, Home: 0, End: n - 1 }[key];
  return to === undefined || n === 0 ? null : Math.min(Math.max(to, 0), n - 1);
}

export function rateText(rate, ticksPerSecond) {
  const unit = ticksPerSecond ? '/s' : ' a tick';
  return `${rate >= 100 ? Math.round(rate).toLocaleString('en-US') : Number(rate.toPrecision(3))}${unit}`;
}

/** The text for one column; `write`: formats times (model/time.js). */
export function columnWords({ from, calls, min, p50, p99, max, period, jitter, spread: periods, rate }, { moment: write, ticksPerSecond }, of = 'duration') {
  const time = (ticks) => duration(ticks, ticksPerSecond);
  if (of === 'period' && period !== null) {
    const more = jitter === null || periods === null ? '' : `, jitter ${time(jitter)}, ${time(periods.min)} to ${time(periods.max)}`;
    return `${write(from)}: ${plural(calls, 'call')} · every ${time(period)}${more}`;
  }
  const spread = calls === 1 ? time(max) : `p50 ${time(p50)}, p99 ${time(p99)}, ${time(min)} to ${time(max)}`;
  const every = period === null ? '' : ` · every ${time(period)}`;
  return `${write(from)}: ${plural(calls, 'call')} (${rateText(rate, ticksPerSecond)}) · ${spread}${every}`;
}

/** Why the picture is empty, or what it lacks; '' if nothing. */
export function overTimeNote({ excerpts, rows }) {
  if (excerpts) return 'The target counts its calls: single ones are known inside of windows only, and only those are here.';
  return rows.column.length === 0 ? 'The timeline has no call of it in this time.' : '';
}
