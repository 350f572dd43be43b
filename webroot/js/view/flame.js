// flame.js - the live flame graph: toolbar, zoom path, canvas, details line and list of hot functions.

import { el, setAttr } from '../dom.js';
import { buildingState } from '../model/empty.js';
import { duration, percent, plural } from '../model/format.js';
import { Latest } from '../model/latest.js';
import { narrowPx } from '../model/layout.js';
import { rankBelow, rankFunctions } from '../model/rank.js';
import { isRoot } from '../model/roots.js';
import { createCrumbs } from '../part/crumbs.js';
import { createEmpty } from '../part/empty.js';
import { Matches } from '../part/flame/matches.js';
import { Stage } from '../part/flame/stage.js';
import { createHotList } from '../part/hot-list.js';
import { Maxes } from '../part/maxes.js';
import { nextOption } from '../part/option.js';
import { act, openFrameMenu } from './flame/acts.js';
import { createDetails } from './flame/details.js';
import { flameActions } from './flame/keys.js';
import { layParts, tableOf } from './flame/shape.js';
import { nameOf, spokenText, tipText, wholeText, wholeWord, wordOf } from './flame/texts.js';
import { createToolbar } from './flame/toolbar.js';
import { ruleOf, samplesThere, unitWanted } from './flame/wanted.js';

function create(host) {
  const view = {
    host,
    hasSource: host.views.includes('source'), // false in a report
    frames: null, // the frames shown; built by a worker, so they may be older than host.place
    functions: [], // those whose numbers `frames` has
    what: '', // the rule of `frames`, as text (flame/wanted.js)
    unit: 'time', // the unit of the widths of `frames`
    inverted: false, // true: `frames` has callers below callees
    matches: new Matches(),
    maxes: new Maxes(host, () => knowMaxes(view)),
    listed: null, // the frames that the list is of
    isTable: false, // whether the list has the room of a table
    chosen: -1, // the function that chosen() answered last
    litFn: -1, // the function pointed at in the list
    toolbar: createToolbar(host),
    empty: createEmpty(host),
  };
  view.stage = createStage(view);
  view.crumbs = createCrumbs((depth) => {
    const { frames, stage } = view;
    stage.zoomTo(frames.find(frames.path(stage.zoom).slice(0, depth)));
  });
  view.hot = createHotList({
    point: (fn) => light(view, fn),
    choose: (node) => view.stage.reveal(node, true),
    scroll: host.redraw,
  });
  view.details = createDetails((what) => act(view, what), view.hasSource);
  view.latest = new Latest(
    (profile, rule, what) => make(host, profile, rule, what),
    (made) => take(view, made),
  );
  view.head = el('div', { class: 'flame-head' }, view.toolbar.root, view.crumbs.root);
  view.body = el('div', { class: 'flame-body' }, view.stage.root, view.hot.root);
  view.root = el('section', { class: 'view flame', 'aria-label': 'Flame graph' }, view.head, view.body, view.details.root, view.empty.root);
  return answerOf(view);
}

function answerOf(view) {
  const { stage, matches } = view;
  return {
    root: view.root,
    update: () => update(view),
    beside: (isData) => showBeside(view, isData),
    back: () => stage.back(),
    chosen: () => chosen(view),
    summary: () =>
      matches.share ? `${percent(matches.share.share)} · ${plural(matches.list.length, 'function')}` : '',
    next(step) {
      const node = matches.next(step);
      if (node >= 0) stage.reveal(node, true);
      return node >= 0;
    },
    actions: actionsOf(view),
  };
}

function actionsOf(view) {
  const { host, stage } = view;
  return flameActions({
    hasSource: view.hasSource,
    arrow: (way) => stage.arrow(way),
    act: (what) => act(view, what),
    menu: () => stage.menu(),
    showAll: () => stage.showAll(),
    zoom: (factor) => stage.zoomBy(factor),
    pan: (share) => stage.pan(share),
    unhide: () => host.go({ hide: [], merge: [], focus: [] }),
    invert: () => host.go({ inverted: !host.place.inverted, zoom: [] }),
    fold: () => host.go({ collapse: !host.place.collapse }, { replace: true }),
    order: () => nextOption(host, 'order', ['heavy', 'name']),
    unit: () => nextOption(host, 'unit', samplesThere(host) ? ['time', 'calls', 'samples'] : ['time', 'calls']),
    colour: () => nextOption(host, 'colour', ['function', 'file']),
    parts: () => nextOption(host, 'parts', ['both', 'flame', 'table']),
  });
}

function createStage(view) {
  const { host } = view;
  return new Stage({
    id: 'flame',
    label:
      'Flame graph. Arrow keys go from frame to frame, Enter zooms, Escape goes back. ' +
      'The Functions view has the same figures as a table.',
    labelOf: (fn) => host.profile.labelOf(fn),
    zoomed: () => host.place.zoom,
    go: (zoom, how) => host.go({ zoom }, how),
    scene: () => scene(view),
    painted: () => showDetails(view),
    spoken: (node) => spokenText(view, node),
    tip: (node, merged) => tipText(view, node, merged),
    menu: (node, at) => openFrameMenu(view, node, at),
  });
}

// --- frames

