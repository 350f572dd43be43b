// loadcurve.js - the load of each context over all time in the timeline.

import { loadOf, totalOf } from './overview.js';

const rounding = 1.001; // a column may exceed the end of the scale by that

/** False for an empty timeline, or for null. */
export const hasCurve = (picture) => picture !== null && picture.oldest !== null && picture.count > 0;

/**
 * The curve of a picture (model/picture.js) on `wide` columns: { from, to, top (end of the scale), most (the highest
 * column), mostAt (its begin, in ticks), isOver(i) (true if column i exceeds the scale), bands: [{ context, ran (a
 * share by column) }] }, the busiest context first; null for an empty timeline. Idle contexts have no band.
 */
export function loadCurve(picture, wide, { contexts, functions }) {
  if (!hasCurve(picture)) return null;
  const bands = loadOf(picture, wide, contexts, functions);
  const { totals, most, top } = totalOf(bands, wide);
  const sum = ({ ran }) => ran.reduce((all, one) => all + one, 0);
  const told = bands.map(({ context, columns }) => ({ context, ran: columns.ran, share: sum(columns) / wide }));
  const [from, to] = [picture.oldest, picture.newest];
  const mostAt = from + (Math.max(totals.indexOf(most), 0) / wide) * (to - from);
  return { from, to, top, most, mostAt, isOver: (i) => totals[i] > top * rounding, bands: told.sort((a, b) => b.share - a.share || a.context - b.context) };
}

/**
 * The column at `x` (0 to 1) of a curve of `wide` columns: { from, to, total, parts: [{ context, share }] }, the
 * busiest first.
 */
export function columnAt(curve, wide, x) {
  const at = Math.min(Math.max(Math.floor(x * wide), 0), wide - 1);
  const ticks = (curve.to - curve.from) / wide;
  const parts = curve.bands.map(({ context, ran }) => ({ context, share: ran[at] })).filter(({ share }) => share > 0);
  const total = Math.min(parts.reduce((sum, { share }) => sum + share, 0), 1);
  return { from: curve.from + at * ticks, to: curve.from + (at + 1) * ticks, total, parts: parts.sort((a, b) => b.share - a.share) };
}
