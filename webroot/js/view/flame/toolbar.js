// toolbar.js - the options of the flame graph: mode; in a menu, order, width, folding and colour; and hidden and
// focused functions.

import { el, icon } from '../../dom.js';
import { createCompareWith } from '../../part/compare-with.js';
import { createModes } from '../../part/modes.js';
import { markMore } from '../../part/more.js';
import { createViewMenu } from '../../part/view-menu.js';

const kept = { replace: true };
const orders = [
  ['heavy', 'Heaviest first'],
  ['name', 'By name'],
];
const units = [
  ['time', 'Total time'],
  ['calls', 'Number of calls'],
  ['samples', 'Samples'],
];
const parts = [
  ['both', 'Graph and table'],
  ['flame', 'Graph'],
  ['table', 'Table'],
];
const colours = [
  ['function', 'Function'],
  ['file', 'Source file'],
];

/** `host` has the place (host.js). */
export function createToolbar(host) {
  const { go } = host;
  let now = { unit: 'time', samples: false };
  const modes = createModes(host);
  const menu = createViewMenu(host, 'the flame graph', () => {
    const { place } = host;
    const choose = (key) => (value) => go({ [key]: value }, kept);
    return [
      { heading: 'Show', key: 'v', items: parts, now: place.parts, choose: choose('parts') },
      { heading: 'Width', key: 'w', items: units.filter(([unit]) => unit !== 'samples' || now.samples), now: now.unit, choose: choose('unit') },
      { heading: 'Order', key: 'o', items: orders, now: place.order, choose: choose('order') },
      { heading: 'Colour by', key: 'l', items: colours, now: place.colour, choose: choose('colour') },
      { heading: 'Recursion' },
      { label: 'Fold recursion', key: 'r', now: place.collapse, choose: () => go({ collapse: !place.collapse }, kept) },
    ];
  });
  const chips = el('div', { class: 'chips' });
  const bar = { class: 'toolbar', role: 'toolbar', 'aria-label': 'Flame graph' };
  return {
    root: markMore(el('div', bar, modes.root, menu, createCompareWith(host), chips)),
    /** `inUnit` is the width in use, which is time where there are no samples to show. */
    show(inUnit, samplesThere) {
      now = { unit: inUnit, samples: samplesThere };
      modes.show();
      showChips(host, chips);
    },
  };
}

const kindWords = { focus: 'focus', hide: 'hidden', merge: 'merged' };

function chip(host, kind, label) {
  return el(
    'button',
    {
      type: 'button',
      class: 'chip',
      title: `${label}: click to undo`,
      onclick: () => host.go({ [kind]: host.place[kind].filter((one) => one !== label) }),
    },
    el('span', { class: 'chip-kind' }, kindWords[kind]),
    el('span', { class: 'mono' }, label),
    icon('close'),
  );
}

function showChips(host, chips) {
  const { place } = host;
  const kinds = Object.keys(kindWords);
  const key = JSON.stringify(kinds.map((kind) => place[kind]));
  if (chips.dataset.key === key) return;
  chips.dataset.key = key;
  chips.replaceChildren(...kinds.flatMap((kind) => place[kind].map((label) => chip(host, kind, label))));
}