async function make(host, profile, rule, what) {
  const named = profile.functions;
  let made = await host.buildFrames(profile, rule);
  // Calls shorter than a tick have no width in time, but can be counted.
  if (made.weight[0] === 0 && rule.unit === 'time')
    made = await host.buildFrames(profile, { ...rule, unit: 'calls' });
  return { made, named, rule, what };
}

function take(view, { made, named, rule, what }) {
  const isNews = view.what === what; // else the user chose other frames
  Object.assign(view, { frames: made, functions: named, unit: rule.unit, inverted: rule.inverted, what });
  if (isNews) view.host.fresh();
  else view.host.redraw();
}

function wantFrames(view) {
  const { host, latest } = view;
  const { profile } = host;
  const { what, rule, path } = ruleOf(host);
  if (profile.loaded) latest.want(what, profile.sequence, () => [profile, rule(), what]);
  setAttr(view.root, 'data-behind', latest.behind ? '' : null);
  if (view.frames !== null) view.stage.show(view.frames, path);
}

function search(view) {
  const { host, frames, functions, inverted } = view;
  const { zoom } = view.stage;
  const about = { frames, functions, named: host.profile.named, zoom, match: host.match, text: host.place.search };
  view.matches.learn(about, (hits) => {
    if (hits !== null) return rankFunctions(frames, 0, 'total', hits);
    return inverted ? rankBelow(frames, zoom) : rankFunctions(frames, zoom);
  });
}

// --- drawing

function light(view, fn) {
  if (view.litFn === fn) return;
  view.litFn = fn;
  view.stage.paint();
}

function scene(view) {
  const { host, functions } = view;
  return {
    functions,
    named: host.profile.named,
    theme: host.theme,
    colourBy: host.place.colour,
    lit: view.matches.lit(view.litFn, functions),
    rootText: (fn) => (isRoot(fn) ? wordOf(view, fn) : wholeText(view)),
  };
}

/** The function of the selected frame, else of the zoomed one; -1 for none. */
function chosen({ stage, frames }) {
  const node = stage.selected >= 0 ? stage.selected : stage.zoom;
  return frames === null || node <= 0 ? -1 : Math.max(frames.fn[node], -1);
}

function showDetails(view) {
  const { stage, frames } = view;
  if (view.chosen !== chosen(view)) view.host.redraw(); // the inspector shows another function
  view.chosen = chosen(view);
  const node = stage.meant;
  const at = node >= 0 ? node : stage.zoom;
  const colour = stage.painter.fillOf(at);
  view.details.show({
    profile: view.host.profile,
    frames,
    node: at,
    zoom: stage.zoom,
    name: nameOf(view, at),
    unit: view.unit,
    narrow: stage.narrow,
    colour: typeof colour === 'string' ? colour : '',
    chosen: node >= 0,
  });
}

function showCrumbs(view) {
  const { host, frames } = view;
  const { profile } = host;
  const names = frames.path(view.stage.zoom).map((fn) => wordOf(view, fn));
  const much = samplesThere(host) ? plural(profile.samples.total, 'sample') : plural(frames.calls[0], 'call');
  view.crumbs.show(
    [wholeWord(view), ...names],
    `${duration(frames.ticks[0], profile.ticksPerSecond)} in ${much} · ${plural(frames.count - 1, 'frame')}`,
  );
}

function showList(view) {
  const { frames, matches, stage } = view;
  const { zoom, selected, painter } = stage;
  const searching = matches.hits !== null;
  view.hot.update({
    functions: view.host.profile.functions,
    list: matches.list,
    searching,
    callersOf: view.inverted && !searching && zoom > 0 ? nameOf(view, zoom) : '',
    whole: frames.weight[searching ? 0 : zoom],
    selectedFn: selected >= 0 ? frames.fn[selected] : -1,
    isNarrow: (node) => !stage.root.hidden && (frames.weight[node] / frames.weight[0]) * painter.width < narrowPx,
    ...tableOf(view),
  });
}

function update(view) {
  const { host } = view;
  wantFrames(view);
  const { profile, place } = host;
  view.toolbar.show(unitWanted(host), samplesThere(host));
  const rows = profile.tree.length > 1;
  const nothing = view.frames === null || view.frames.weight[0] === 0;
  const filtered = nothing && place.hide.length + place.merge.length + place.focus.length > 0 && rows;
  for (const part of [view.crumbs.root, view.body, view.details.root]) part.hidden = nothing;
  if (view.frames === null && rows) {
    view.empty.tell(buildingState);
    return;
  }
  view.toolbar.root.hidden = nothing && !filtered;
  if (nothing) {
    view.empty.show(profile, host.answers, filtered);
    return;
  }
  view.empty.hide();
  view.isTable = layParts(view);
  search(view);
  showCrumbs(view);
  if (!view.stage.root.hidden) view.stage.paintNow();
}

/** Fills the list, which takes longer than the graph: new data is listed when it has frames. */
function showBeside(view, isData) {
  const { frames, hot, maxes } = view;
  if (view.body.hidden || frames === null || (isData && frames === view.listed)) return;
  view.listed = frames;
  const visible = hot.measure(); // sizes are read before anything changes
  showList(view); // after the graph has its width
  if (view.isTable) maxes.want(visible.length > 0 ? visible : hot.measure());
}

/** The longest calls of one more function are known. */
function knowMaxes(view) {
  view.listed = null;
  view.host.fresh();
}

export const flame = { id: 'flame', title: 'Flame', create };
