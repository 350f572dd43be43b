// compare-with.js - the way into a comparison, in the toolbars of what can be compared.

import { el } from '../dom.js';

/** A button; hidden where there is no comparison, as in a report without one. */
export const createCompareWith = (host) =>
  el(
    'button',
    { type: 'button', class: 'button small', hidden: !host.views.includes('compare'), title: 'Compare with a mark or a file (Shift+K)', onclick: () => host.go({ view: 'compare' }) },
    'Compare with…',
  );
