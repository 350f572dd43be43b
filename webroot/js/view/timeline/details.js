// details.js - the line below the timeline with details of the item pointed at or selected.

import { button, setAttr, setText } from '../../dom.js';
import { duration, percent } from '../../model/format.js';
import { contextName } from '../../model/lanes.js';
import { explain, isPlaceholder } from '../../model/placeholder.js';
import { createDetailLine } from '../../part/detail-line.js';
import { itemName, itemPlace } from './items.js';

const cells = [
  ['start', 'Start', 'When it began (Shift+T: counted from where)'],
  ['duration', 'Duration', 'From entry to return, whether its context ran or not'],
  ['parent', 'of caller', "Share of the caller's time"],
  ['depth', 'Depth', 'Callers above it'],
  ['context', 'Context', 'Thread or interrupt it ran in'],
];
const acts = [
  ['zoom', 'zoom', 'Zoom', { keys: 'z', tip: 'Zoom to the call (z, or double click)' }],
  ['range', 'focus', 'Range', { keys: 'Enter', tip: 'Show only the time of this call in every view (Enter)' }],
  ['further', 'table', 'Function', { keys: 'g', tip: 'Callers, callees and durations (g)' }],
  ['keep', 'mark', 'Trigger …', { tip: 'Capture what happens around a call of this that takes longer than …' }],
];

/** `act(what)` does 'zoom', 'range', 'further' or (if there are limits) 'keep' to the item shown. */
export function createTimelineDetails(act, hasLimits) {
  const shown = acts.filter(([what]) => hasLimits || what !== 'keep');
  const buttons = shown.map(([what, icon, label, keys]) => button(icon, label, () => act(what), keys));
  const line = createDetailLine(cells, buttons);
  line.note.hidden = true;
  return {
    root: line.root,
    /**
     * about: { item (or null), caller (the item it lies in, or null), profile, time (model/time.js), colour ('' for
     * none), precision, why (how the call's time was spent, or '') }
     */
    show(about) {
      const { item, profile, colour } = about;
      const isCall = item !== null && item.kind === 'call';
      setText(line.title, item === null ? 'Nothing selected' : itemName(item, profile));
      setText(
        line.where,
        item === null ? 'Point at a call for its figures; arrow keys walk from call to call.' : itemPlace(item, profile),
      );
      line.swatch.style.background = colour;
      showFigures(line.shown, about, isCall);
      // The state of the function at this moment says nothing about a call that has ended.
      const fn = isCall ? profile.functions[item.fn] : null;
      const text = isPlaceholder(fn) ? explain(fn) : about.why;
      setText(line.note, text);
      line.note.hidden = text === '';
      const [zoom, range, further, keep] = line.acts.children;
      zoom.disabled = item === null;
      range.disabled = item === null || (item.kind === 'marker' && item.window === undefined);
      if (keep) keep.disabled = !isCall;
      showFurther(further, item);
    },
  };
}

const furtherWays = {
  call: ['Function', 'Callers, callees and durations (g)'],
  message: ['Message', 'The message among those before and after it (g)'],
};

/** The view that shows more about an item: Functions of a call, Messages of a message. */
function showFurther(further, item) {
  const way = furtherWays[item?.what] ?? furtherWays[item?.kind];
  further.disabled = way === undefined;
  const [name, tip] = way ?? furtherWays.call;
  setText(further.lastElementChild, name);
  setAttr(further, 'aria-label', name);
  setAttr(further, 'title', tip);
}

function showFigures(shown, { item, caller, profile, time, precision }, isCall) {
  const { ticksPerSecond, contexts } = profile;
  setText(shown.start, item === null ? '–' : time.moment(item.start, precision));
  const length = item === null ? null : item.end - item.start;
  setText(shown.duration, item === null || item.kind === 'marker' ? '–' : duration(length, ticksPerSecond));
  const share = caller !== null && caller.end > caller.start ? length / (caller.end - caller.start) : null;
  setText(shown.parent, share === null ? '–' : percent(share));
  setText(shown.depth, isCall ? String(item.depth) : '–');
  setText(shown.context, isCall || item?.kind === 'away' ? contextName(contexts.get(item.context), item.context) : '–');
}
