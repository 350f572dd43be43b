// graph.js - the differential flame graph: its stage, colours and texts, the line below it and the list beside it.

import { figure, ratio } from '../../model/changes.js';
import { changeColour } from '../../model/colour.js';
import { strength } from '../../model/compare.js';
import { plural } from '../../model/format.js';
import { shorten } from '../../model/names.js';
import { rankFunctions } from '../../model/rank.js';
import { Stage } from '../../part/flame/stage.js';
import { openFrameMenu } from './acts.js';
import { changeEntries } from './list.js';
import { zoomed } from './versus.js';

const signs = { '-1': '−', 0: '', 1: '+' };

const leastOf = ({ host }) => Number(host.place.least) / 100;
const entryOf = ({ versus }, node) => versus.aligned.functions[versus.frames.fn[node]] ?? null;
const colourOf = (view, node) => changeColour(strength(view.versus.change(node), leastOf(view)), view.host.theme);

export function createCompareStage(view) {
  const { host } = view;
  return new Stage({
    id: 'compare',
    label:
      'Flame graph of the changes. Arrow keys go from frame to frame, Enter zooms, Escape goes back. ' +
      'The table of changes has the same figures by function.',
    labelOf: (fn) => view.versus.aligned.functions[fn].label,
    zoomed: () => zoomed(host),
    go: (zoom, how) => host.go({ zoom, inverted: false }, how),
    scene: () => scene(view),
    painted: () => showDetails(view),
    spoken: (node) => spoken(view, node).join(', '),
    tip: (node) => {
      const [title, figures, change] = spoken(view, node);
      return { id: node, title, text: `${figures} · ${change}` };
    },
    menu: (node, at) => openFrameMenu(view, node, at),
  });
}

function caption(view, node, name, room) {
  const change = view.versus.change(node);
  const sign = signs[Math.sign(strength(change, leastOf(view)))];
  if (sign === '') return shorten(name, room);
  const far = ratio(change);
  const told = /^[+−]/.test(far) ? far : `${sign} ${far}`;
  const rest = room - told.length - 2;
  if (name.length <= rest || rest > 20) return `${told}  ${shorten(name, rest)}`;
  return room < 4 ? sign : `${sign} ${shorten(name, room - 2)}`;
}

function scene(view) {
  const { host, versus } = view;
  const { functions } = versus.aligned;
  const whole = versus.change(0);
  const isTold = whole.before > 0 && whole.after > 0 && versus.how.measure !== 'share';
  return {
    functions,
    named: 0,
    theme: host.theme,
    colourBy: 'change',
    lit: view.matches.lit(view.litFn, functions),
    fillOf: (node) => colourOf(view, node),
    captionOf: (node, name, room) => caption(view, node, name, room),
    rootText: () => (isTold ? `all  ${ratio(whole)}` : 'all'),
  };
}

function spoken(view, node) {
  const { how, frames } = view.versus;
  const change = view.versus.change(node);
  return [
    entryOf(view, node)?.name ?? 'All',
    `before ${figure(change.before, how)}, after ${figure(change.after, how)}`,
    `change ${ratio(change)}`,
    `level ${frames.depth[node]}`,
  ];
}

function showDetails(view) {
  const { versus, stage } = view;
  const { frames, how } = versus;
  const node = stage.meant;
  const at = node >= 0 ? node : stage.zoom;
  view.details.show({
    entry: entryOf(view, at),
    change: versus.change(at),
    mean: versus.mean(at),
    calls: [frames.callsBefore[at], frames.callsAfter[at]],
    how,
    narrow: stage.narrow,
    colour: colourOf(view, at),
    chosen: node >= 0,
  });
}

/** Updates the search matches. */
export function searchGraph(view) {
  const { host, versus, stage } = view;
  const { frames, aligned } = versus;
  const about = { frames, functions: aligned.functions, named: 0, zoom: stage.zoom, match: host.match, text: host.place.search };
  view.matches.learn(about, (hits) => (hits === null ? [] : rankFunctions(frames, 0, 'total', hits)));
}

export function showList(view) {
  const { versus, stage, hot } = view;
  const { hits } = view.matches;
  const { entries, count } = changeEntries(versus, {
    hits,
    least: leastOf(view),
    selectedFn: stage.selected >= 0 ? versus.frames.fn[stage.selected] : -1,
    width: stage.painter.width,
    most: hot.rowsMost,
  });
  const what = versus.how.measure === 'call' ? 'per call' : { time: 'self', calls: 'calls', samples: 'samples' }[versus.how.unit];
  hot.show(hits ? 'Matches' : entries.length > 0 ? 'Most changed' : 'Nothing beyond noise', hits ? plural(count, 'function') : what, entries);
}
