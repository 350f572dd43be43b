// range.js - a time range of the target in the form of the address and the daemon: "FROM-TO" in ticks.

const form = /^(\d{1,20})-(\d{1,20})$/;

/**
 * { from, to } in ticks as decimal strings, exact for 64 bits; null if the text is not a range, or ends before it
 * begins.
 */
export function readRange(text) {
  const found = form.exec(text);
  if (found === null) return null;
  const [from, to] = [BigInt(found[1]), BigInt(found[2])];
  return from <= to ? { from: String(from), to: String(to) } : null;
}

const most = 2n ** 64n - 1n;

/** Ticks in the form that the daemon reads: whole, not negative, at most 64 bits. */
export function wholeTicks(ticks) {
  if (!(ticks > 0)) return '0';
  const whole = Number.isFinite(ticks) ? BigInt(Math.round(ticks)) : most;
  return String(whole > most ? most : whole);
}

/** The range of two numbers of ticks, in either order. */
export function writeRange(a, b) {
  return `${wholeTicks(Math.min(a, b))}-${wholeTicks(Math.max(a, b))}`;
}

/** The length of a range in ticks. */
export function rangeTicks(text) {
  const range = readRange(text);
  return range === null ? 0 : Number(BigInt(range.to) - BigInt(range.from));
}

/**
 * The place that shows a call ({ start, duration, context, depth }) on the timeline, with a margin of its own length.
 */
export function placeOfCall({ start, duration, context, depth }) {
  const room = Math.max(duration, 8);
  return { view: 'timeline', at: writeRange(Math.max(start - room, 0), start + duration + room), call: `${context}-${depth}-${start}` };
}

/** The place that shows a time range ({ start, duration }), with a margin of its own length. */
export function placeOfStretch({ start, duration }) {
  const room = Math.max(duration, 8);
  return { view: 'timeline', at: writeRange(Math.max(start - room, 0), start + duration + room), call: '', spot: wholeTicks(start) };
}
