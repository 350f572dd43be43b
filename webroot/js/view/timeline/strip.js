// strip.js - paints the overview: how busy the processor was over all that is held, what was lost, and the calls that took far
// longer than usual.

import { loadOf, outliersOf, totalOf } from '../../model/overview.js';
import { wordOf } from './pixels.js';

const [outlierPx, outlierApartPx, outliersMost] = [9, 6, 5];

/**
 * The scene is that of the head (timeline/head.js). Answers the load as it is painted, { bands, totals, most, mean, top } (model/overview.js), with the
 * outliers that are marked: [{ row, excess, x }], the worst first; null: there is none.
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

/** What of contexts ran, on top of each other and as high as the scale says; loads are mostly a few percent. What idles is no load. */
function paintLoad({ context, width, high, style }, picture, lit, contexts) {
  const colourOf = (fn) => (lit === null ? style.pixel(fn) : lit[fn] === 1 ? style.markPixel : style.hatchPixel);
  const wide = Math.max(Math.floor(width), 1);
  const bands = loadOf(picture, wide, colourOf, (fn) => lit?.[fn] === 1).filter((band) => contexts.get(band.context)?.kind !== 'idle');
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

/** The five calls that took longest beyond their usual time: a sign on top, and a line down to where they are; the worst has a larger one. */
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
