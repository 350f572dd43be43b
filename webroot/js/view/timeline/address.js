// address.js - the timeline's part of the address: the visible part, and the call selected.

import { absentMoment, momentOf } from '../../model/absence.js';
import { innermostAt } from '../../model/innermost.js';
import { messageMark } from '../../model/messages.js';
import { isInRow } from './canvas.js';

const addressMs = 250; // the address follows the sight when it has rested for this time

const nameOf = (item) =>
  item === null || !isInRow(item) ? '' : `${item.context}-${item.depth}-${Math.round(item.start)}`;

/** Applies the address. */
export function readAddress(view) {
  if (view.sight.read()) {
    clearTimeout(view.writing);
    view.writing = 0;
    view.spotRead = ''; // a repeated link counts as new
    const moment = momentOf(view.host.place);
    view.ledTo = moment && { ...moment, sequence: view.host.whole.sequence };
  }
  if (view.writing === 0) readCall(view);
}

/** Selects the call in the address as soon as a picture has it. */
export function readCall(view) {
  const { call } = view.host.place;
  if (call === '' && readSpot(view)) return;
  if (call === nameOf(view.selected)) return;
  if (view.selected !== null && isInRow(view.selected)) view.selected = null;
  if (call === '') {
    view.spotRead = '';
    readSpot(view);
    return;
  }
  const [context, depth, start] = call.split('-').map(Number);
  const picture = view.pictureAt(start);
  if (picture === null || picture === view.data.overview) return;
  const i = picture.starting(context, depth, start);
  const away = i < 0 ? picture.awayStarting(context, depth, start) : null;
  if (i < 0 && away === null) return;
  arriveAt(view, away ?? picture.item(i, { context, depth }));
}

/** A reader who is led to a call sees its row. */
function arriveAt(view, item) {
  view.selected = item;
  view.lanes.reveal(item.context);
  view.lanesPainter.showRow(item);
}

/** The message in the address, if it is of the selected time; or null. */
function messageGoneTo({ place: { spot, message }, whole: { messages } }) {
  const told = message === '' || spot === '' ? undefined : messages[Number(message) - (messages[0]?.number ?? 0)];
  return told !== undefined && String(told.ticks) === spot ? told : null;
}

/** Tells whether data may still arrive: the source's state, 'paused', or 'ended' for a page in a file. */
const stateOf = ({ run, paused, live }) => (run === null ? 'ended' : paused ? 'paused' : live.source.state);

/** Says once that the moment led to is not held, and what is; of one after the newest when what was shown at that time is known. */
export function tellAbsent(view) {
  const { ledTo, data, host, sight } = view;
  if (ledTo === null || data.overview === null) return;
  const state = stateOf(host);
  const words = absentMoment(ledTo, { held: data.held, time: host.time, state });
  if (ledTo.from > data.held.newest && host.run !== null && data.overview.sequence < ledTo.sequence) return;
  view.ledTo = null;
  if (words !== '') host.toast('info', 'Not on the timeline', words, { label: 'Show all', keys: '0', run: () => sight.showAll() });
}

/** Identifies the time in the address, and the message it is for. */
const spotOf = (host) => `${host.place.spot} ${messageGoneTo(host)?.number ?? ''}`.trim();

/** Marks the time in the address as handled: nothing is selected for it any more. */
export function settleSpot(view) {
  view.spotRead = spotOf(view.host);
}

/** True when a moment was gone to and nothing is selected there yet. */
export const spotWaits = (view) => view.host.place.spot !== '' && spotOf(view.host) !== view.spotRead;

/** Of the moment gone to the message is selected, or the innermost call, as soon as a picture distinguishes it from others; true then. */
function readSpot(view) {
  if (!spotWaits(view)) return false;
  const message = messageGoneTo(view.host);
  if (message !== null) {
    settleSpot(view);
    view.selected = messageMark(message);
    return true;
  }
  const ticks = Number(view.host.place.spot);
  const picture = view.pictureAt(ticks);
  if (picture === null || picture === view.data.overview) return false;
  settleSpot(view);
  const found = innermostAt(picture, ticks);
  if (found === null) return false;
  arriveAt(view, found);
  writeAddress(view);
  return true;
}

/** The address follows once the sight rests; at once, and as a step for Back, where `step` is set. */
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
