// absence.js - messages for links to a function, context or time that is missing.

import { middle } from './names.js';
import { readAt } from './sight.js';

/** The part of the timeline that a place leads to, { from, to } in ticks; null if the place names none. */
export function momentOf({ at, spot, call }) {
  const { mode, from, to } = readAt(at);
  const ticks = Number((spot || call.split('-')[2]) ?? NaN);
  const isFixed = mode === 'fixed';
  // The address still has the moment or the call after the reader has moved on from it.
  if (ticks >= 0 && (!isFixed || (ticks >= from && ticks <= to))) return { from: ticks, to: ticks };
  return isFixed ? { from, to } : null;
}

const afterHeld = {
  paused: ['is after the moment that is paused', 'Resume (Space) to see later data.'],
  ended: ['is after the end', 'The link may be of another recording.'],
};
const notYet = ['has not come yet', 'Follow the newest (f) to see it come.'];

function whyAbsent(isGone, ticks, time, state) {
  if (!isGone) return afterHeld[state] ?? notYet;
  if (ticks < time.first) return ['is before the first record', 'The link may be of another run.'];
  return ['is no longer available', state === 'ended' ? 'Replay a recording that ends sooner.' : 'Record what is to stay.'];
}

/**
 * If a part of the timeline is not buffered (`held`: { oldest, newest }), sentences that report it with a remedy;
 * otherwise ''. `state`: of the source, or 'paused'; `kept`: '' or a sentence on where else that time is available.
 */
export function absentMoment({ from, to }, { held, time, state, kept = '' }) {
  const isGone = to < held.oldest;
  if (!isGone && from <= held.newest) return '';
  const ticks = (from + to) / 2;
  const away = isGone ? held.oldest - ticks : ticks - held.newest;
  const step = Math.min((held.newest - held.oldest) / 1000, away);
  const [when, oldest, newest] = [ticks, held.oldest, held.newest].map((one) => time.moment(one, Math.max(step, 1)));
  const [what, hint] = whyAbsent(isGone, ticks, time, state);
  return `${when} ${what}: the timeline holds ${oldest} to ${newest}. ${kept || hint}`;
}

// Source and Graph report it themselves.
const namesOf = { functions: ({ fn }) => [fn], flame: ({ zoom, focus }) => [...zoom, ...focus] };

/** The notice (model/notices.js) that the profile lacks the function or context that a place names; otherwise null. */
export function absentNotice(profile, place) {
  const names = profile.loaded ? (namesOf[place.view]?.(place) ?? []) : [];
  const name = names.find((one) => one !== '' && profile.idOf(one) === -1); // contexts have numbers below
  if (name === undefined) return null;
  const isOver = profile.source.state === 'ended';
  return {
    id: 'absent',
    level: 'info',
    title: `There is no ${name.startsWith('[') ? 'context' : 'function'} “${middle(name, 80)}” ${isOver ? 'in this recording' : 'yet'}.`,
    text: `${isOver ? '' : 'It is shown as soon as the target reports it. '}Search (/) for one of another name.`,
  };
}
