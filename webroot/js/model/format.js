// format.js - formats numbers. Unknown (null, NaN) is a dash, never 0.

export const dash = '–';
const unknown = (x) => x === null || x === undefined || Number.isNaN(x);

/** Three significant digits, no exponent, zeros kept so that columns line up: 1.20, 12.0, 120; at most `digits` after the point. */
function significant(x, decimalsMost = 12) {
  if (x === 0) return '0';
  // Rounded first: 9.998 becomes 10.0, with two digits before the point.
  const whole = Math.floor(Math.log10(Math.abs(Number(x.toPrecision(3))))) + 1;
  return x.toFixed(Math.min(Math.max(3 - Math.max(whole, 0), 0), decimalsMost));
}

/** The number of decimals that distinguishes values `step` apart: 0 for 1, 1 for 0.1 and 0.5, 2 for 0.03. */
const decimalsOf = (step) => (step > 0 ? Math.min(Math.max(Math.ceil(-Math.log10(step) - 1e-9), 0), 12) : 12);

function grouped(integer) {
  return String(integer).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** 1234567 → "1,234,567", exact within a double's precision. */
export function count(n) {
  if (unknown(n)) return dash;
  return grouped(Math.round(n));
}

const scales = [
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
];

/** 1234567 → "1.23 M"; whole numbers up to 9,999 stay as they are. */
export function compact(n) {
  if (unknown(n)) return dash;
  if (Math.abs(n) < 10000)
    return grouped(Math.abs(n) < 10 && !Number.isInteger(n) ? n.toFixed(1) : Math.round(n));
  const [size, letter] = scales.find(([limit]) => Math.abs(n) >= 0.9995 * limit);
  return `${significant(n / size)} ${letter}`;
}

const units = [
  [999.5e-9, 1e9, 'ns'],
  [999.5e-6, 1e6, 'µs'],
  [0.9995, 1e3, 'ms'],
  [999.5, 1, 's'],
];

/**
 * Seconds in the unit that keeps the number between 1 and 1000, with no more digits than a resolution of `step`
 * seconds.
 */
export function seconds(s, step = 0) {
  if (unknown(s)) return dash;
  const size = Math.abs(s);
  if (size === 0) return '0 s';
  for (const [limit, scale, unit] of units)
    if (size < limit) return `${significant(s * scale, decimalsOf(step * scale))} ${unit}`;
  const minutes = Math.floor(size / 60);
  if (minutes < 100) return `${minutes} min ${Math.floor(size % 60)} s`;
  return `${grouped(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

/**
 * Ticks as time if the tick rate is known, else as ticks. Whole ticks have no more digits than the clock resolves;
 * fractions, such as a mean, have one more.
 */
export function duration(ticks, ticksPerSecond) {
  if (unknown(ticks)) return dash;
  if (!ticksPerSecond) return `${compact(ticks)} ticks`;
  if (ticks === 0) return '0 µs';
  const step = Number.isInteger(ticks) ? 1 : 0.1;
  const time = seconds(ticks / ticksPerSecond, step / ticksPerSecond);
  return Number.parseFloat(time) === 0 ? `< ${seconds(step / ticksPerSecond)}` : time;
}

/** The same for table cells, without the unit "ticks", which the heading has. */
export function cellDuration(ticks, ticksPerSecond) {
  return ticksPerSecond ? duration(ticks, ticksPerSecond) : compact(ticks);
}

export const ticksNote = 'times are in ticks: their length is unknown';

/** A share of 1 as percent: 0.1234 → "12.3 %"; only 0 is shown as 0. */
export function percent(share) {
  if (unknown(share) || !Number.isFinite(share)) return dash;
  const p = share * 100;
  if (p === 0) return '0 %';
  if (p < 0.01) return '< 0.01 %';
  if (p >= 99.95) return p < 100 ? '> 99.9 %' : `${Math.round(p)} %`;
  return `${p < 1 ? p.toFixed(2) : p.toFixed(1)} %`;
}

export function bytes(n) {
  if (unknown(n)) return dash;
  if (n < 1000) return `${Math.round(n)} B`;
  if (n < 1e6) return `${significant(n / 1e3)} kB`;
  if (n < 1e9) return `${significant(n / 1e6)} MB`;
  return `${significant(n / 1e9)} GB`;
}

export function hertz(n) {
  if (unknown(n)) return dash;
  if (n >= 1e9) return `${trimmed(n / 1e9)} GHz`;
  if (n >= 1e6) return `${trimmed(n / 1e6)} MHz`;
  if (n >= 1e3) return `${trimmed(n / 1e3)} kHz`;
  return `${trimmed(n)} Hz`;
}

function trimmed(x) {
  return String(Number(x.toFixed(3)));
}

/** "src/net/mac.c:120", or '' if the file is unknown. */
export function place(fn) {
  if (!fn?.file) return '';
  return fn.line ? `${fn.file}:${fn.line}` : fn.file;
}

/** The last part of a path, for narrow columns. */
export function baseName(path) {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function plural(n, one, many = `${one}s`) {
  return `${count(n)} ${n === 1 ? one : many}`;
}

/** The text with a full stop at its end; '' for an empty text. */
export function sentence(text) {
  if (!text) return '';
  const trimmed = text.trim();
  return /[.!?]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}
