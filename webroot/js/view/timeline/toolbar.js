// toolbar.js - following, zooming, and the text on what is visible.

import { el, setAttr, setText } from '../../dom.js';
import { zeros } from '../../model/time.js';
import { count, plural } from '../../model/format.js';
import { markMore } from '../../part/more.js';
import { createViewMenu } from '../../part/view-menu.js';

function press(text, tip, run) {
  return el('button', { type: 'button', class: 'button small', title: tip, onclick: run }, text);
}

/** The legend of the patterns for away stretches. */
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

/**
 * on: { follow, showAll, zoom(factor), windows, showHidden, goTo, note, zero(chosen): a value of place.zero, or 'here'
 * for the selected time }.
 */
export function createTimelineToolbar(host, on) {
  let from = '';
  const follow = press('Follow', 'Keep the newest calls visible (f); moving about ends it', on.follow);
  const all = press('All', 'All that is held (0)', on.showAll);
  const windows = press('Triggers', 'What happened around slow calls (l)', on.windows);
  setAttr(windows, 'aria-controls', 'windows');
  const hidden = press('', 'Show the lanes that are hidden (u)', on.showHidden);
  hidden.classList.add('lanes-hidden');
  const goTo = press('Go to …', 'Go to a time, such as 12.3 s (j)', on.goTo);
  const counted = [...zeros.map(([zero, words]) => [zero, words]), ['here', 'This moment']];
  const menu = createViewMenu(host, 'the timeline', () => [
    { label: 'Set a note here…', key: 'b', run: on.note },
    { label: 'Closer', key: 'w', run: () => on.zoom(0.7) },
    { label: 'Further', key: 's', run: () => on.zoom(1 / 0.7) },
    { heading: 'Time counts from', key: 'Shift+T', items: counted, now: /^\d/.test(from) ? 'here' : from, choose: on.zero },
  ]);
  const extent = el('p', { class: 'extent' });
  const trouble = el('p', { class: 'timeline-trouble', role: 'status' });
  const legend = createLegend();
  return {
    root: markMore(el(
      'div',
      { class: 'toolbar', role: 'toolbar', 'aria-label': 'Timeline' },
      follow,
      all,
      goTo,
      menu,
      windows,
      hidden,
      extent,
      trouble,
      legend,
      el('p', { class: 'timeline-hint' }, 'Drag on the axis: a range for every view'),
    )),
    /**
     * following: whether the newest is kept visible; canFollow: whether anything new can come; away: whether there are
     * contexts that did not run; windows: { open, count };
     * zero: place.zero; hidden: how many lanes are.
     */
    show({ following, all: whole, canFollow, words, away, trouble: text, windows: kept, zero, hidden: lanes }) {
      hidden.hidden = lanes === 0;
      setText(hidden, `${plural(lanes, 'lane')} hidden, show`);
      from = zero;
      legend.hidden = !away;
      setAttr(follow, 'aria-pressed', String(following));
      setText(follow, following ? 'Following' : 'Follow');
      follow.disabled = !canFollow;
      setAttr(windows, 'aria-expanded', String(kept.open));
      setText(windows, kept.count > 0 ? `Triggers ${count(kept.count)}` : 'Triggers');
      setAttr(all, 'aria-pressed', String(whole));
      setText(extent, words);
      setText(trouble, text);
      trouble.hidden = text === '';
    },
  };
}
