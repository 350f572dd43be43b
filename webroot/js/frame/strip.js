// strip.js - an optional second line of the header, with the pinned functions, in every view.

import { el } from '../dom.js';
import { createPinned } from '../part/pinned.js';

/** Goes below `header`; `host()` is the page's. */
export function createStrip({ header, host, place }) {
  const root = el('section', { class: 'strip', 'aria-label': 'Pinned functions', hidden: true });
  let pinned = null;
  header.after(root);
  return {
    actions: [{ keys: ['Shift+W'], label: 'Pinned functions below the header', group: 'Everywhere', run: () => place.go({ strip: !place.get().strip }, { replace: true }) }],
    update() {
      const { strip, pinned: labels, view } = place.get();
      root.hidden = !strip || labels.length === 0 || view === 'overview'; // which shows them itself
      if (root.hidden) return;
      if (pinned === null) root.append((pinned = createPinned(host())).root);
      pinned.update();
    },
  };
}
