// texts.js - the texts about frames of the flame graph.

import { count, duration, percent, plural } from '../../model/format.js';
import { contextName } from '../../model/lanes.js';
import { contextOf, isRoot } from '../../model/roots.js';

/** The name of a function or context, by its number in a frame. */
export function wordOf({ functions, host }, fn) {
  if (!isRoot(fn)) return functions[fn]?.name ?? '';
  return contextName(host.profile.contexts.get(contextOf(fn)), contextOf(fn));
}

/** The name of a frame, by its node. */
export const nameOf = (view, node) => (node === 0 ? 'All' : wordOf(view, view.frames.fn[node]));

/** A sentence about a frame, for screen readers. */
export function spokenText(view, node) {
  const { frames } = view;
  const share = frames.weight[0] > 0 ? frames.weight[node] / frames.weight[0] : 0;
  return [
    nameOf(view, node),
    `${percent(share)} of ${wholeWord(view)}`,
    duration(frames.ticks[node], view.host.profile.ticksPerSecond),
    `level ${frames.depth[node]}`,
    `${plural(frames.childFrom[node + 1] - frames.childFrom[node], 'frame')} below`,
  ].join(', ');
}

/** The text of a tip (part/tip.js). */
export function tipText(view, node, merged) {
  const { frames, unit } = view;
  if (merged > 0) return { id: `${node} ${merged}`, title: nameOf(view, node), text: `and ${count(merged - 1)} more, too narrow to show` };
  const share = percent(frames.weight[0] > 0 ? frames.weight[node] / frames.weight[0] : 0);
  const much = unit === 'time' ? duration(frames.ticks[node], view.host.profile.ticksPerSecond) : count(frames.weight[node]);
  const calls = frames.calls[node] > 0 && unit !== 'calls' ? ` · ${plural(frames.calls[node], 'call')}` : '';
  return { id: node, title: nameOf(view, node), text: `${much} · ${share} of ${wholeWord(view)}${calls}` };
}

/** The base of shares; calls are counted in idle time, too. */
export const wholeWord = ({ host, unit }) => (host.profile.idle > 0 && unit !== 'calls' ? 'busy time' : 'all');

/** The text of the outermost frame. */
export function wholeText(view) {
  const { idle, ticksPerSecond } = view.host.profile;
  const weight = view.frames.weight[0];
  const word = wholeWord(view);
  const much = view.unit === 'time' ? duration(weight, ticksPerSecond) : count(weight);
  return word === 'all' ? `all  ${much}` : `${word}  ${much} · idle ${percent(idle)}, left out`;
}
