// crumbs.js - the path to a zoomed frame, with a link for each frame above.

import { el, setText } from '../dom.js';
import { shorten, tipOf } from '../model/names.js';

/** `zoomTo(depth)` zooms out to the frame at that depth of the path shown; 0 is the root. */
export function createCrumbs(zoomTo) {
  const crumbs = el('ol', { class: 'crumbs' });
  const way = el('nav', { class: 'crumb-scroll', 'aria-label': 'Zoom' }, crumbs);
  const extent = el('p', { class: 'extent' });

  function crumb(name, depth, isLast) {
    const current = isLast ? 'true' : null;
    const press = { type: 'button', title: tipOf(name), 'aria-current': current, onclick: () => zoomTo(depth) };
    return el('li', {}, el('button', press, shorten(name, 34)));
  }

  return {
    root: el('div', { class: 'crumb-bar' }, way, extent),
    /** `names` from the whole down to the zoomed frame; `sum` is the text on what the graph holds. */
    show(names, sum) {
      setText(extent, sum);
      const key = names.join('\n');
      if (crumbs.dataset.key === key) return;
      crumbs.dataset.key = key;
      crumbs.replaceChildren(...names.map((name, depth) => crumb(name, depth, depth === names.length - 1)));
      way.scrollLeft = way.scrollWidth;
    },
  };
}
