// sides.js - the strip above a comparison: what is before, what is after, and the buttons that change
// it; without a base, what to do.

import { button, el, icon, setAttr, setText } from '../../dom.js';
import { count, duration, plural } from '../../model/format.js';

const clock = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

function when(time) {
  const date = new Date(time ?? NaN);
  return Number.isNaN(date.getTime()) ? '' : clock.format(date);
}

function card(title) {
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

export function createSides(host) {
  const picker = el('input', {
    type: 'file',
    accept: '.json,application/json',
    class: 'hidden',
    tabindex: '-1',
    'aria-label': 'Snapshot file',
    onchange() {
      const [file] = picker.files;
      if (file) host.base.open(file);
      picker.value = ''; // the same file may be chosen again
    },
  });
  const on = {
    mark: () => host.profile.loaded && host.base.mark(host.profile, host.run, host.place.range !== ''),
    /** Opens the browser's dialog for files. */
    choose: () => picker.click(),
    swap: () => host.base.held !== null && host.go({ swap: !host.place.swap }, { replace: true }),
    remove: () => host.base.held !== null && host.base.remove(),
  };
  const before = card('Before');
  const after = card('After');
  const mark = button('mark', 'Mark now', on.mark, {
    keys: 'm',
    tip: 'Compare with the profile as it is at this moment (m)',
  });
  const open = button('open', 'Open file', on.choose, {
    keys: 'f',
    tip: 'Compare with a snapshot file: Export, Snapshot (JSON) (f)',
  });
  const swap = button('swap', 'Swap', on.swap, {
    iconOnly: true,
    keys: 'x',
    tip: 'Swap before and after (x)',
  });
  const remove = button('close', 'Remove the base', on.remove, { iconOnly: true, keys: 'Delete' });
  const sides = el(
    'div',
    { class: 'sides' },
    before.root,
    swap,
    after.root,
    el('div', { class: 'side-acts' }, mark, open, remove),
  );

  const errorText = el('span');
  const error = el(
    'div',
    { class: 'compare-error', role: 'alert', hidden: true },
    errorText,
    el('button', { type: 'button', class: 'button small', onclick: () => host.base.dismiss() }, 'Dismiss'),
  );
  const reading = el('p', { class: 'compare-reading', role: 'status', hidden: true });

  const key = (name) => el('kbd', {}, name);
  const start = el(
    'div',
    { class: 'empty compare-start', hidden: true },
    icon('swap'),
    el('h2', {}, 'Nothing to compare with yet'),
    el(
      'p',
      {},
      'Mark the profile as it is now, then change something: another input, another setting, another load. ' +
        'What runs from then on is compared with what ran before. Or open a snapshot of another day or ' +
        'another firmware.',
    ),
    el(
      'div',
      { class: 'compare-start-acts' },
      el('button', { type: 'button', class: 'button primary', onclick: on.mark }, 'Mark now', key('m')),
      el('button', { type: 'button', class: 'button', onclick: on.choose }, 'Open a snapshot…', key('f')),
    ),
    el(
      'p',
      { class: 'compare-start-note' },
      'Snapshots are what Export, Snapshot (JSON) saves, or ',
      el('code', {}, 'miniprofd --export json=FILE'),
      '. You can also drop one anywhere on this page.',
    ),
  );
  const [startMark] = start.querySelectorAll('button');

  function aboutBase({ held, kept }) {
    const { profile, kind, at } = held;
    return {
      name: kind === 'mark' ? `${held.ranged ? 'Mark of a range' : 'Mark'}, ${when(at)}` : held.name,
      about: [kind === 'file' && when(profile.capturedAt ?? at), profile.target.fw_version],
      note: kept ? '' : 'Gone after a reload: the browser does not keep it',
    };
  }

  const extent = (ticks, calls, rate) =>
    ticks > 0
      ? `${duration(ticks, rate)} in ${plural(calls, 'call')}`
      : calls > 0
        ? plural(calls, 'call')
        : '';

  return {
    ...on,
    sides,
    error,
    reading,
    start,
    picker,
    /** `frames` are null while there is nothing to compare; `since` says that after is only what came since. */
    show(frames, since) {
      const { base, profile, paused, place } = host;
      const swapped = place.swap;
      setText(errorText, base.error);
      error.hidden = base.error === '';
      setText(reading, base.reading === '' ? '' : `Reading “${base.reading}” …`);
      reading.hidden = base.reading === '';
      for (const one of [mark, startMark]) one.disabled = !profile.loaded;
      sides.hidden = base.held === null;
      start.hidden = base.held !== null;
      if (base.held === null) return;
      const rate = profile.ticksPerSecond;
      const ofBase = aboutBase(base);
      const ofCurrent = {
        name: since ? 'Since the mark' : place.range !== '' ? 'The range shown' : 'Current profile',
        about: [profile.target.fw_version],
        note: paused ? 'Paused' : '',
      };
      if (frames !== null) {
        const first = extent(frames.ticksBefore[0], frames.callsBefore[0], rate);
        const second = extent(frames.ticksAfter[0], frames.callsAfter[0], rate);
        ofBase.about.push(swapped ? second : first);
        ofCurrent.about.push((swapped ? first : second) || `${count(0)} calls`);
      }
      before.show(swapped ? ofCurrent : ofBase);
      after.show(swapped ? ofBase : ofCurrent);
      setAttr(swap, 'aria-pressed', String(swapped));
    },
  };
}
