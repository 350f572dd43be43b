// toolbar.js - what is chosen about the flame graph: direction, order, width, folding, colour; and what is hidden or in
// focus.

import { el, icon, setAttr } from '../../dom.js';
import { createChoice } from '../../part/choice.js';

const kept = { replace: true };
const directions = [
  [false, 'Top-down', 'Callers above what they call (i)'],
  [true, 'Callers', 'Functions above those who call them (i)'],
];
const orders = [
  ['heavy', 'Left-heavy', 'Heaviest first (o)'],
  ['name', 'A–Z', 'By name: frames keep their places while numbers grow (o)'],
];
const units = [
  ['time', 'Time', 'Width is total time (w)'],
  ['calls', 'Calls', 'Width is the number of calls (w)'],
  ['samples', 'Samples', 'Width is the number of samples (w); only where the target takes samples'],
];

const press = (text, title, onclick) => el('button', { type: 'button', class: 'button small', title, onclick }, text);

/** `host` is asked for the place, and goes to another one (host.js). */
export function createToolbar(host) {
  const { go } = host;
  const direction = createChoice('Direction', directions, (inverted) => go({ inverted, zoom: [] }));
  const order = createChoice('Order', orders, (to) => go({ order: to }, kept));
  const unit = createChoice('Width', units, (to) => go({ unit: to }, kept));
  const fold = press('Fold recursion', 'Show a recursive function once (r)', () =>
    go({ collapse: !host.place.collapse }, kept),
  );
  const colour = press('Colour by file', 'One colour family per source file (l)', () =>
    go({ colour: host.place.colour === 'file' ? 'function' : 'file' }, kept),
  );
  const chips = el('div', { class: 'chips' });
  const bar = { class: 'toolbar', role: 'toolbar', 'aria-label': 'Flame graph' };
  return {
    root: el('div', bar, direction.root, order.root, unit.root, fold, colour, chips),
    /** `inUnit` is the width in use, which is time where there are no samples to show. */
    show(inUnit, samplesThere) {
      const { place } = host;
      direction.show(place.inverted);
      order.show(place.order);
      unit.show(inUnit, (option) => option !== 'samples' || samplesThere);
      setAttr(fold, 'aria-pressed', String(place.collapse));
      setAttr(colour, 'aria-pressed', String(place.colour === 'file'));
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
