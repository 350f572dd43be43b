// list.js - the list beside a differential flame graph: the largest changes, or the matches.

import { difference, figure, ratio } from '../../model/changes.js';
import { strength } from '../../model/compare.js';
import { narrowPx } from '../../model/layout.js';
import { widestFrames } from '../../model/versus.js';

/** The list is in percent per call, but sorted by the total, which the bars show: the tip has both. */
const tipOf = ({ entry, own, impact }, how) => {
  const sides = `${entry.name}\n${figure(own.before, how)} → ${figure(own.after, how)}`;
  if (how.measure !== 'call') return sides;
  return `${sides} a call\nThe bar: ${figure(impact, how)} ${own.delta > 0 ? 'more' : 'less'} over all calls`;
};

/**
 * { entries (for the list of hot-list.js), count (of all) } of a comparison (model/versus.js). view: { hits (one byte
 * per function, or null), least (share that counts as a change), selectedFn, width (of the graph in pixels), most
 * (entries) }.
 */
export function changeEntries({ frames, rows, how, aligned }, view) {
  const { hits, least } = view;
  const told = rows
    .filter(({ entry, own }) => (hits === null ? strength(own, least) !== 0 : hits[entry.id]))
    .sort((a, b) => b.impact - a.impact);
  const widest = widestFrames(frames, aligned.functions.length);
  const perPx = frames.weight[0] / view.width;
  const largest = told[0]?.impact || 1;
  const entries = told.slice(0, view.most).map(({ entry, own, impact }) => ({
    fn: entry.id,
    node: widest[entry.id],
    name: entry.name,
    figure: how.measure === 'call' || own.kind !== 'both' ? ratio(own) : difference(own.delta, how),
    part: impact / largest,
    tip: tipOf({ entry, own, impact }, how),
    selected: entry.id === view.selectedFn,
    narrow: hits !== null && frames.weight[widest[entry.id]] < narrowPx * perPx,
    trend: own.delta > 0 ? 'more' : own.delta < 0 ? 'less' : '',
  }));
  return { entries, count: told.length };
}
