// time.js - from where moments are counted, and what has to be known for it: the first record, the last reset, and which tick was when
// by wall-clock time.

import { timeOf, zeros } from '../model/time.js';
import { askForMoment } from './moment.js';
import { openNotes } from './notes.js';

const nothing = () => ({ first: null, reset: null, held: null, wall: null });

/** `first` is when the first record was, also when it is no longer kept; a daemon that does not send it has its oldest call. */
function withAnswer(known, { first = null, oldest, newest, markers }, capturedAt) {
  const resets = (markers?.ticks ?? []).filter((_, i) => markers.kind[i] === 'reset');
  const ms = Date.parse(capturedAt ?? '');
  return {
    first: first ?? Math.min(oldest, known.first ?? oldest),
    reset: resets.length > 0 || known.reset !== null ? Math.max(...resets, known.reset ?? 0) : null,
    held: { oldest, newest: Math.max(newest, known.held?.newest ?? 0) },
    wall: known.wall ?? (Number.isNaN(ms) ? null : { ticks: newest, ms }),
  };
}

/** For targets without a timeline, with the moments of their messages. */
function withMessages(known, { messages, messagesGone }) {
  if (known.first !== null || messages.length === 0 || messagesGone > 0) return known;
  const [first, newest] = [messages[0].ticks ?? null, messages.at(-1).ticks ?? null];
  return first === null || newest === null ? known : { ...known, first, held: { oldest: first, newest } };
}

const group = 'Everywhere';
const actionsOf = ({ goTo, next, notes }) => [
  { keys: ['j'], label: 'Go to a time on the timeline', group, run: goTo },
  { keys: ['Shift+B'], label: 'Notes: list, set, go to one', group, run: notes },
  { keys: ['Shift+T'], label: 'Time counts from: first record, reset, counter, clock', group, run: next },
];

/**
 * on: { place, toast, profile() (whose rate of ticks counts), fetchTimeline(range, max) (null where there is no timeline), learnt() (called
 * when moments are written in another way) }.
 */
export function createTime({ place, toast, profile, fetchTimeline, learnt }) {
  let isAsked = false;
  let known = nothing();
  let made = null;

  /** Updates the buffered range from an answer about the timeline. */
  function learn(answer) {
    if ((answer.oldest ?? null) !== null) [known, made] = [withAnswer(known, answer, profile().capturedAt), null];
    return answer;
  }

  function now() {
    const { zero } = place.get();
    const { ticksPerSecond, messages } = profile();
    const key = `${zero} ${ticksPerSecond} ${known.held === null ? messages.length : ''}`;
    if (made?.key !== key) made = { key, time: timeOf(zero, { ...withMessages(known, profile()), ticksPerSecond }) };
    return made.time;
  }

  function goTo() {
    askForMoment({ time: now, place });
  }

  /** Switches to the next zero. */
  function next() {
    const at = zeros.findIndex(([zero]) => zero === place.get().zero);
    const [zero, words] = zeros[(at + 1) % zeros.length];
    place.go({ zero }, { replace: true });
    toast('info', `Time counts from ${words}`);
  }

  return {
    learn,
    /** Requests the first record, once, as soon as there is one. */
    ask() {
      const { loaded, calls } = profile();
      if (isAsked || known.held !== null || !loaded || calls === 0 || !profile().provides('timeline')) return;
      isAsked = true;
      fetchTimeline(null, 1).then(learn).then(learnt, () => {
        isAsked = false;
      });
    },
    forget() {
      [known, made, isAsked] = [nothing(), null, false];
    },
    /** The result of timeOf(). */
    get now() {
      return now();
    },
    /** All data for a file; restore() takes it there. */
    get known() {
      return known;
    },
    restore: (told) => ([known, made] = [told, null]),
    goTo,
    openNotes: (ticks) => openNotes({ time: now, place }, ticks),
    actions: actionsOf({ goTo, next, notes: () => openNotes({ time: now, place }) }),
  };
}
