// details.js - the line below the flame graph with all figures of one frame.

import { button, setAttr, setText } from '../../dom.js';
import { count, duration, percent, place as sourcePlace } from '../../model/format.js';
import { isAllIdle } from '../../model/idle.js';
import { middle, tipOf, tipOfFunction } from '../../model/names.js';
import { explain, isPlaceholder } from '../../model/placeholder.js';
import { isRoot } from '../../model/roots.js';
import { createDetailLine } from '../../part/detail-line.js';

const cells = [
  ['total', 'Total', 'Time of this frame and of all frames below it'],
  ['all', 'Share', 'Share of all that is shown, in the chosen unit'],
  ['zoom', 'of zoom', 'Share of the zoomed frame'],
  ['parent', 'of parent', 'Share of the frame above'],
  ['self', 'Self', 'Without the frames below it'],
  ['calls', 'Calls', 'Completed calls on this path'],
  ['mean', 'Mean', 'Time in which one call on this path ran, on average'],
];
const acts = [
  ['zoom', 'zoom', 'Zoom', { keys: 'Enter' }],
  ['focus', 'focus', 'Focus', { keys: 'f', tip: 'Only what runs inside this function (f)' }],
  ['hide', 'hide', 'Hide', { keys: 'h', tip: 'Leave out this function and all that it calls (h)' }],
  ['function', 'table', 'Function', { keys: 'g', tip: 'Callers, callees and durations (g)' }],
  ['source', 'code', 'Source', { keys: 's', tip: 'Source lines and instructions (s)' }],
];

const nameMost = 160; // letters: more do not fit into a line

/** `act(what)` is called for a button: 'zoom', 'focus', 'hide', 'function' (opens it in Functions) or, if that view exists, 'source'. */
export function createDetails(act, hasSource) {
  const buttons = acts
    .filter(([what]) => hasSource || what !== 'source')
    .map(([what, icon, label, keys]) => button(icon, label, () => act(what), keys));
  const line = createDetailLine(cells, buttons);
  return {
    root: line.root,
    /**
     * frame: { profile, frames, node, zoom, name, unit, narrow (frames merged in the mark pointed at, 0 for a frame),
     * colour ('' for none), chosen (true: the frame is pointed at or selected) }.
     */
    show(frame) {
      showName(line, frame);
      showFigures(line.shown, frame);
      const text = noteFor(frame);
      setText(line.note, text);
      line.note.hidden = text === '';
      for (const one of line.acts.children) one.disabled = !frame.chosen || functionOf(frame) === null;
    },
  };
}

const functionOf = ({ profile, frames, node }) => profile.functions[frames.fn[node]] ?? null;
const share = (part, whole) => percent(whole > 0 ? part / whole : NaN);

function noteFor(frame) {
  const { profile, frames, node, name, narrow } = frame;
  if (narrow > 0)
    return `Too narrow to draw. The figures are those of ${name}; a click zooms to the frame above it, where it is wider.`;
  if (profile.treeEstimated && frames.fn[node] < 0)
    return 'This tree is an estimate: the target reports arcs and samples, not paths.';
  return explain(functionOf(frame));
}

function showName({ title, where, swatch }, frame) {
  const { name, narrow, colour } = frame;
  const fn = functionOf(frame);
  const short = middle(name, nameMost);
  setText(title, narrow > 1 ? `${short} and ${count(narrow - 1)} more, too narrow to show` : short);
  setAttr(title, 'title', fn ? tipOfFunction(fn) : tipOf(name));
  setText(where, fn ? sourcePlace(fn) : isRoot(frame.frames.fn[frame.node]) ? 'All that ran in this context' : 'Point at a frame for its figures; click it to zoom.');
  swatch.style.background = colour;
}

function showFigures(shown, frame) {
  const { profile, frames, node, zoom, unit } = frame;
  const fn = functionOf(frame);
  const time = (ticks) => duration(ticks, profile.ticksPerSecond);
  const calls = frames.calls[node];
  const weight = frames.weight[node];
  setText(shown.total, time(frames.ticks[node]));
  setText(shown.all, share(weight, frames.weight[0]));
  setText(shown.zoom, share(weight, frames.weight[zoom]));
  setText(shown.parent, fn ? share(weight, frames.weight[frames.parent[node]]) : '–');
  setText(shown.self, !fn ? '–' : isAllIdle(fn) ? 'idle' : unit === 'time' ? time(frames.self[node]) : count(frames.self[node]));
  setText(shown.calls, fn && !isPlaceholder(fn) ? count(calls) : '–');
  setText(shown.mean, fn && calls > 0 ? time(frames.ticks[node] / calls) : '–');
}
