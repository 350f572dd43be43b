// compare.js - merges two call trees path by path, with each path's weights before and after.
//
// Paths are matched by function names, so they match across builds and runs. Every frame has two weights; a measure
// (share, per second, total, per call) only scales them.

import { arrange, Frames, holdingRows, ingredients, nameRanks, ownWeights } from './frames.js';

/** The node of `frames` for each row of the tree; -1 for empty rows. */
function overlay(frames, { tree, idOf }, own) {
  const holding = holdingRows(tree, own);
  const at = new Int32Array(tree.length).fill(-1);
  if (tree.length > 0) at[0] = 0;
  for (let row = 1; row < tree.length; row++)
    if (holding[row]) at[row] = frames.add(at[tree.parent[row]], idOf[tree.fn[row]]);
  return at;
}

function sums(count, at, values) {
  const out = new Float64Array(count);
  for (let row = 1; row < at.length; row++) if (at[row] > 0 && values[row] > 0) out[at[row]] += values[row];
  return out;
}

/** Adds the weights of all descendants to each node. */
function rollUp(frames, own) {
  const all = own.slice();
  for (let node = frames.count - 1; node > 0; node--) all[frames.parent[node]] += all[node];
  return all;
}

const measuresOf = (from, unit) => {
  const time = ownWeights(from, 'time');
  return { own: unit === 'time' ? time : ownWeights(from, unit), time };
};

/** Ticks of the current profile per tick of the base; NaN if only one rate is known. */
export function tickScale(base, current) {
  const [before, now] = [base.ticksPerSecond, current.ticksPerSecond];
  if (!before && !now) return 1;
  return before && now ? now / before : NaN;
}

/**
 * The data that a comparison of two call trees is made from, free of page objects: { before, after: { tree, samples,
 * idOf }, scale, rankOf }. idOf maps a function of that side to the aligned one.
 */
export function comparisonIngredients(aligned, base, current, rule) {
  const side = (profile, idOf) => ({ ...ingredients(profile, { unit: rule.unit }), idOf });
  return {
    before: side(base, aligned.ofBase),
    after: side(current, aligned.ofCurrent),
    scale: tickScale(base, current) || 1,
    rankOf: rule.order === 'name' ? nameRanks(aligned.functions, 0) : null,
  };
}

/**
 * The frames of both sides of `from` (comparisonIngredients), and the unit they are measured in: that of the rule, or
 * calls if no call took time.
 */
export function growComparison(from, rule) {
  const frames = layOver(from, rule);
  const timeless = rule.unit === 'time' && frames.before[0] === 0 && frames.after[0] === 0;
  // Calls shorter than a tick have no time to compare, but can be counted.
  if (timeless && frames.callsBefore[0] > 0) return { frames: layOver(from, { ...rule, unit: 'calls' }), unit: 'calls' };
  return { frames, unit: rule.unit };
}

/**
 * The frames of both sides (node 0 is the whole), as buildFrames() makes them, and for each node
 *
 * before, after                 the weight including descendants, in the unit of the rule
 * selfBefore, selfAfter         the weight without descendants
 * ticksBefore, ticksAfter       time including descendants, in ticks of the current profile
 *   callsBefore, callsAfter       calls on this path itself (node 0: all)
 *
 * Widths (weight, self) are those of the side chosen. rule: { unit: 'time' | 'calls' | 'samples', order: 'heavy' |
 * 'name', side: 'after' | 'before', since }; with `since` the base is an earlier state of the same run, and "after" is
 * the increase since then.
 */
