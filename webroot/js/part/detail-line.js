// detail-line.js - the line below a flame graph: a frame's name and location, its figures, a note and buttons.

import { el } from '../dom.js';

/**
 * `cells` are [id, term, tip] of the figures. Returns the line's parts: { root, swatch, title, where, shown (the value
 * of each figure by its id), note, acts }.
 */
export function createDetailLine(cells, buttons) {
  const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  const title = el('strong', { class: 'detail-name mono' });
  const where = el('span', { class: 'detail-place' });
  const shown = {};
  const figures = cells.map(([id, term, tip]) => {
    shown[id] = el('dd');
    return el('div', { title: tip }, el('dt', {}, term), shown[id]);
  });
  // It overlays the graph's bottom, so that nothing moves when it appears.
  const note = el('p', { class: 'detail-note' });
  const acts = el('div', { class: 'detail-acts' }, ...buttons);
  const root = el(
    'section',
    { class: 'details', 'aria-label': 'Details' },
    el('div', { class: 'detail-head' }, swatch, title, where),
    el('dl', { class: 'detail-figures' }, ...figures),
    note,
    acts,
  );
  return { root, swatch, title, where, shown, note, acts };
}
