// start.js - the start page of the Compare view, without a base.

import { el, icon } from '../../dom.js';

/** `on.mark()` marks the profile, `on.choose()` opens the file dialog. Returns { root, mark (the button) }. */
export function createStart(on) {
  const key = (name) => el('kbd', {}, name);
  const mark = el('button', { type: 'button', class: 'button primary', onclick: on.mark }, 'Mark now', key('m'));
  const choose = el('button', { type: 'button', class: 'button', onclick: on.choose }, 'Open a snapshot…', key('f'));
  const root = el(
    'div',
    { class: 'empty compare-start', hidden: true },
    el('span', { class: 'empty-sign', 'aria-hidden': 'true' }, icon('swap')),
    el('h2', {}, 'Nothing to compare with yet'),
    el(
      'p',
      {},
      'Mark the profile as it is now, then change something: another input, another setting, another load. ' +
        'What runs from then on is compared with what ran before. Or open a snapshot of another day or ' +
        'another firmware.',
    ),
    el('div', { class: 'compare-start-acts' }, mark, choose),
    el(
      'p',
      { class: 'compare-start-note' },
      'Snapshots are what Share, Snapshot (JSON) saves, or ',
      el('code', {}, 'miniprofd --export json=FILE'),
      '. You can also drop one anywhere on this page.',
    ),
  );
  return { root, mark };
}
