// versus.js - compares two profiles: which units and measures are possible, and the result.

import { alignFunctions, strangers } from './align.js';
import { changeRows } from './changes.js';
import { changeOf, divisorsOf, grewFrom, observedSeconds, tickScale } from './compare.js';
import { isNoise } from './noise.js';

const hasSamples = (profile) => profile.provides('samples') && profile.samples?.total > 0;

/** The units that can be compared. */
function unitsOf(before, after) {
  const units = new Set(['time', 'calls']);
  if (hasSamples(before) && hasSamples(after)) units.add('samples');
  return units;
}

/**
 * Promises the comparison of two profiles in their present state. place: what is wanted, { unit, measure, order, side,
 * since }; `mayGrow`: `before` may be an earlier state of the same run; `lay(aligned, before, after, rule)` promises
 * the result of growComparison().
 *
 * Its value is { aligned, frames, rows, since (whether after is only what came since), side, can: { since, units,
 * measures }, strangers (as strangers() answers), how (as figure() takes it), change(node), mean(node) }.
 */
export async function compareProfiles(before, after, place, mayGrow, lay) {
  const aligned = alignFunctions(before, after);
  const grew = mayGrow && grewFrom(aligned);
  const since = grew && place.since;
  const units = unitsOf(before, after);
  const wanted = units.has(place.unit) ? place.unit : 'time';
  const samples = after.samples?.total ?? 0; // read with the trees, since the profile changes meanwhile
  const wish = { unit: wanted, order: place.order, side: place.side, since };
  const { frames, unit } = await lay(aligned, before, after, wish);
  const seconds = {
    before: observedSeconds(before, frames.ticksBefore[0] / (tickScale(before, after) || 1)),
    after: observedSeconds(after, frames.ticksAfter[0], since ? samples - before.samples.total : samples),
  };
  const comparable = !Number.isNaN(tickScale(before, after)); // false if only one side's tick length is known
  const measures = new Set(['share']);
  if (unit === 'time' && comparable) measures.add('call');
  if (seconds.before !== null && seconds.after !== null) measures.add('second');
  if (unit !== 'time' || comparable) measures.add('total');
  const rule = { unit, since, seconds };
  const told = changeRows(aligned, before, after, { ...rule, measure: 'call' });
  if (!told.some(({ mean }) => mean.kind === 'both')) measures.delete('call'); // sums and samples have no calls
  const measure = measures.has(place.measure) ? place.measure : 'share';

  const by = divisorsOf(measure, { before: frames.before[0], after: frames.after[0] }, seconds);
  const perCall = (ticks, calls) => (calls > 0 ? ticks / calls : 0);
  const scale = tickScale(before, after);
  const mean = (node) => {
    if (node === 0 || !comparable) return changeOf(0, 0);
    const entry = aligned.functions[frames.fn[node]] ?? { before: null, after: null };
    const side = (fn, ticks, calls, by) => ({ fn, calls, scale: by, mean: perCall(ticks, calls) });
    const one = side(entry.before, frames.ticksBefore[node], frames.callsBefore[node], scale);
    const two = side(entry.after, frames.ticksAfter[node], frames.callsAfter[node], 1);
    return { ...changeOf(one.mean, two.mean), noise: isNoise(one, two) };
  };
  return {
    aligned,
    frames,
    rows: measure === 'call' ? told : changeRows(aligned, before, after, { ...rule, measure }),
    since,
    strangers: strangers(aligned, before, after),
    side: place.side,
    can: { since: grew, units, measures },
    how: {
      unit,
      measure,
      ticksPerSecond: after.ticksPerSecond,
      rates: seconds.before !== null && seconds.after !== null,
    },
    mean,
    change: (node) =>
      measure === 'call'
        ? mean(node)
        : changeOf(frames.before[node] / by.before, frames.after[node] / by.after),
  };
}

/** The widest frame of each function, or -1; of equal ones the outermost. */
export function widestFrames(frames, functionCount) {
  const widest = new Int32Array(functionCount).fill(-1);
  const size = (node) => Math.max(frames.before[node], frames.after[node]);
  for (let node = 1; node < frames.count; node++) {
    const fn = frames.fn[node];
    const held = widest[fn];
    if (
      held < 0 ||
      frames.weight[node] > frames.weight[held] ||
      (frames.weight[held] === 0 && size(node) > size(held))
    )
      widest[fn] = node;
  }
  return widest;
}
