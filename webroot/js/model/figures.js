// figures.js - figures of the link and of functions, as the daemon describes them: views that only show a figure need
// not name it.
//
// A table is { link: [figure], functions: [figure] }; a figure is { key, title, help, unit, group, column }:
//   key      its name in the snapshot
//   title    a heading
//   help     a short explanation
//   unit     its unit, see `readings`
//   group    of the link: the card that shows it in the connection panel, or null
//   column   of functions: its column number in the Functions table, from 1, or null

import { bytes, cellDuration, compact, count, dash } from './format.js';

/** Until the daemon has sent its table. */
export const noFigures = { link: [], functions: [] };

const known = (value) => value !== null && value !== undefined;

/** Formats a value of each unit; `scale` is ticks per second, or null. */
const readings = {
  number: count,
  bytes,
  ticks: (value, scale) => cellDuration(value, scale),
  'per second': compact,
  'bytes per second': bytes,
  percent: (value) => (known(value) ? `${value.toFixed(1)} %` : dash),
  words: (value) => value ?? dash,
};

/** Formats a value of the figure; values of unknown units are formatted as numbers. */
export function figureText({ unit }, value, scale = null) {
  return (readings[unit] ?? count)(value, scale);
}
