// toolbar.js - the options of a comparison: graph or table, measure, widths, order, threshold.

import { button, el } from '../../dom.js';
import { createChoice } from '../../part/choice.js';
import { createViewMenu } from '../../part/view-menu.js';

/** By key of the place: the name of the choice, and its options. */
const choices = {
  show: [
    'Show',
    ['flame', 'Flame graph', 'Flame graph of the changes (v)'],
    ['table', 'Table', 'Table of the changes (v)'],
  ],
};
/** The options in the menu, by key of the place: heading, keyboard key, and options. */
const inMenu = {
  measure: ['Measure', 'p', ['call', 'Time per call'], ['share', 'Share of the whole'], ['second', 'Per second'], ['total', 'Total']],
  unit: ['Compare', 'w', ['time', 'Time'], ['calls', 'Calls'], ['samples', 'Samples']],
  since: ['After is', 'i', [true, 'Since the mark'], [false, 'The whole profile']],
  side: ['Widths', 'b', ['after', 'Of after'], ['before', 'Of before']],
  order: ['Order', 'o', ['heavy', 'Heaviest first'], ['name', 'By name']],
  least: ['Changes that count', 'l', ['0', 'All'], ['1', '≥ 1 %'], ['5', '≥ 5 %'], ['10', '≥ 10 %']],
};

/** The available sections of the menu; `can`, `using` and `place` as for show() below. */
function sectionsOf(go, { place, can, using }) {
  const isThere = (key) => (key === 'since' ? can.since : !['side', 'order'].includes(key) || place.show === 'flame');
  return Object.entries(inMenu)
    .filter(([key]) => isThere(key))
    .map(([key, [heading, hotkey, ...options]]) => ({
      heading,
      key: hotkey,
      items: options.filter(([one]) => (key === 'unit' ? can.units.has(one) : key !== 'measure' || can.measures.has(one))),
      now: using[key] ?? place[key],
      choose: (value) => go({ [key]: value }, { replace: true }),
    }));
}

/** `host` goes to another place (host.js); `copy()` copies the table. */
export function createCompareToolbar(host, copy) {
  const { go } = host;
  let now = null;
  const parts = {};
  for (const [key, [label, ...options]] of Object.entries(choices))
    parts[key] = createChoice(label, options, (value) => go({ [key]: value }, { replace: true }));
  const menu = createViewMenu(host, 'the comparison', () => sectionsOf(go, now));
  const csv = button('copy', 'Copy as CSV', copy, { keys: 'y', tip: 'Copy the table for a spreadsheet (y)' });
  csv.classList.add('small');
  const bar = { class: 'toolbar', role: 'toolbar', 'aria-label': 'Comparison' };
  return {
    root: el('div', bar, parts.show.root, menu, csv),
    /** can: { since, units (a Set), measures (a Set) }; using: { unit, measure } in use. */
    show(place, can, using) {
      now = { place, can, using };
      parts.show.show(place.show);
      csv.hidden = place.show !== 'table';
    },
  };
}
