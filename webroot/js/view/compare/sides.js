// sides.js - the strip above a comparison: before, after, and the buttons that change them.

import { button, el, setAttr, setText } from '../../dom.js';
import { count, duration, plural } from '../../model/format.js';
import { createStart } from './start.js';

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

function when(time) {
  const date = new Date(time ?? NaN);
  return Number.isNaN(date.getTime()) ? '' : clock.format(date);
}

function createCard(title) {
  const name = el('strong', { class: 'side-name' });
  const about = el('span', { class: 'side-about' });
  const note = el('span', { class: 'side-note' });
  const root = el('div', { class: 'side' }, el('span', { class: 'side-title' }, title), name, about, note);
  return {
    root,
    show(side) {
      setText(name, side.name);
      setAttr(name, 'title', side.name);
      setText(about, side.about.filter(Boolean).join(' · '));
      setText(note, side.note);
    },
  };
}

function createPicker(base, label = 'Snapshot file') {
  const picker = el('input', {
    type: 'file',
    accept: '.json,application/json',
    class: 'hidden',
    tabindex: '-1',
    'aria-label': label,
    onchange() {
      const [file] = picker.files;
      if (file) base.open(file);
      picker.value = ''; // so that the same file can be chosen again
    },
  });
  return picker;
}

/** The actions of buttons and keys. */
const actsOn = (host, picker, second) => ({
  chooseAfter: () => host.base.held !== null && second.click(),
  mark: () => host.profile.loaded && host.base.mark(host.measured, host.run, host.place.range !== ''),
  /** Opens the browser's dialog for files. */
  choose: () => picker.click(),
  swap: () => host.base.held !== null && host.go({ swap: !host.place.swap }, { replace: true }),
  leave: () => host.go({ view: 'flame' }),
  remove() {
    if (host.base.held === null) return false;
    host.after.remove();
    return host.base.remove();
  },
});

function createButtons(host, on) {
  return {
    mark: button('mark', 'Mark now', on.mark, {
      iconOnly: true,
      keys: 'm',
      tip: 'Compare with the profile as it is at this moment (m)',
    }),
    open: button('open', 'Open file', on.choose, {
      iconOnly: true,
      keys: 'f',
      tip: 'Compare with a snapshot file: Share, Snapshot (JSON) (f)',
    }),
    openAfter: button('open', 'Open a file as After', on.chooseAfter, { iconOnly: true, keys: 'Shift+F', tip: 'Another file in the place of the current profile (Shift+F)' }),
    current: button('close', 'Current profile', () => host.after.remove(), { iconOnly: true, tip: 'Back to the current profile' }),
    swap: button('swap', 'Swap', on.swap, { iconOnly: true, keys: 'x', tip: 'Swap before and after (x)' }),
    remove: button('close', 'Remove the base', on.remove, { iconOnly: true, keys: 'Delete' }),
    leave: button('up', 'Leave comparison', on.leave, { tip: 'Back to the flame graph' }),
  };
}

/** The errors of both files. */
function createError(...bases) {
  const text = el('span');
  const dismiss = { type: 'button', class: 'button small', onclick: () => bases.forEach((base) => base.dismiss()) };
  const root = el(
    'div',
    { class: 'compare-error', role: 'alert', hidden: true },
    text,
    el('button', dismiss, 'Dismiss'),
  );
  return {
    show() {
      const errors = bases.map(({ error }) => error).filter(Boolean);
      setText(text, errors.join(' '));
      root.hidden = errors.length === 0;
    },
    root,
  };
}

/** { sides, error, reading, start, picker } are elements for the view; the other members are for keys. */
export function createSides(host) {
  const picker = createPicker(host.base);
  const second = createPicker(host.after, 'Snapshot file for After');
  const on = actsOn(host, picker, second);
  const { mark, open, openAfter, current, swap, remove, leave } = createButtons(host, on);
  const parts = {
    host,
    before: createCard('Before'),
    after: createCard('After'),
    mark,
    swap,
    current,
    error: createError(host.base, host.after),
    reading: el('p', { class: 'compare-reading', role: 'status', hidden: true }),
    start: createStart(on),
  };
  const acts = el('div', { class: 'side-acts' }, mark, open, remove, leave);
  parts.sides = el('div', { class: 'sides' }, parts.before.root, swap, parts.after.root, openAfter, current, acts);
  return {
    ...on,
    sides: parts.sides,
    error: parts.error.root,
    reading: parts.reading,
    start: parts.start.root,
    picker: el('div', {}, picker, second),
    /** `frames` is null while there is nothing to compare; `since`: after is only what came since the mark. */
    show(frames, since) {
      showState(parts);
      if (host.base.held !== null) showCards(parts, frames, since);
    },
  };
}

function showState({ host, error, current, reading, mark, start, sides }) {
  const { base, profile } = host;
  error.show();
  const name = base.reading || host.after.reading;
  setText(reading, name === '' ? '' : `Reading “${name}” …`);
  reading.hidden = name === '';
  current.hidden = host.after.held === null;
  for (const one of [mark, start.mark]) one.disabled = !profile.loaded;
  sides.hidden = base.held === null;
  start.root.hidden = base.held !== null || base.restoring;
}

function aboutBase({ held, kept }) {
  const { profile, kind, at } = held;
  return {
    name: kind === 'mark' ? `${held.ranged ? 'Mark of a range' : 'Mark'}, ${when(at)}` : held.name,
    about: [kind === 'file' && when(profile.capturedAt ?? at), profile.target.fw_version],
    note: kept ? '' : 'Gone after a reload: the browser does not keep it',
  };
}

function aboutCurrent({ profile, place, paused, whole, live, after: { held, kept } }, since) {
  if (held !== null) return aboutBase({ held, kept });
  return {
    name: since ? 'Since the mark' : place.range !== '' ? 'The range shown' : 'Current profile',
    about: [profile.target.fw_version],
    note: paused && whole !== live ? 'Paused' : '', // a file never changes
  };
}

function extent(ticks, calls, rate) {
  if (ticks > 0) return `${duration(ticks, rate)} in ${plural(calls, 'call')}`;
  return calls > 0 ? plural(calls, 'call') : '';
}

function showCards({ host, before, after, swap }, frames, since) {
  const swapped = host.place.swap;
  const ofBase = aboutBase(host.base);
  const ofCurrent = aboutCurrent(host, since);
  if (frames !== null) {
    const rate = (host.after.held?.profile ?? host.measured).ticksPerSecond;
    const first = extent(frames.ticksBefore[0], frames.callsBefore[0], rate);
    const second = extent(frames.ticksAfter[0], frames.callsAfter[0], rate);
    ofBase.about.push(swapped ? second : first);
    ofCurrent.about.push((swapped ? first : second) || `${count(0)} calls`);
  }
  before.show(swapped ? ofCurrent : ofBase);
  after.show(swapped ? ofBase : ofCurrent);
  setAttr(swap, 'aria-pressed', String(swapped));
}
