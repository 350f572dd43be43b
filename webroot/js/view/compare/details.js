// details.js - the line below a differential flame graph: one frame before and after.

import { button, setAttr, setText } from '../../dom.js';
import { difference, figure, ratio } from '../../model/changes.js';
import { compact, count, dash, place as sourcePlace } from '../../model/format.js';
import { explain } from '../../model/placeholder.js';
import { createDetailLine } from '../../part/detail-line.js';

const cells = [
  ['before', 'Before', 'This frame and all below it, in the measure chosen'],
  ['after', 'After', 'This frame and all below it, in the measure chosen'],
  ['delta', 'Change', 'After less before; pp are percentage points'],
  ['ratio', 'Change %', 'Change as a share of what was before'],
  ['meanBefore', 'Call before', 'Time of one call on this path, before'],
  ['meanAfter', 'Call after', 'Time of one call on this path, after'],
  ['meanRatio', 'Call %', 'Change of the time per call on this path'],
  ['calls', 'Calls', 'Calls on this path, before and after, as counted'],
];

/** `act(what)` does 'zoom' or 'function' to the frame shown. */
export function createCompareDetails(act) {
  const line = createDetailLine(cells, [
    button('zoom', 'Zoom', () => act('zoom'), { keys: 'Enter' }),
    button('table', 'Function', () => act('function'), { keys: 'g', tip: 'Callers, callees and durations (g)' }),
  ]);
  return {
    root: line.root,
    /**
     * frame: { entry (of the aligned functions, null for the root), change, mean (changes), calls: [before, after], how
     * (for figure()), narrow (frames merged in the mark pointed at), colour, chosen }.
     */
    show(frame) {
      showName(line, frame);
      showFigures(line.shown, frame);
      const text = noteFor(frame);
      setText(line.note, text);
      line.note.hidden = text === '';
      for (const one of line.acts.children) one.disabled = !frame.chosen || frame.entry === null;
    },
  };
}

function noteFor({ entry, change, narrow }) {
  if (narrow > 0) return `Too narrow to draw. The figures are those of ${entry.name}; a click zooms to its caller.`;
  if (entry === null) return '';
  if (change.kind === 'new') return 'New: this path was not there before.';
  if (change.kind === 'gone') return 'Gone: this path is not there any more.';
  return explain(entry);
}

function showName({ title, where, swatch }, { entry, narrow, colour }) {
  const name = entry?.name ?? 'All';
  setText(title, narrow > 1 ? `${name} and ${count(narrow - 1)} more, too narrow to show` : name);
  setAttr(title, 'title', entry?.raw_name ? `${name}\n${entry.raw_name}` : name);
  setText(where, entry ? sourcePlace(entry) : 'Point at a frame for its figures; click it to zoom.');
  swatch.style.background = colour;
}

function showFigures(shown, { change, mean, calls, how }) {
  const perCall = { ...how, unit: 'time', measure: 'call' };
  const side = (value, there) => (there ? figure(value, how) : dash);
  setText(shown.before, side(change.before, change.before > 0 || change.kind === 'gone'));
  setText(shown.after, side(change.after, change.after > 0 || change.kind === 'new'));
  setText(shown.delta, change.kind === 'none' ? dash : difference(change.delta, how));
  setText(shown.ratio, ratio(change));
  setText(shown.meanBefore, mean.before > 0 ? figure(mean.before, perCall) : dash);
  setText(shown.meanAfter, mean.after > 0 ? figure(mean.after, perCall) : dash);
  setText(shown.meanRatio, mean.kind === 'both' ? ratio(mean) : dash);
  setText(shown.calls, calls.map(compact).join(' → '));
}
