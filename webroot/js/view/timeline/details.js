// details.js - the line below the timeline that says everything about what is pointed at or selected.

import { button, el, setText } from '../../dom.js';
import { moment } from '../../model/axis.js';
import { count, duration, percent, place as sourcePlace, plural } from '../../model/format.js';
import { contextName } from '../../model/lanes.js';
import { explain } from '../../model/placeholder.js';

const kinds = {
  reset: 'Device reset',
  reconnect: 'Line back',
  overflow: 'Buffer overflow',
  checkpoint: 'Checkpoint',
  message: 'Message',
};
const kindPlaces = {
  reset: 'The target started anew; its ticks go on from here.',
  reconnect: 'The line was away; what ran meanwhile is not known.',
  overflow: "The target's buffer was full some time before: records are missing.",
};

/** What a marker says, in a line. */
export function markerText({ what, text, count: n }) {
  const kind = kinds[what] ?? what;
  if (n > 1) return `${kind}: ${count(n)} of them, close together${text ? `, the first: ${text}` : ''}`;
  return text && text !== kind ? `${kind}: ${text}` : kind;
}

/** The name of an item of a picture, in a line. */
export function itemName(item, profile) {
  if (item.kind === 'marker') return markerText(item);
  if (item.kind === 'gap') return item.records > 0 ? `${plural(item.records, 'record')} lost` : 'Records lost, nobody knows how many';
  const name = profile.functions[item.fn]?.name ?? '';
  return item.calls > 1 ? `${count(item.calls)} calls, longest ${name}` : name;
}

/** `act(what)` does 'zoom', 'range' or 'function' to the item shown. */
export function createTimelineDetails(act) {
  const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  const title = el('strong', { class: 'detail-name mono' });
  const where = el('span', { class: 'detail-place' });
  const figures = el('dl', { class: 'detail-figures' });
  const figure = (term, tip) => {
    const value = el('dd');
    figures.append(el('div', { title: tip }, el('dt', {}, term), value));
    return value;
  };
  const shown = {
    start: figure('Start', "Time since the target's counter was zero"),
    duration: figure('Duration', 'From entry to return'),
    parent: figure('of caller', "Share of the caller's time"),
    depth: figure('Depth', 'Callers above it'),
    context: figure('Context', 'Thread or interrupt it ran in'),
  };
  const note = el('p', { class: 'detail-note', hidden: true });
  const acts = el(
    'div',
    { class: 'detail-acts' },
    button('zoom', 'Zoom', () => act('zoom'), { keys: 'z', tip: 'Zoom to the call (z, or double click)' }),
    button('focus', 'Range', () => act('range'), {
      keys: 'Enter',
      tip: 'Show only the time of this call in every view (Enter)',
    }),
    button('table', 'Function', () => act('function'), {
      keys: 'g',
      tip: 'Callers, callees and durations (g)',
    }),
  );
  const root = el(
    'section',
    { class: 'details', 'aria-label': 'Details' },
    el('div', { class: 'detail-head' }, swatch, title, where),
    figures,
    note,
    acts,
  );

  function placeOf(item, profile) {
    if (item.kind === 'gap') return 'Calls of this time may be missing. The Link view says why.';
    if (item.kind === 'marker') return kindPlaces[item.what] ?? '';
    if (item.calls > 1) return 'Too short to tell apart here; zoom in to see each.';
    return sourcePlace(profile.functions[item.fn] ?? {});
  }

  return {
    root,
    /** item: what is meant, or null; caller: the item it lies in, or null; colour of the swatch, or ''. */
    show({ item, caller, profile, colour, precision }) {
      const { ticksPerSecond } = profile;
      const called = item !== null && item.kind === 'call';
      setText(title, item === null ? 'Nothing selected' : itemName(item, profile));
      setText(
        where,
        item === null
          ? 'Point at a call for its figures; arrow keys walk from call to call.'
          : placeOf(item, profile),
      );
      swatch.style.background = colour;
      setText(shown.start, item === null ? '–' : moment(item.start, ticksPerSecond, precision));
      const length = item === null ? null : item.end - item.start;
      setText(shown.duration, item === null || item.kind === 'marker' ? '–' : duration(length, ticksPerSecond));
      const share = caller !== null && caller.end > caller.start ? length / (caller.end - caller.start) : null;
      setText(shown.parent, share === null ? '–' : percent(share));
      setText(shown.depth, called ? String(item.depth) : '–');
      setText(shown.context, called ? contextName(profile.contexts.get(item.context), item.context) : '–');
      const text = called ? explain(profile.functions[item.fn]) : '';
      setText(note, text);
      note.hidden = text === '';
      const [zoom, range, fn] = acts.children;
      zoom.disabled = item === null;
      range.disabled = item === null || item.kind === 'marker';
      fn.disabled = !called;
    },
  };
}
