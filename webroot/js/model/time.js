// time.js - moments of the target's time as the reader counts them: from the first record, the last reset, a moment of the
// reader's choice, the counter's own zero, or by wall-clock time.

import { axisMarks, decimalsFor, moment } from './axis.js';
import { wholeTicks } from './range.js';

/** Values of place.zero other than ticks, and their names. */
export const zeros = [
  ['', 'the first record'],
  ['reset', 'the last reset'],
  ['counter', 'zero of the counter'],
  ['clock', 'wall clock'],
];

const daySeconds = 86400;
const two = (n) => String(n).padStart(2, '0');

/** Seconds of a day as hours, minutes, seconds; a moment of another day is written with the number of days between. */
function clockText(seconds, decimals) {
  const unit = 10 ** decimals;
  const all = Math.round(seconds * unit);
  const day = Math.floor(all / (daySeconds * unit));
  const left = all - day * daySeconds * unit;
  const whole = Math.floor(left / unit);
  const part = decimals > 0 ? `.${String(left % unit).padStart(decimals, '0')}` : '';
  const days = day === 0 ? '' : ` ${day > 0 ? '+' : '−'}${Math.abs(day)} d`;
  return `${two(Math.floor(whole / 3600))}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}${part}${days}`;
}

/** Seconds from local midnight of the day of `ms` to `ms`. */
function secondsOfDay(ms) {
  const midnight = new Date(ms);
  midnight.setHours(0, 0, 0, 0);
  return (ms - midnight.getTime()) / 1000;
}

/**
 * How moments are written. `zero` is place.zero; known: { first, reset, held ({ oldest, newest } or null), wall ({ ticks, ms }: when a
 * tick was, in ms of the epoch), ticksPerSecond }, each null where unknown. What cannot be counted from is counted from the first record.
 */
export function timeOf(zero, { first, reset, held, wall, ticksPerSecond }) {
  const isClock = zero === 'clock' && wall !== null && Boolean(ticksPerSecond);
  let base = first ?? 0;
  if (zero === 'counter') base = 0;
  else if (zero === 'reset') base = reset ?? base;
  else if (/^\d+$/.test(zero)) base = Number(zero);
  else if (isClock) base = wall.ticks - secondsOfDay(wall.ms) * ticksPerSecond;
  const known = { zero: base, first: first ?? 0, isClock, ticksPerSecond, held };
  return {
    ...known,
    /** The moment as text, with as many digits as distinguish moments `step` ticks apart. */
    moment(ticks, step = 1) {
      if (isClock) return clockText((ticks - base) / ticksPerSecond, decimalsFor(Math.max(step, 1) / ticksPerSecond));
      return moment(ticks - base, ticksPerSecond, step);
    },
    /** For lists, to the microsecond so that digits align; in ticks if the rate is unknown; '' for null. */
    listed(ticks) {
      if (ticks === null || ticks === undefined) return '';
      if (!ticksPerSecond) return String(ticks - base);
      return isClock ? clockText((ticks - base) / ticksPerSecond, 6) : `${((ticks - base) / ticksPerSecond).toFixed(6)} s`;
    },
    /** The marks of an axis, as of axisMarks(). */
    marks(from, to, share) {
      const { marks, step } = axisMarks(from - base, to - base, ticksPerSecond, share);
      const decimals = decimalsFor(step / ticksPerSecond);
      return { marks: marks.map(({ ticks, text }) => ({ ticks: ticks + base, text: isClock ? clockText(ticks / ticksPerSecond, decimals) : text })), step };
    },
  };
}

const units = { h: 3600, min: 60, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, μs: 1e-6, ns: 1e-9 };
const number = String.raw`(\d+(?:\.\d+)?|\.\d+)`;
const ofClock = new RegExp(`^(?:(\\d+):)?(\\d{1,3}):(\\d{1,2}(?:\\.\\d*)?)$`);
const ofParts = new RegExp(`^(?:${number}\\s*(?:h|min|m|s|ms|us|µs|μs|ns)\\s*)+$`);

/** Seconds of the text, or null. */
function secondsIn(text) {
  const clock = ofClock.exec(text);
  if (clock !== null) return Number(clock[1] ?? 0) * 3600 + Number(clock[2]) * 60 + Number(clock[3]);
  if (new RegExp(`^${number}$`).test(text)) return Number(text);
  if (!ofParts.test(text)) return null;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(new RegExp(`${number}\\s*([a-zµμ]+)`, 'g'))) sum += Number(amount) * units[unit];
  return sum;
}

const asked = 'Write a time, such as 12.3 s, 350 ms or 1:02.5.';

/**
 * { ticks } of a typed time ("12.3 s", "350ms", "1:02.5", "1000 ticks"), relative to the zero of `time`; or { error },
 * a sentence.
 */
export function parseMoment(text, time) {
  const { zero, isClock, ticksPerSecond, held } = time;
  const words = text.trim().toLowerCase().replaceAll(',', '').replace(/^at\s+/, '').replace('−', '-');
  const isBefore = words.startsWith('-');
  const plain = words.replace(/^[-+]\s*/, '');
  const inTicks = /^(?:ticks?\s*)?(\d+)\s*(?:ticks?)?$/.exec(plain);
  let offset = null;
  if (inTicks !== null && (!ticksPerSecond || plain.includes('tick'))) offset = Number(inTicks[1]);
  else if (ticksPerSecond) offset = (secondsIn(plain) ?? NaN) * ticksPerSecond;
  else if (secondsIn(plain) !== null) return { error: 'The length of a tick is unknown: write ticks, such as 1000.' };
  if (offset === null || !Number.isFinite(offset)) return { error: isClock ? 'Write a time of the day, such as 14:05:12.3.' : asked };
  const ticks = zero + (isBefore ? -offset : offset);
  if (held === null) return { error: 'No calls have arrived yet.' };
  const step = stepOf(held);
  if (ticks >= held.oldest - step && ticks <= held.newest + step) return { ticks: Math.min(Math.max(ticks, held.oldest), held.newest) };
  return { error: notHeld(ticks, time) };
}

const stepOf = ({ oldest, newest }) => Math.max((newest - oldest) / 1000, 1);

/** A sentence that a time is outside of the buffered range. */
function notHeld(ticks, { held, moment: write }) {
  const step = stepOf(held);
  return `That is ${ticks < held.oldest ? 'before' : 'after'} the available time: ${write(held.oldest, step)} to ${write(held.newest, step)}.`;
}

/** Why the timeline no longer shows a time, as a sentence; '' if it does. Times after the newest may still arrive. */
export const goneWords = (ticks, time) => (time.held === null || ticks >= time.held.oldest ? '' : notHeld(ticks, time));

/** The part of the timeline that shows a moment: { at, spot } of a place. `seen` is the length of the visible part, 0 for none. */
export function placeOfMoment(ticks, { held, ticksPerSecond }, seen = 0) {
  const all = held === null ? (ticksPerSecond ?? 1000) : Math.max(held.newest - held.oldest, 16);
  const span = seen > 0 && seen < all / 4 ? seen : Math.max(all / 200, 16);
  const from = Math.max(ticks - span / 2, 0);
  return { view: 'timeline', at: `${wholeTicks(from)}-${wholeTicks(from + span)}`, spot: wholeTicks(ticks), call: '' };
}
