// keys.js - the keys of the call graph, and how they move from box to box.

import { depths } from './toolbar.js';

const group = 'Graph';
const wide = { callers: 'ArrowLeft', callees: 'ArrowRight', before: 'ArrowUp', after: 'ArrowDown', words: 'above, below' };
const narrow = {
  callers: 'ArrowUp',
  callees: 'ArrowDown',
  before: 'ArrowLeft',
  after: 'ArrowRight',
  words: 'to the left, right',
};

/** `on` has the keys' actions: drawn(run) runs only while there is a graph; along, across, zoom, fit and lead. */
export function graphActions(host, isNarrow, on) {
  const { callers, callees, before, after, words } = isNarrow ? narrow : wide;
  const { drawn } = on;
  const nextDepth = () => depths[Number(host.place.depth) % depths.length];
  const list = [
    [[callers], 'To the heaviest caller', drawn(() => on.along(-1))],
    [[callees], 'To the heaviest callee', drawn(() => on.along(1))],
    [[before, after], `To the box ${words}`, drawn((event) => on.across(event.key === after ? 1 : -1))],
    [['Enter'], 'Make the focused box the centre', () => false],
    [['d'], 'One, two, three levels', () => host.go({ depth: nextDepth(), more: [] }, { replace: true })],
    [['+', '-'], 'Larger, smaller', drawn((event) => on.zoom(event.key === '+' ? 1.25 : 0.8))],
    [['0'], 'Fit into the window', drawn(on.fit)],
    [['g'], 'Show in Functions', () => on.lead('functions')],
    ...(host.views.includes('source') ? [[['s'], 'Show the source', () => on.lead('source')]] : []),
  ];
  return list.map(([keys, label, run]) => ({ keys, label, group, run }));
}

/** The box at the heaviest arrow from a box to that side (-1 or 1), else the nearest box there, or undefined. */
export function boxAlong(from, side, { arrows }, { grid }) {
  const here = grid.get(from);
  const beyond = (id) => side * (grid.get(id).x - here.x) > 0;
  const weight = (arrow) => (arrow.ticks ?? 0) + arrow.calls * 1e-9;
  const otherEnd = (arrow) => (arrow.from === from ? arrow.to : arrow.to === from ? arrow.from : null);
  const [heaviest] = arrows
    .map((arrow) => ({ arrow, other: otherEnd(arrow) }))
    .filter(({ other }) => other !== null && other !== from && beyond(other))
    .sort((a, b) => weight(b.arrow) - weight(a.arrow));
  if (heaviest) return heaviest.other;
  const far = (id) => Math.abs(grid.get(id).x - here.x) * 1000 + Math.abs(grid.get(id).y - here.y);
  return [...grid.keys()].filter(beyond).sort((a, b) => far(a) - far(b))[0];
}

/** The box `step` further within a column, or a row in a narrow window; undefined where there is none. */
export function boxAcross(from, step, { grid }) {
  const here = grid.get(from);
  const column = [...grid].filter(([, at]) => at.x === here.x).sort(([, a], [, b]) => a.y - b.y);
  return column[column.findIndex(([id]) => id === from) + step]?.[0];
}
