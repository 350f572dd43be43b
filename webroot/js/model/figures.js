// figures.js - what is measured of the link and of functions, as the daemon describes it: no view names a figure that it
// only shows.
//
// A table is { link: [figure], functions: [figure] }; a figure is { key, title, help, unit, group, column }:
//   key      its name in the snapshot
//   title    a heading
//   help     what it is, in a few words
//   unit     what one of it is, see `readings`
//   group    of the link: the card of the panel of the connection that it stands on, or null
//   column   of functions: its place in the Functions table, 1 for the first, or null

import { bytes, cellDuration, compact, count, dash } from './format.js';

/** Before the daemon has said anything. */
export const noFigures = { link: [], functions: [] };

const known = (value) => value !== null && value !== undefined;

/** How a value of each unit reads; `scale` is what a tick is, in ticks per second, or null. */
const readings = {
  number: count,
  bytes,
  ticks: (value, scale) => cellDuration(value, scale),
  'per second': compact,
  'bytes per second': bytes,
  percent: (value) => (known(value) ? `${value.toFixed(1)} %` : dash),
  words: (value) => value ?? dash,
};

/** A value of the figure as people read it; a unit that this page does not know yet is read as a number. */
export function figureText({ unit }, value, scale = null) {
  return (readings[unit] ?? count)(value, scale);
}
