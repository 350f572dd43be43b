// items.js - the text on what a timeline has: calls, stretches in which a context did not run, markers and gaps.

import { count, duration, percent, place as sourcePlace, plural } from '../../model/format.js';
import { contextName } from '../../model/lanes.js';

const kinds = {
  reset: 'Device reset',
  reconnect: 'Line back',
  overflow: 'Buffer overflow',
  checkpoint: 'Checkpoint',
  message: 'Message',
  window: 'Capture',
  breach: 'Limit broken',
  note: 'Note',
  start: 'Profiling starts',
  stop: 'Profiling stops',
  clear: 'Cleared',
  discard: 'Begins again',
};
const kindPlaces = {
  message: 'g, or a double click, shows it among the others in Messages.',
  breach: 'The limits (Shift+L) show how often, and when it was worst.',
  note: 'Yours; it is in the link to this page, and in what is saved of it.',
  reset: 'The target restarted; its ticks go on from here.',
  reconnect: 'The line was away; what ran meanwhile is not known.',
  start: 'What ran before this moment was not recorded.',
  stop: 'What ran after this moment was not recorded. Calls that had not returned keep their time so far.',
  clear: 'You cleared the profile. What was counted before is not shown.',
  discard: 'The device counts in another way from here on, so what was counted before is not shown.',
  window: 'Everything that happened around it is known. Enter shows only its time in every view.',
  overflow: "The target's buffer was full some time before: records are missing.",
};

/** A line on a marker. */
function markerText({ what, text, count: n }) {
  const kind = kinds[what] ?? what;
  if (n > 1) return `${kind}: ${count(n)} of them, close together${text ? `, the first: ${text}` : ''}`;
  return text && text !== kind ? `${kind}: ${text}` : kind;
}

const awayWords = { preempted: 'Preempted', blocked: 'Blocked' };
const awayPlaces = {
  preempted: 'No call: another context ran, although this one was ready.',
  blocked: 'No call: this context waited for something.',
};

/** A line on an away stretch. */
const awayText = ({ why, calls }) => `${awayWords[why] ?? 'Did not run'}${calls > 1 ? `, ${count(calls)} times, close together` : ''}`;

/** A line with the name of an item of a picture. */
export function itemName(item, profile) {
  if (item.kind === 'marker') return markerText(item);
  if (item.kind === 'gap')
    return item.records > 0 ? `${plural(item.records, 'record')} lost` : 'Records lost, number unknown';
  if (item.kind === 'away') return awayText(item);
  const name = profile.functions[item.fn]?.name ?? '';
  return item.calls > 1 ? `${count(item.calls)} calls, longest ${name}` : name;
}

/** For a call that crosses the edge of a kept window. */
const cutWords = 'Cut by the edge of the window: it took longer than this.';

function mergedPlace({ start, end, busy, longest }, { ticksPerSecond }) {
  const ran = end > start ? `${percent(busy / (end - start))} of this time` : 'All of this time';
  return `${ran}, the longest ${duration(longest, ticksPerSecond)}. Zoom in to see each.`;
}

/** An item's location, or its meaning. */
export function itemPlace(item, profile) {
  if (item.kind === 'gap') return 'Calls of this time may be missing. The connection (Shift+A) says why.';
  if (item.kind === 'away') return awayPlaces[item.why] ?? '';
  if (item.kind === 'marker') return kindPlaces[item.what] ?? '';
  if (item.calls > 1) return mergedPlace(item, profile);
  const where = sourcePlace(profile.functions[item.fn] ?? {});
  return item.isCut ? [cutWords, where].filter(Boolean).join(' ') : where;
}

/** The text of a tip (part/tip.js). */
export function itemTip(item, profile, time) {
  const { ticksPerSecond } = profile;
  const at = `at ${time.moment(item.start, Math.max(item.end - item.start, 1))}`;
  const length = item.kind === 'marker' ? '' : `${item.isCut ? 'more than ' : ''}${duration(item.end - item.start, ticksPerSecond)} · `;
  const text = item.kind === 'call' && item.calls > 1 ? mergedPlace(item, profile) : `${length}${at}`;
  return { id: `${item.kind} ${item.context} ${item.depth} ${item.start}`, title: itemName(item, profile), text };
}

const partsMost = 6;

/** The tip of a marked call in the overview (TimelineHead.outlierAt). */
export function outlierTip({ fn, longest, usual, from, to, rank, of }, { ticksPerSecond }, time) {
  const text = `${duration(longest, ticksPerSecond)}; half of its calls take up to ${duration(usual, ticksPerSecond)} · number ${rank} of the worst ${of} · at ${time.moment(from, to - from)}`;
  return { id: `outlier ${from}`, title: fn?.name ?? '', text };
}

/** The tip of a load column in the overview (TimelineHead.loadAt). */
export function loadTip({ from, to, total, parts }, { contexts }, time) {
  const each = parts.slice(0, partsMost).map(({ context, ran }) => `${contexts.get(context)?.name || `Context ${context}`} ${percent(ran)}`);
  if (parts.length > partsMost) each.push('…');
  return { id: 'load', title: `Load ${percent(total)}`, text: `${each.join(', ')}${each.length > 0 ? ' · ' : ''}at ${time.moment(from, to - from)}` };
}

/** A sentence about an item, for screen readers. */
export function itemWords(item, profile, time) {
  const { ticksPerSecond } = profile;
  return [
    itemName(item, profile),
    item.kind === 'marker' ? '' : `${item.isCut ? 'more than ' : ''}${duration(item.end - item.start, ticksPerSecond)}`,
    `at ${time.moment(item.start, Math.max(item.end - item.start, 1))}`,
    item.kind === 'call' ? `depth ${item.depth}` : '',
    item.kind === 'away' ? `in ${contextName(profile.contexts.get(item.context), item.context)}` : '',
  ]
    .filter(Boolean)
    .join(', ');
}
