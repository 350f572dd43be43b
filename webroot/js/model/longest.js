// longest.js - the text on calls of a function that are worth a look: its longest, and one for each bar of its histogram.

import { duration } from './format.js';

/** True when the timeline has the call; false for a kept call whose time the timeline has dropped. */
export const isHeld = (call) => call.held !== false;

/** The better of two calls for a bar: one that can be shown, then the longer one; either may be null. */
export function better(a, b) {
  if (a === null || b === null) return a ?? b;
  if (isHeld(a) !== isHeld(b)) return isHeld(a) ? a : b;
  return b.duration >= a.duration ? b : a;
}

/** The call's duration and time, `time` is that of model/time.js: to the millisecond, or as fine as calls of its duration differ. */
export const words = ({ duration: took, start }, time) =>
  `${duration(took, time.ticksPerSecond)} at ${time.moment(start, Math.min(took, (time.ticksPerSecond ?? 0) / 1000))}`;

/** The tip: what a click shows, or why nothing; `nameOf(id)` is a function's name. */
export function tip(call, nameOf) {
  const by = call.caller === null || call.caller === undefined ? '' : `Called by ${nameOf(call.caller)}. `;
  return by + (isHeld(call) ? 'Show this call on the timeline' : 'This time is no longer on the timeline');
}

/** The tip for Max, the duration of `call` (null if unknown). */
export function maxTip(call, time) {
  if (call === null) return 'Longest call; when it was is not known';
  return isHeld(call) ? 'Show the longest call on the timeline' : `It began at ${time.moment(call.start)}, which is no longer on the timeline`;
}
