// strip.js - paints the overview: the load over all buffered time, losses, and calls that took far longer than usual.

import { loadOf, outliersOf, totalOf } from '../../model/overview.js';
import { wordOf } from './pixels.js';

const [outlierPx, outlierApartPx, outliersMost] = [9, 6, 5];

/**
 * The scene is that of the head (timeline/head.js). Returns the load as painted, { bands, totals, most, mean, top }
 * (model/overview.js), with the marked outliers: [{ row, excess, x }], the worst first; null if there is no load.
 */
export function paintStrip(context, width, high, style, { overview: picture, lit, unrecorded, contexts }) {
  context.fillStyle = style.sunken;
  context.fillRect(0, 0, width, high);
  if (picture === null || picture.oldest === null) return null;
  const span = Math.max(picture.newest - picture.oldest, 1);
  const strip = { context, width, high, style, span, xOf: (ticks) => ((ticks - picture.oldest) / span) * width };
  const load = paintLoad(strip, picture, lit, contexts);
  paintMoments(strip, picture, unrecorded);
  return { ...load, outliers: paintOutliers(strip, picture) };
}

/**
 * Paints the loads of contexts, stacked and scaled, since loads are mostly a few percent. Idle contexts are left out.
 */
function paintLoad({ context, width, high, style }, picture, lit, contexts) {
  const colourOf = (fn) => (lit === null ? style.pixel(fn) : lit[fn] === 1 ? style.markPixel : style.hatchPixel);
  const wide = Math.max(Math.floor(width), 1);
  const bands = loadOf(picture, wide, contexts, style.functions ?? [], colourOf, (fn) => lit?.[fn] === 1);
  const load = { bands, ...totalOf(bands, wide) };
  const perShare = (high - outlierPx - 2) / load.top;
  const bottoms = new Float64Array(wide).fill(high);
  for (const { columns } of bands) {
    for (let i = columns.first; i < columns.end; i++) {
      const h = Math.min(columns.ran[i] * perShare, bottoms[i] - outlierPx - 2);
      if (!(h > 0)) continue;
      context.fillStyle = wordOf(columns.colour[i]);
      context.fillRect(i, (bottoms[i] -= h), 1, h);
    }
  }
  return load;
}

function paintMoments({ context, high, style, xOf }, { gaps, markers }, unrecorded) {
  context.fillStyle = style.lost;
  for (let i = 0; i < gaps.from.length; i++) {
    const x = xOf(gaps.from[i]);
    context.fillRect(x, 0, Math.max(xOf(gaps.to[i]) - x, 2), high);
  }
  context.fillStyle = style.unrecorded;
  for (const { from, to } of unrecorded) context.fillRect(xOf(from), 0, xOf(to) - xOf(from), high);
  context.fillStyle = style.edge;
  for (const ticks of markers.ticks) context.fillRect(xOf(ticks), high - 6, 1.5, 6);
}

/**
 * Marks the five calls that most exceeded their usual time: a sign on top, larger for the worst, and a line down to the
 * call.
 */
function paintOutliers({ context, width, high, style, span, xOf }, picture) {
  const found = outliersOf(picture, style.functions ?? [], outliersMost, (outlierApartPx / width) * span);
  context.fillStyle = style.warn;
  return found.map((one, rank) => {
    const x = (xOf(picture.start[one.row]) + xOf(picture.end[one.row])) / 2;
    const half = rank === 0 ? 6 : 4;
    context.fillRect(x - 0.5, 0, 1, rank === 0 ? high : outlierPx);
    context.beginPath();
    context.moveTo(x - half, 1);
    context.lineTo(x + half, 1);
    context.lineTo(x, half + 4);
    context.fill();
    return { ...one, x };
  });
}
