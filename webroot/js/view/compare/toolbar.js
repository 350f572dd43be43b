// toolbar.js - what is chosen about a comparison: graph or table, measure, widths, order, threshold;
// and the legend of its colours.

import { button, el } from '../../dom.js';
import { changeColour } from '../../model/colour.js';
import { choice } from '../flame/toolbar.js';

const steps = [
  [-3, 'half or less, or gone'],
  [-2, 'less by a sixth or more'],
  [-1, 'a little less'],
  [0, 'as before'],
  [1, 'a little more'],
  [2, 'more by a fifth or more'],
  [3, 'double or more, or new'],
];

/** `go(change, how)` goes to another place (main.js); `copy()` copies the table. */
export function createCompareToolbar(go, copy) {
  const set = (key) => (value) => go({ [key]: value }, { replace: true });
  const show = choice(
    'Show',
    [
      ['flame', 'Flame graph', 'Flame graph of the changes (v)'],
      ['table', 'Table', 'Table of the changes (v)'],
    ],
    set('show'),
  );
  const measure = choice(
    'Measure',
    [
      ['share', 'Share', 'Shares of the whole: what a longer run has more of does not count (p)'],
      ['call', 'Per call', 'How long a call takes on average (p)'],
      ['second', 'Per second', 'For each second that was profiled (p)'],
      ['total', 'Total', 'As counted: only for runs of the same length (p)'],
    ],
    set('measure'),
  );
  const unit = choice(
    'Unit',
    [
      ['time', 'Time', 'Compare time (w)'],
      ['calls', 'Calls', 'Compare numbers of calls (w)'],
      ['samples', 'Samples', 'Compare samples (w); only where both have some'],
    ],
    set('unit'),
  );
  const side = choice(
    'Width',
    [
      ['after', 'Width after', 'Widths are those of after (b)'],
      ['before', 'Width before', 'Widths are those of before: shows what is gone (b)'],
    ],
    set('side'),
  );
  const order = choice(
    'Order',
    [
      ['heavy', 'Left-heavy', 'Heaviest first (o)'],
      ['name', 'A–Z', 'By name: frames keep their places (o)'],
    ],
    set('order'),
  );
  const since = choice(
    'After',
    [
      [true, 'Since mark', 'After is only what has come since the mark (i)'],
      [false, 'All', 'After is the whole profile, with what the mark holds (i)'],
    ],
    set('since'),
  );
  const least = choice(
    'Changes that count',
    [
      ['0', 'All changes', 'Every change counts (l)'],
      ['1', '≥ 1 %', 'Smaller changes are painted grey and left out of the table (l)'],
      ['5', '≥ 5 %', 'Smaller changes are painted grey and left out of the table (l)'],
      ['10', '≥ 10 %', 'Smaller changes are painted grey and left out of the table (l)'],
    ],
    set('least'),
  );
  const csv = button('copy', 'Copy as CSV', copy, { keys: 'y', tip: 'Copy the table for a spreadsheet (y)' });
  csv.classList.add('small');

  const swatches = steps.map(([step, tip]) =>
    el('span', { class: 'legend-step', title: tip, 'data-step': String(step) }),
  );
  const legend = el(
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
  let theme = '';

  const root = el(
    'div',
    { class: 'toolbar', role: 'toolbar', 'aria-label': 'Comparison' },
    show.root,
    measure.root,
    unit.root,
    since.root,
    side.root,
    order.root,
    least.root,
    csv,
  );
  return {
    root,
    legend,
    /** can: { since, units (a Set), measures (a Set) }; using: { unit, measure } in use. */
    show(place, can, using, now) {
      show.show(place.show);
      measure.show(using.measure, (one) => can.measures.has(one));
      unit.show(using.unit, (one) => can.units.has(one));
      since.root.hidden = !can.since;
      since.show(place.since);
      side.show(place.side);
      order.show(place.order);
      least.show(place.least);
      for (const one of [side.root, order.root]) one.hidden = place.show !== 'flame';
      csv.hidden = place.show !== 'table';
      if (theme === now) return;
      theme = now;
      for (const one of swatches) one.style.background = changeColour(Number(one.dataset.step), theme);
    },
  };
}
