// spark.js - the outline of a small curve.

/**
 * The path of a filled curve of `wide` × `high` units for values from 0 to `most`, which fills the height; null is
 * unknown. Each value is a column; values above 0 are at least half a unit high.
 */
export function sparkPath(values, most, wide, high) {
  const step = wide / Math.max(values.length, 1);
  const round = (x) => Math.round(10 * x) / 10;
  const top = (value) => (value > 0 && most > 0 ? high - Math.max((Math.min(value / most, 1)) * high, 0.5) : high);
  return values
    .map((value, i) => (value > 0 ? `M${round(i * step)} ${high}V${round(top(value))}H${round((i + 1) * step)}V${high}Z` : ''))
    .join('');
}
