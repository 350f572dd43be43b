// tip.js - the timeline's tip: at the pointer, or at the item selected by keys.

import { pointerBox } from '../../model/tipspot.js';
import { isInRow } from './canvas.js';
import { itemTip, loadTip, outlierTip } from './items.js';

const slackPx = 9; // tolerance beside an item

/** True when the item still lies under the pointer: with live data it moves away from a resting pointer. */
function isUnder({ lanesPainter }, item, { where, x, y }) {
  if (x < lanesPainter.x(item.start) - slackPx || x > lanesPainter.x(item.end) + slackPx) return false;
  const top = where === 'lanes' && isInRow(item) ? lanesPainter.rowY(item) : null;
  return top === null || (y >= top && y < top + lanesPainter.rowPx);
}

/** The item's box in browser pixels; null if it is not visible. A marker's is in the head, a gap's the top row of the lanes. */
function boxOf({ lanesPainter, headCanvas, canvas }, item) {
  const [x0, x1] = [lanesPainter.x(item.start), lanesPainter.x(item.end)];
  if (x1 < 0 || x0 > lanesPainter.width) return null;
  const { left, top, bottom } = (item.kind === 'marker' ? headCanvas : canvas).getBoundingClientRect();
  const across = { left: left + Math.max(x0, 0), right: left + Math.min(x1, lanesPainter.width) };
  if (item.kind === 'marker') return { ...across, top: bottom - 18, bottom };
  const y = isInRow(item) ? lanesPainter.rowY(item) : 0;
  if (y === null || y > lanesPainter.height) return null;
  return { ...across, top: top + y, bottom: top + y + lanesPainter.rowPx };
}

/** Shows the tip at its present position, after each painting. */
export function showTip(view) {
  const { host, tip, hovered, selected, spot, keyed } = view;
  const isOver = spot?.where === 'overview' && !spot.isFinger;
  const outlier = isOver ? view.headPainter.outlierAt(spot.x) : null;
  const load = isOver ? view.headPainter.loadAt(spot.x) : null;
  const words = (item) => itemTip(item, host.whole, host.time);
  if (outlier !== null) tip.show(outlierTip(outlier, host.whole, host.time), pointerBox(spot.window));
  else if (load !== null) tip.show(loadTip(load, host.whole, host.time), pointerBox(spot.window));
  else if (hovered !== null && spot !== null && !spot.isFinger && isUnder(view, hovered, spot)) tip.show(words(hovered), pointerBox(spot.window));
  else if (keyed && selected !== null && hovered === null) tip.show(words(selected), boxOf(view, selected));
  else tip.show(null, null);
}
