// spark.js - a curve of a few numbers as the outline of a small picture.

/**
 * The path of a filled curve, `wide` × `high` units: of values (null: none is known there) between 0 and `most`, which fills the height.
 * Each value is a column; what is above 0 is half a unit high at least.
 */
export function sparkPath(values, most, wide, high) {
  const step = wide / Math.max(values.length, 1);
  const round = (x) => Math.round(10 * x) / 10;
  const top = (value) => (value > 0 && most > 0 ? high - Math.max((Math.min(value / most, 1)) * high, 0.5) : high);
  return values
    .map((value, i) => (value > 0 ? `M${round(i * step)} ${high}V${round(top(value))}H${round((i + 1) * step)}V${high}Z` : ''))
    .join('');
}
