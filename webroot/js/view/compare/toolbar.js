// toolbar.js - what is chosen about a comparison: graph or table, measure, widths, order, threshold.

import { button, el } from '../../dom.js';
import { createChoice } from '../../part/choice.js';

const leastTip = 'Smaller changes are painted grey and left out of the table (l)';
/** By key of the place: how the choice is called, and its options. */
const choices = {
  show: [
    'Show',
    ['flame', 'Flame graph', 'Flame graph of the changes (v)'],
    ['table', 'Table', 'Table of the changes (v)'],
  ],
  measure: [
    'Measure',
    ['share', 'Share', 'Shares of the whole: what a longer run has more of does not count (p)'],
    ['call', 'Per call', 'How long a call takes on average (p)'],
    ['second', 'Per second', 'For each second that was profiled (p)'],
    ['total', 'Total', 'As counted: only for runs of the same length (p)'],
  ],
  unit: [
    'Unit',
    ['time', 'Time', 'Compare time (w)'],
    ['calls', 'Calls', 'Compare numbers of calls (w)'],
    ['samples', 'Samples', 'Compare samples (w); only where both have some'],
  ],
  since: [
    'After',
    [true, 'Since mark', 'After is only what has come since the mark (i)'],
    [false, 'All', 'After is the whole profile, with what the mark holds (i)'],
  ],
  side: [
    'Width',
    ['after', 'Width after', 'Widths are those of after (b)'],
    ['before', 'Width before', 'Widths are those of before: shows what is gone (b)'],
  ],
  order: [
    'Order',
    ['heavy', 'Left-heavy', 'Heaviest first (o)'],
    ['name', 'A–Z', 'By name: frames keep their places (o)'],
  ],
  least: [
    'Changes that count',
    ['0', 'All changes', 'Every change counts (l)'],
    ['1', '≥ 1 %', leastTip],
    ['5', '≥ 5 %', leastTip],
    ['10', '≥ 10 %', leastTip],
  ],
};

/** `go(change, how)` goes to another place (host.js); `copy()` copies the table. */
export function createCompareToolbar(go, copy) {
  const parts = {};
  for (const [key, [label, ...options]] of Object.entries(choices))
    parts[key] = createChoice(label, options, (value) => go({ [key]: value }, { replace: true }));
  const csv = button('copy', 'Copy as CSV', copy, { keys: 'y', tip: 'Copy the table for a spreadsheet (y)' });
  csv.classList.add('small');
  const bar = { class: 'toolbar', role: 'toolbar', 'aria-label': 'Comparison' };
  return {
    root: el('div', bar, ...Object.values(parts).map(({ root }) => root), csv),
    /** can: { since, units (a Set), measures (a Set) }; using: { unit, measure } in use. */
    show(place, can, using) {
      for (const key of ['show', 'since', 'side', 'order', 'least']) parts[key].show(place[key]);
      parts.measure.show(using.measure, (one) => can.measures.has(one));
      parts.unit.show(using.unit, (one) => can.units.has(one));
      parts.since.root.hidden = !can.since;
      for (const key of ['side', 'order']) parts[key].root.hidden = place.show !== 'flame';
      csv.hidden = place.show !== 'table';
    },
  };
}
