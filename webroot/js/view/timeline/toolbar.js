// toolbar.js - following, zooming, and what is in sight in words.

import { el, setAttr, setText } from '../../dom.js';
import { zeros } from '../../model/time.js';
import { count, plural } from '../../model/format.js';

function press(text, tip, run) {
  return el('button', { type: 'button', class: 'button small', title: tip, onclick: run }, text);
}

/** What the patterns mean, for contexts that do not always run. */
function createLegend() {
  const sign = (kind, text, tip) =>
    el('span', { title: tip }, el('span', { class: `away-sign away-${kind}`, 'aria-hidden': 'true' }), text);
  return el(
    'p',
    { class: 'away-legend', hidden: true },
    sign('preempted', 'preempted', 'Another context ran, and this one could have gone on'),
    sign('blocked', 'blocked', 'The context waited for something'),
  );
}

/** From where time is counted; `choose(zero)` takes what place.zero says, or 'here' for the moment that is selected. */
function createZero(choose) {
  const select = el(
    'select',
    { class: 'select', 'aria-label': 'Time counts from', title: 'Time counts from (Shift+T)', onchange: () => choose(select.value) },
    ...zeros.map(([zero, words]) => el('option', { value: zero }, `0 = ${words}`.replace('0 = wall', 'Wall'))),
    el('option', { value: 'here' }, '0 = this moment'),
  );
  return select;
}

/** on: { follow, showAll, zoom(factor), windows, showHidden, goTo, note, zero(chosen) }. */
export function createTimelineToolbar(on) {
  const follow = press('Follow', 'Keep the newest calls in sight (f); moving about ends it', on.follow);
  const all = press('All', 'All that is held (0)', on.showAll);
  const further = press('−', 'Further (- or s)', () => on.zoom(1 / 0.7));
  const closer = press('+', 'Closer (+ or w)', () => on.zoom(0.7));
  setAttr(further, 'aria-label', 'Further');
  setAttr(closer, 'aria-label', 'Closer');
  const windows = press('Windows', 'What happened around slow calls (l)', on.windows);
  setAttr(windows, 'aria-controls', 'windows');
  const hidden = press('', 'Show the lanes that are hidden (u)', on.showHidden);
  hidden.classList.add('lanes-hidden');
  const goTo = press('Go to …', 'Go to a time, such as 12.3 s (j)', on.goTo);
  const note = press('Note …', 'Set a note at this moment (b); Shift+B lists them', on.note);
  const zero = createZero(on.zero);
  const extent = el('p', { class: 'extent' });
  const trouble = el('p', { class: 'timeline-trouble', role: 'status' });
  const legend = createLegend();
  return {
    root: el(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Timeline' },
      follow,
      all,
      further,
      closer,
      windows,
      hidden,
      goTo,
      note,
      zero,
      extent,
      trouble,
      legend,
      el('p', { class: 'timeline-hint' }, 'Shift-drag, or drag on the axis: a range for every view'),
    ),
    /**
     * following: whether the newest is kept in sight; canFollow: whether anything new can come; away: whether there are
     * contexts that did not run; windows: { open, count };
     * zero: place.zero; hidden: how many lanes are.
     */
    show({ following, all: whole, canFollow, words, away, trouble: text, windows: kept, zero: from, hidden: lanes }) {
      hidden.hidden = lanes === 0;
      setText(hidden, `${plural(lanes, 'lane')} hidden, show`);
      zero.value = /^\d/.test(from) ? 'here' : from;
      legend.hidden = !away;
      setAttr(follow, 'aria-pressed', String(following));
      setText(follow, following ? 'Following' : 'Follow');
      follow.disabled = !canFollow;
      setAttr(windows, 'aria-expanded', String(kept.open));
      setText(windows, kept.count > 0 ? `Windows ${count(kept.count)}` : 'Windows');
      setAttr(all, 'aria-pressed', String(whole));
      setText(extent, words);
      setText(trouble, text);
      trouble.hidden = text === '';
    },
  };
}
