// address.js - the timeline's part of the address: what is in sight, and the call selected.

import { innermostAt } from '../../model/innermost.js';
import { isInRow } from './canvas.js';

const addressMs = 250; // the address follows the sight when it has rested so long

const nameOf = (item) =>
  item === null || !isInRow(item) ? '' : `${item.context}-${item.depth}-${Math.round(item.start)}`;

/** Takes what the address says. */
export function readAddress(view) {
  if (view.sight.read()) {
    clearTimeout(view.writing);
    view.writing = 0;
  }
  if (view.writing === 0) readCall(view);
}

/** The call of the address is selected as soon as a picture shows it. */
export function readCall(view) {
  const { call } = view.host.place;
  if (call === '' && view.selected === null && readSpot(view)) return;
  if (call === nameOf(view.selected)) return;
  if (view.selected !== null && isInRow(view.selected)) view.selected = null;
  if (call === '') return;
  const [context, depth, start] = call.split('-').map(Number);
  const picture = view.pictureAt(start);
  if (picture === null || picture === view.data.overview) return;
  const i = picture.starting(context, depth, start);
  const away = i < 0 ? picture.awayStarting(context, depth, start) : null;
  if (i < 0 && away === null) return;
  view.selected = away ?? picture.item(i, { context, depth });
  view.lanesPainter.showRow(view.selected);
}

/** Of the moment gone to the innermost call is selected, as soon as a picture tells it from others; true then. */
function readSpot(view) {
  const { spot } = view.host.place;
  if (spot === '' || spot === view.spotRead) return false;
  const ticks = Number(spot);
  const picture = view.pictureAt(ticks);
  if (picture === null || picture === view.data.overview) return false;
  view.spotRead = spot;
  const found = innermostAt(picture, ticks);
  if (found === null) return false;
  view.selected = found;
  view.lanesPainter.showRow(found);
  writeAddress(view);
  return true;
}

/** The address follows once the sight rests; at once, and as a step for Back, where `step` says so. */
export function writeAddress(view, step = false) {
  const { host, sight } = view;
  clearTimeout(view.writing);
  const write = () => {
    view.writing = 0;
    if (sight.now === null || view.root.hidden) return;
    host.go({ at: sight.write(), call: nameOf(view.selected) }, { replace: !step });
  };
  view.writing = 0;
  if (step) write();
  else view.writing = setTimeout(write, addressMs);
}
