// flame.js - a small flame graph, which links to the large one.

import { el, setText } from '../../dom.js';
import { count, duration, percent, plural } from '../../model/format.js';
import { contextName } from '../../model/lanes.js';
import { roomyRowPx, rowCount } from '../../model/layout.js';
import { Latest } from '../../model/latest.js';
import { contextOf, isRoot } from '../../model/roots.js';
import { Stage } from '../../part/flame/stage.js';

const leastShare = 1 / 2000; // thinner frames are not visible here
const rule = { unit: 'time', inverted: false, collapse: false, order: 'heavy', roots: true, hide: new Set(), merge: new Set(), focus: new Set(), zoom: [], least: leastShare };

export function createFlame(host) {
  const flame = { host, frames: null, functions: [], note: el('span', { class: 'overview-note' }) };
  flame.title = el('h2', {}, 'Busy time');
  flame.latest = new Latest(
    async (profile) => ({ made: await host.buildFrames(profile, rule), functions: profile.functions }),
    ({ made, functions }) => {
      [flame.frames, flame.functions] = [made, functions];
      host.fresh();
    },
  );
  flame.stage = new Stage({
    id: 'overview-flame',
    label: 'Flame graph. Arrow keys go from frame to frame, Enter opens the frame in the view Flame.',
    labelOf: (fn) => host.profile.labelOf(fn),
    zoomed: () => [],
    go: (zoom) => host.go({ view: 'flame', zoom, inverted: false }),
    scene: () => ({ functions: flame.functions, named: host.profile.named, theme: host.theme, colourBy: host.place.colour, lit: null, rootText: (fn) => nameOf(flame, fn) }),
    painted() {},
    spoken: (node) => spoken(flame, node),
    tip: (node, merged) => ({ id: `${node} ${merged}`, title: merged > 0 ? `${count(merged)} frames, too narrow to show` : nameOf(flame, flame.frames.fn[node]), text: spokenShare(flame, node) }),
    menu() {},
  });
  flame.root = el('section', { class: 'overview-flame', 'aria-label': 'Busy time' }, el('div', { class: 'overview-head' }, flame.title, flame.note), flame.stage.root);
  return { root: flame.root, update: () => update(flame), actions: actionsOf(flame) };
}

function nameOf({ host, functions }, fn) {
  if (fn >= 0) return functions[fn]?.name ?? '';
  return isRoot(fn) ? contextName(host.profile.contexts.get(contextOf(fn)), contextOf(fn)) : 'All';
}

const shareOf = ({ frames }, node) => percent(frames.weight[0] > 0 ? frames.weight[node] / frames.weight[0] : 0);
const spokenShare = (flame, node) => `${shareOf(flame, node)} · ${duration(flame.frames.ticks[node], flame.host.profile.ticksPerSecond)}`;
const spoken = (flame, node) => `${nameOf(flame, flame.frames.fn[node])}, ${spokenShare(flame, node)}`;

const group = 'Overview';
const ways = { ArrowUp: 'up', ArrowDown: 'down', ArrowLeft: 'left', ArrowRight: 'right' };

function actionsOf({ stage }) {
  return [
    { keys: Object.keys(ways), label: 'From frame to frame', group, run: ({ key }) => stage.arrow(ways[key]) },
    { keys: ['Enter'], label: 'Open the frame in Flame', group, run: () => (stage.meant > 0 ? void stage.zoomTo(stage.meant) : false) },
  ];
}

function update(flame) {
  const { host, stage, latest, root } = flame;
  const { profile } = host;
  root.hidden = profile.tree.length <= 1;
  if (root.hidden) return;
  latest.want(`${profile.named}|${host.paused}|${host.place.idle}|${host.place.range}`, profile.sequence, () => [profile]);
  if (flame.frames === null) return;
  setText(flame.title, profile.idle > 0 ? 'Busy time' : 'Time');
  setText(flame.note, `${duration(flame.frames.ticks[0], profile.ticksPerSecond)} in ${plural(flame.frames.calls[0], 'call')}${profile.idle > 0 ? ` · idle ${percent(profile.idle)}, left out` : ''}`);
  // Rows share the height: there is nothing below them.
  const high = stage.root.clientHeight - 1;
  stage.painter.wantedRowPx = roomyRowPx(rowCount(flame.frames), high, stage.painter.leastRowPx, high);
  stage.show(flame.frames, []);
  stage.paintNow();
}
