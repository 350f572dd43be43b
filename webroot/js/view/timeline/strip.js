// strip.js - paints the overview: how busy each context was over all that is held, what was lost, and the calls that took far
// longer than usual.

import { busier, loadOf, outliersOf } from '../../model/overview.js';
import { wordOf } from './pixels.js';

const [outlierPx, outlierApartPx, outliersMost] = [9, 6, 40];
const bandLeastPx = 4;

/** The scene is that of the head (timeline/head.js). */
export function paintStrip(context, width, high, style, { overview: picture, lit, unrecorded }) {
  context.fillStyle = style.sunken;
  context.fillRect(0, 0, width, high);
  if (picture === null || picture.oldest === null) return;
  const span = Math.max(picture.newest - picture.oldest, 1);
  const strip = { context, width, high, style, span, xOf: (ticks) => ((ticks - picture.oldest) / span) * width };
  paintLoad(strip, picture, lit);
  paintMoments(strip, picture, unrecorded);
  paintOutliers(strip, picture);
}

/** A band for each context, each column as high as it was busy; one for all where there are too many. */
function paintLoad({ context, width, high, style }, picture, lit) {
  const colourOf = (fn) => (lit === null ? style.pixel(fn) : lit[fn] === 1 ? style.markPixel : style.hatchPixel);
  let bands = loadOf(picture, Math.max(Math.floor(width), 1), colourOf, (fn) => lit?.[fn] === 1);
  const room = high - outlierPx - 4;
  if (room / bands.length < bandLeastPx) {
    for (const { columns } of bands.slice(1)) busier(bands[0].columns, columns);
    bands = bands.slice(0, 1);
  }
  const tall = room / Math.max(bands.length, 1);
  bands.forEach(({ columns }, k) => {
    const bottom = outlierPx + (k + 1) * tall;
    for (let i = columns.first; i < columns.end; i++) {
      if (columns.ran[i] === 0) continue;
      const h = Math.max(Math.min(columns.ran[i], 1) * (tall - 1), 1);
      context.fillStyle = wordOf(columns.colour[i]);
      context.fillRect(i, bottom - h, 1, h);
    }
  });
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

/** Calls that took far longer than usual: a sign on top, and a line down to where they are. */
function paintOutliers({ context, width, high, style, span, xOf }, picture) {
  const found = outliersOf(picture, style.functions ?? [], outliersMost, (outlierApartPx / width) * span);
  context.fillStyle = style.warn;
  for (const { row } of found) {
    const x = (xOf(picture.start[row]) + xOf(picture.end[row])) / 2;
    context.fillRect(x - 0.5, 0, 1, high);
    context.beginPath();
    context.moveTo(x - 4, 1);
    context.lineTo(x + 4, 1);
    context.lineTo(x, outlierPx - 1);
    context.fill();
  }
}
