// legend.js - the legend of a comparison's colours.

import { el } from '../../dom.js';
import { changeColour } from '../../model/colour.js';

const steps = [
  [-3, 'half or less, or gone'],
  [-2, 'less by a sixth or more'],
  [-1, 'a little less'],
  [0, 'as before, or too few calls to say'],
  [1, 'a little more'],
  [2, 'more by a fifth or more'],
  [3, 'double or more, or new'],
];

export function createLegend() {
  const swatches = steps.map(([step, tip]) =>
    el('span', { class: 'legend-step', title: tip, 'data-step': String(step) }),
  );
  const root = el(
    'p',
    { class: 'legend' },
    el('span', {}, '− half or less'),
    el('span', { class: 'legend-steps', 'aria-hidden': 'true' }, ...swatches),
    el('span', {}, 'double or more +'),
    el(
      'span',
      { class: 'hidden' },
      'Blue is less than before, orange is more, grey is as before; the strongest are half and double.',
    ),
  );
  let shown = '';
  return {
    root,
    show(theme) {
      if (shown === theme) return;
      shown = theme;
      for (const one of swatches) one.style.background = changeColour(Number(one.dataset.step), theme);
    },
  };
}
