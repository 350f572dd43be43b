// acts.js - the user's actions on the timeline: select, zoom, choose a range, step through matches.

import { setText } from '../../dom.js';
import { messageOf, placeOfMessage } from '../../model/messages.js';
import { wholeTicks, writeRange } from '../../model/range.js';
import { windowMark } from '../../model/windows.js';
import { settleSpot, writeAddress } from './address.js';
import { isInRow } from './canvas.js';
import { itemWords } from './items.js';
import { lay, meant, paint } from './paint.js';
import { walkMatches } from './walk.js';

export function select(view, item, { speak = false, reveal = false } = {}) {
  view.selected = item;
  view.keyed = reveal;
  settleSpot(view);
  if (item !== null && reveal) {
    [view.hovered, view.spot] = [null, null]; // a resting pointer must not override the keys
    view.sight.reveal(item);
    if (isInRow(item)) {
      if (view.lanes.reveal(item.context)) lay(view);
      view.lanesPainter.showRow(item);
    }
  }
  if (item !== null && speak) setText(view.spoken, itemWords(item, view.host.whole, view.host.time));
  writeAddress(view);
  paint(view);
  return true;
}

/** About the selected call while it is visible. */
export function zoom({ sight, selected }, factor) {
  const { now, mode } = sight;
  const inSight = selected !== null && now !== null && selected.end > now.from && selected.start < now.to;
  if (!inSight || mode === 'live') return sight.zoom(factor);
  const middle = (Math.max(selected.start, now.from) + Math.min(selected.end, now.to)) / 2;
  return sight.zoom(factor, (middle - now.from) / (now.to - now.from));
}

/** Does the action `what` (of a button, key or double click) to the item. */
export function act(view, what, item = meant(view)) {
  const { host, sight } = view;
  if (item === null || sight.now === null) return false;
  const { start, end } = item.window ?? item; // a marker of a window stands for the window
  if (what === 'zoom') {
    view.selected = item;
    return sight.zoomTo(item.look ?? item);
  }
  if (what === 'range' && end > start) {
    host.go({ range: writeRange(start, end) });
    sight.stay();
  }
  if (what === 'keep' && item.kind === 'call') host.openLimits(host.whole.functions[item.fn], 'trigger');
  if (what === 'further') return goFurther(host, item);
  return true;
}

function goFurther(host, item) {
  if (item.kind === 'call') host.go({ view: 'functions', fn: host.whole.labelOf(item.fn) });
  if (item.what !== 'message') return true;
  const message = messageOf(host.whole.messages, item);
  const isOfRange = host.profile.messages.some(({ number }) => number === message?.number); // others are not listed
  if (message !== null) host.go({ ...placeOfMessage(message, host.place, host.match), ...(isOfRange ? {} : { range: '' }) });
  else host.toast('info', 'Messages', 'That message is not kept any more.');
  return true;
}

/** Goes to a marked call of the overview (TimelineHead.outlierAt), and selects it; false if there is none. */
export function goToOutlier(view, outlier) {
  if (outlier === null) return false;
  const { picture, row } = outlier;
  const segment = [...picture.segments.values()].find(({ first, end }) => row >= first && row < end);
  return act(view, 'zoom', picture.item(row, segment));
}

/** Goes to a window of the list, and to its marker. */
export function showWindow(view, row) {
  const mark = windowMark(row, view.host.whole);
  view.sight.zoomTo(mark.look);
  return select(view, mark, { speak: true });
}

/**
 * The context of the lane that keys act on: with the focused button, else the one pointed at, else that of the selected
 * item; or null.
 */
function laneMeant({ lanes, lanesPainter, spot, selected }) {
  const pointed = spot?.where === 'lanes' ? lanesPainter.laneAt(spot.y)?.lane.context : null;
  return lanes.focused() ?? pointed ?? selected?.context ?? null;
}

/** Does a key's action to that lane; without one, only folding is possible. */
export function actOnLane(view, what) {
  const context = laneMeant(view);
  if (context !== null || what === 'fold') return view.lanes.act(what, context);
  view.host.toast('info', 'Which lane?', 'Point at one, go to its name with Tab, or select a call in it.');
  return true;
}

/** The moment that is meant: gone to, of the item selected, or the middle of the visible part; null before there is any. */
export function momentMeant({ host, cursor, selected, sight }) {
  if (host.place.spot !== '') return Number(host.place.spot);
  return cursor ?? selected?.start ?? (sight.now === null ? null : (sight.now.from + sight.now.to) / 2);
}

/** Sets the zero of displayed times to `chosen`, or for 'here' to the time that keys act on. */
export function countFrom(view, chosen) {
  const here = momentMeant(view);
  if (chosen === 'here' && here === null) return;
  view.host.go({ zero: chosen === 'here' ? wholeTicks(here) : chosen }, { replace: true });
}

/** Selects a range by keys: [ sets its start, ] its end, at the pointer or the selected call. */
export function bracket(view, side) {
  const { sight, cursor, selected, range, host } = view;
  if (sight.now === null) return false;
  const { from, to } = sight.now;
  const at = cursor ?? (side === 'in' ? (selected?.start ?? from) : (selected?.end ?? to));
  if (side === 'out') {
    range.end(at, from);
    return true;
  }
  range.begin(at);
  sight.stay();
  setText(view.spoken, `Range begins at ${host.time.moment(at, (to - from) / 100)}; ] ends it`);
  return true;
}

/**
 * Selects a range by pointer, from the time first pressed to a pixel. Stops following, so that it does not move away.
 */
export function pick(view, start, x, done) {
  const { lanesPainter, range, sight } = view;
  view.cursor = null;
  range.drag(start, lanesPainter.ticks(Math.min(Math.max(x, 0), lanesPainter.width)), done);
  sight.stay();
}

export function back(view) {
  if (view.range.cancel()) return true;
  return view.selected === null ? false : select(view, null);
}

export function next(view, step) {
  const { lit, sight, host } = view;
  if (lit.hits === null || sight.now === null) return false;
  if (!walkMatches(view.walking, lit.hits, step))
    host.toast('info', `No ${step > 0 ? 'later' : 'earlier'} match`, 'Short calls are merged when a long time is visible.');
  return true;
}

export function scrollBy({ scroller }, pages) {
  scroller.scrollTop += pages * scroller.clientHeight * 0.8;
  return true;
}
