// walk.js - steps through the timeline's items: calls by arrows, markers, gaps, matches of the search.
//
// `on`: { sight() in ticks, selected() an item or null, pictureAt(ticks), data (data.js), select(item) shows an item,
// pan(share), zoomTo(item, step): step: Back should undo it, say(words), shows(context): its lane is shown, profile(),
// own(from, to) returns markers that no picture has }.

import { longestIn } from '../../model/overview.js';
import { isInRow } from './canvas.js';

/** The outermost call nearest to the middle of the visible part. */
function firstInSight(on) {
  const { from, to } = on.sight();
  const middle = (from + to) / 2;
  const picture = on.pictureAt(middle);
  for (const segment of picture?.segments.values() ?? []) {
    const i = on.shows(segment.context) ? picture.at(segment.context, segment.depth, middle, (to - from) / 2) : -1;
    if (i >= 0) return picture.item(i, segment);
  }
  return null;
}

function callBeside(picture, call, way) {
  if (way === 'caller') return picture.callerOf(call);
  if (way === 'callee') return call.kind === 'away' ? null : (picture.calleeOf(call) ?? picture.awayIn(call));
  return picture.beside(call, way === 'after' ? 1 : -1);
}

/** way: 'before', 'after', 'caller' or 'callee'. */
export function walkCalls(on, way) {
  const sight = on.sight();
  if (sight === null) return false;
  const now = on.selected();
  if (now === null || !isInRow(now) || now.end <= sight.from || now.start >= sight.to) {
    const first = firstInSight(on);
    return first !== null && on.select(first);
  }
  const next = callBeside(on.pictureAt(Math.max(now.start, sight.from)), now, way);
  if (next !== null) return on.select(next);
  // There may be more beyond the edge.
  if (way === 'before' || way === 'after') on.pan(way === 'after' ? 0.4 : -0.4);
  return true;
}

export function walkMarkers(on, step) {
  const sight = on.sight();
  if (sight === null) return false;
  const now = on.selected();
  const from = now?.kind === 'marker' ? now.start : step > 0 ? sight.from : sight.to;
  const windows = on.own(0, Infinity).filter(({ start }) => step * (start - from) > 0);
  let found = (step > 0 ? windows[0] : windows.at(-1)) ?? null;
  for (const picture of on.data.pictures) {
    const one = picture.nextMarker(from, step);
    if (one !== null && (found === null || step * (one.start - found.start) < 0 || (!['window', 'note'].includes(found.what) && one.start === found.start))) found = one;
  }
  if (found !== null) return on.select(found);
  on.say(step > 0 ? 'No later marker' : 'No earlier marker');
  return true;
}

/** The visible row whose longest call took longest beyond its usual time, of those that a search lights, as an item; or null. */
export function longestInSight(on, hits) {
  const sight = on.sight();
  if (sight === null) return null;
  // The picture at the middle may cover only a part, until a finer picture of the whole visible range arrives.
  const middle = on.pictureAt((sight.from + sight.to) / 2);
  const picture = middle?.covers(sight.from, sight.to) === false ? (on.data.overview ?? middle) : middle;
  const row = picture === null ? -1 : longestIn(picture, on.profile().functions, sight, hits, on.shows);
  if (row < 0) return null;
  const segment = [...picture.segments.values()].find(({ first, end }) => row >= first && row < end);
  return picture.item(row, segment);
}

/** Goes to the next gap. */
export function walkGaps(on, step) {
  const sight = on.sight();
  if (sight === null) return false;
  const now = on.selected();
  const from = now?.kind === 'gap' ? now.start : step > 0 ? sight.from : sight.to;
  let found = null;
  for (const picture of on.data.pictures) {
    const one = picture.nextGap(from, step);
    if (one !== null && (found === null || step * (one.start - found.start) < 0)) found = one;
  }
  if (found !== null) return on.select(found);
  on.say(step > 0 ? 'No later gap' : 'No earlier gap');
  return true;
}

/** Goes to the next call of a function marked in `hits`; false if there is none. */
export function walkMatches(on, hits, step) {
  const sight = on.sight();
  const now = on.selected()?.kind === 'call' ? on.selected() : null;
  const from = step > 0 ? sight.from : sight.to;
  const near = on.pictureAt(Math.min(Math.max(now?.start ?? from, sight.from), sight.to));
  const among = [hits, step, now, from, on.shows];
  const found = near?.nextHit(...among) ?? on.data.overview?.nextHit(...among) ?? null;
  return found !== null && on.select(found);
}
