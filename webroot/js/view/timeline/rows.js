// rows.js - paints the rows of a lane: calls as boxes, narrow ones as pixels (timeline/pixels.js), and away stretches.

import { inkOn } from '../../model/colour.js';
import { shorten } from '../../model/names.js';
import { awayKinds } from '../../model/picture.js';

const [padPx, textLeastPx] = [4, 30];
const narrowPx = 3; // below this width calls are pixels, not boxes

/**
 * Paints these lanes of the scene of canvas.js, each shifted by yOf(lane), between the pixels `top` and `bottom` of the
 * canvas.
 */
export function paintLanes(painter, lanes, yOf, top, bottom) {
  const { context, style, scene, rowPx, pixels, width } = painter;
  if (bottom <= top) return;
  context.save();
  context.beginPath();
  context.rect(0, top, width, bottom - top);
  context.clip();
  context.font = style.font;
  context.textBaseline = 'middle';
  pixels.begin(width, Math.ceil((bottom - top) / rowPx) + 2, rowPx - 1);
  for (const lane of lanes) {
    const shift = yOf(lane);
    if (lane.top + shift > bottom || lane.bottom + shift < top) continue;
    context.fillStyle = style.line;
    if (lane.top > 0) context.fillRect(0, lane.top + shift, width, 1);
    for (let row = 0; row < lane.rows; row++) {
      const y = lane.rowsTop + row * rowPx + shift;
      if (y + rowPx < top || y > bottom) continue;
      pixels.next(y);
      for (const layer of scene.layers) {
        paintAway(painter, layer, lane.context, lane.least + row, y);
        paintRow(painter, layer, lane.context, lane.least + row, y);
      }
    }
  }
  pixels.draw(context, width);
  context.restore();
}

function paintRow(painter, { picture, from, to }, lane, depth, y) {
  const segment = picture.segment(lane, depth);
  if (segment === null) return;
  const { context, style, scale, rowPx } = painter;
  const { lit, sight } = painter.scene;
  const { start, end, fn, calls } = picture;
  const left = (from - sight.from) * scale;
  const right = (to - sight.from) * scale;
  const h = rowPx - 1;
  const coarse = picture.grain * scale > 8;
  for (let i = picture.firstAfter(segment, from); i < segment.end && start[i] < to; i++) {
    const x0 = Math.max((start[i] - sight.from) * scale, left);
    const x1 = Math.min((end[i] - sight.from) * scale, right);
    const dark = lit !== null && lit[fn[i]] === 0;
    if (x1 - x0 < narrowPx) {
      const mark = lit !== null && !dark ? style.markPixel : 0;
      painter.pixels.put(x0, x1, picture.share(i), dark ? style.fadedPixel : style.pixel(fn[i]), mark);
      continue;
    }
    const w = x1 - x0 - 1; // a gap of one pixel separates neighbours
    const fill = style.colour(fn[i]);
    const merged = calls[i] > 1;
    context.fillStyle = dark ? style.hatchGround : fill;
    if (merged && coarse) context.globalAlpha = 0.5; // separate as soon as a finer picture arrives
    const high = merged ? Math.max(Math.round(h * picture.share(i)), 1) : h; // its height is the share of the time that ran
    context.fillRect(x0, y + h - high, w, high);
    context.globalAlpha = 1;
    if (lit !== null && !dark) {
      context.fillStyle = style.mark;
      context.fillRect(x0, y + h - 3, Math.max(w, 1), 3);
    }
    if (w >= textLeastPx && !merged) callText(painter, fn[i], x0, w, y + h / 2 + 0.5, dark, fill === style.placeholder);
  }
}

/** Paints away stretches below the innermost call: a pattern for each reason, in no call's colour. */
function paintAway(painter, { picture: { away }, from, to }, lane, depth, y) {
  const segment = away?.segment(lane, depth) ?? null;
  if (segment === null) return;
  const { context, style, rowPx } = painter;
  const h = rowPx - 1;
  const coarse = away.grain * painter.scale > 8;
  for (let i = away.firstAfter(segment, from); i < segment.end && away.start[i] < to; i++) {
    const x0 = painter.x(Math.max(away.start[i], from));
    const end = painter.x(Math.min(away.end[i], to));
    const x1 = Math.max(end, x0 + 1);
    if (x1 - x0 < narrowPx) {
      painter.pixels.putAway(x0, end, away.share(i), style.awayPixels[away.fn[i]]);
      continue;
    }
    const [left, right] = [Math.max(x0, -1), Math.min(x1 - 1, painter.width + 1)];
    context.fillStyle = style.away[away.fn[i]];
    if (away.calls[i] > 1 && coarse) context.globalAlpha = 0.5; // separate as soon as a finer picture arrives
    const high = away.calls[i] > 1 ? Math.max(Math.round(h * away.share(i)), 1) : h;
    context.fillRect(left, y + h - high, right - left, high);
    context.globalAlpha = 1;
    if (away.calls[i] === 1) awayText(painter, awayKinds[away.fn[i]], Math.max(left, 0), right, y + h / 2 + 0.5);
  }
}

function awayText({ context, style }, word, x, right, y) {
  const w = word.length * style.letterPx + 2 * padPx;
  if (right - x < w + 8) return;
  context.fillStyle = style.ground; // text on a pattern is hard to read
  context.fillRect(x + 2, y - 8, w - 4, 15);
  context.fillStyle = style.muted;
  context.fillText(word, x + padPx, y);
}

function callText({ context, style }, fn, x, w, y, dark, hatched) {
  const text = shorten(style.functions[fn]?.name ?? '', Math.floor((w - 2 * padPx) / style.letterPx));
  if (text === '') return;
  if (hatched && !dark) {
    // Text on hatching is hard to read, so it gets a plain ground.
    context.fillStyle = style.hatchGround;
    context.fillRect(x + 2, y - 8, text.length * style.letterPx + 2 * padPx - 4, 15);
  }
  context.fillStyle = dark ? style.muted : hatched ? style.plain : inkOn[style.theme];
  context.fillText(text, x + padPx, y, w - 2 * padPx + 1);
}