function layOver({ before: base, after: current, scale, rankOf }, rule) {
  const frames = new Frames(Math.max(base.tree.length, current.tree.length));
  frames.add(-1, -1);
  const measured = { before: measuresOf(base, rule.unit), after: measuresOf(current, rule.unit) };
  const at = {
    before: overlay(frames, base, measured.before.own),
    after: overlay(frames, current, measured.after.own),
  };
  const { count } = frames;
  const column = (side, values) => sums(count, at[side], values);
  const pair = (before, after, by = 1) => {
    if (by !== 1) for (let node = 0; node < count; node++) before[node] *= by;
    // A loss, or a caller found later, can reduce what a path had.
    if (rule.since)
      for (let node = 0; node < count; node++) after[node] = Math.max(after[node] - before[node], 0);
    return [before, after];
  };
  const [selfBefore, selfAfter] = pair(
    column('before', measured.before.own),
    column('after', measured.after.own),
    rule.unit === 'time' ? scale : 1,
  );
  const [timeBefore, timeAfter] =
    rule.unit === 'time'
      ? [selfBefore, selfAfter]
      : pair(column('before', measured.before.time), column('after', measured.after.time), scale);
  const [callsBefore, callsAfter] = pair(
    column('before', base.tree.calls),
    column('after', current.tree.calls),
  );
  for (const calls of [callsBefore, callsAfter]) calls[0] = calls.reduce((sum, one) => sum + one, 0);
  Object.assign(frames, {
    selfBefore,
    selfAfter,
    before: rollUp(frames, selfBefore),
    after: rollUp(frames, selfAfter),
    ticksBefore: rollUp(frames, timeBefore),
    ticksAfter: rollUp(frames, timeAfter),
    callsBefore,
    callsAfter,
  });
  const after = rule.side === 'after';
  frames.weight = after ? frames.after : frames.before;
  frames.self = after ? selfAfter : selfBefore;
  frames.ticks = after ? frames.ticksAfter : frames.ticksBefore;
  frames.calls = after ? callsAfter : callsBefore;
  arrange(frames, rankOf);
  return frames;
}

/**
 * Seconds that this number of ticks, or else of samples, of the profile spans: what "per second" divides by. Null when
 * nothing says how long one is.
 */
export function observedSeconds(profile, ticks, samples = profile.samples?.total) {
  if (profile.ticksPerSecond && ticks > 0) return ticks / profile.ticksPerSecond;
  const hz = profile.samples?.hz;
  return hz > 0 && samples > 0 ? samples / hz : null;
}

/**
 * The divisors of a measure: { before, after }. `whole` is { before, after } of everything, `seconds` likewise (null if
 * unknown). For an empty side the divisor is infinite, so that its shares are 0.
 */
export function divisorsOf(measure, whole, seconds) {
  if (measure === 'total') return { before: 1, after: 1 };
  const by = measure === 'second' ? seconds : whole;
  return { before: by.before || Infinity, after: by.after || Infinity };
}

/** The change of a figure: { before, after, delta, ratio, kind: 'new'|'gone'|'none'|'both' }. */
export function changeOf(before, after) {
  const kind = before > 0 ? (after > 0 ? 'both' : 'gone') : after > 0 ? 'new' : 'none';
  return { before, after, delta: after - before, ratio: before > 0 ? after / before : NaN, kind };
}

const much = Math.log(2);
const some = Math.log(1.2);

/**
 * The strength of a change: from -3 (half or less, or gone) to +3 (double or more, or new). 0 if it is noise
 * (noise.js), or smaller than the share `least` of the larger side.
 */
export function strength({ before, after, ratio, kind, noise }, least) {
  if (kind === 'none' || noise) return 0;
  if (kind === 'new') return 3;
  if (kind === 'gone') return -3;
  if (after === before || Math.abs(after - before) < least * before) return 0;
  const size = Math.abs(Math.log(ratio)) + 1e-12;
  return Math.sign(after - before) * (size >= much ? 3 : size >= some ? 2 : 1);
}

/** True when nothing of the base is smaller in the current profile: it can be an earlier state of the same run. */
export function grewFrom(aligned) {
  for (const { before, after } of aligned.functions) {
    if (!before) continue;
    for (const name of ['calls', 'total_ticks', 'samples'])
      if ((before[name] ?? 0) > (after?.[name] ?? 0)) return false;
  }
  return true;
}
