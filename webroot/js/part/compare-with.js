// compare-with.js - the toolbar button that opens the Compare view.

import { el } from '../dom.js';

/** A button; hidden if there is no Compare view, as in some reports. */
export const createCompareWith = (host) =>
  el(
    'button',
    { type: 'button', class: 'button small', hidden: !host.views.includes('compare'), title: 'Compare with a mark or a file (Shift+K)', onclick: () => host.go({ view: 'compare' }) },
    'Compare with…',
  );
