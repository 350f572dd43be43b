// flame.js - the live flame graph: toolbar, way back up, canvas, the details line and the list of hot
// functions.

import { el, setAttr } from '../dom.js';
import { count, duration, percent, plural } from '../model/format.js';
import { Latest } from '../model/latest.js';
import { narrowPx } from '../model/layout.js';
import { rankBelow, rankFunctions } from '../model/rank.js';
import { matchFunctions, matchShare, stepMatch } from '../model/search.js';
import { createEmpty } from '../part/empty.js';
import { createDetails } from './flame/details.js';
import { flameActions } from './flame/keys.js';
import { createStage } from '../part/flame/stage.js';
import { createCrumbs, createToolbar } from './flame/toolbar.js';
import { createHotList } from '../part/hot-list.js';

const leastShare = 1 / 20000; // of the callers' tree: some 30 times thinner than what can be seen

function create(host) {
  const hasSource = host.views.includes('source'); // a report has not
  let frames = null; // what is shown; made beside the page, so it may be behind what host.place says
  let functions = []; // those that `frames` has numbers of
  let unit = 'time'; // what the widths of `frames` are
  let inverted = false; // whether `frames` has callers below callees
  let matched = { frames: null, key: '', text: '', hits: null, share: null, list: [] };
  let litFn = -1; // the function pointed at in the list
  let matchAt = -1; // the match gone to last

  // --- parts
  // ----------------------------------------------------------------------------------------------------------

  const toolbar = createToolbar(host.go);
  const crumbs = createCrumbs((depth) => stage.zoomTo(frames.find(frames.path(stage.zoom).slice(0, depth))));
  const stage = createStage({
    id: 'flame',
    label:
      'Flame graph. Arrow keys go from frame to frame, Enter zooms, Escape goes back. ' +
      'The Functions view has the same figures as a table.',
    labelOf: (fn) => host.profile.labelOf(fn),
    zoomed: () => host.place.zoom,
    go: (zoom, how) => host.go({ zoom }, how),
    scene,
    painted: showDetails,
    spoken,
    menu,
  });

  const hot = createHotList({
    point(fn) {
      if (litFn === fn) return;
      litFn = fn;
      stage.paint();
    },
    choose: (node) => stage.reveal(node, true),
  });

  const details = createDetails((what) => act(what), hasSource);
  const empty = createEmpty(() => host.device('start'));
  const body = el('div', { class: 'flame-body' }, stage.root, hot.root);
  const root = el(
    'section',
    { class: 'view flame', 'aria-label': 'Flame graph' },
    toolbar.root,
    crumbs.root,
    body,
    details.root,
    empty.root,
  );

  // --- state
  // ----------------------------------------------------------------------------------------------------------

  const fnOf = (node) => functions[frames.fn[node]] ?? null;
  const nameOf = (node) => (frames.fn[node] < 0 ? 'All' : (fnOf(node)?.name ?? ''));
  const ids = (list) => new Set(list.map((label) => host.profile.idOf(label)).filter((id) => id >= 0));

  const samplesThere = () => host.profile.provides('samples') && host.profile.samples?.total > 0;

  /** What the widths are to be: place.unit, or time where there are no samples. */
  const unitWanted = () => (host.place.unit === 'samples' && !samplesThere() ? 'time' : host.place.unit);

  async function make(profile, rule) {
    const named = profile.functions;
    let made = await host.buildFrames(profile, rule);
    // Calls that take less than a tick have no width in time, but they have been made.
    if (made.weight[0] === 0 && rule.unit === 'time')
      made = await host.buildFrames(profile, { ...rule, unit: 'calls' });
    return { made, named, rule };
  }

  const latest = new Latest(make, ({ made, named, rule }) => {
    frames = made;
    functions = named;
    ({ unit, inverted } = rule);
    host.redraw();
  });

  function wantFrames() {
    const { profile, place } = host;
    const path = place.zoom.map((label) => profile.idOf(label));
    const searching = !host.match.empty;
    const rule = () => ({
      unit: unitWanted(),
      inverted: place.inverted,
      collapse: place.collapse,
      order: place.order,
      hide: ids(place.hide),
      focus: ids(place.focus),
      zoom: path,
      least: searching ? 0 : leastShare, // what a search matches has to be all there
    });
    const what = [
      profile.named,
      host.paused,
      unitWanted(),
      place.inverted,
      place.order,
      place.collapse,
      place.hide,
      place.focus,
      place.inverted && [path, searching],
    ].join('|');
    if (profile.loaded) latest.want(what, profile.sequence, () => [profile, rule()]);
    setAttr(root, 'data-behind', latest.behind ? '' : null);
    if (frames !== null) stage.show(frames, path);
  }

  function search() {
    const { zoom } = stage;
    const key = `${host.profile.named}|${host.place.search}|${zoom}`;
    if (matched.frames === frames && matched.key === key) return;
    if (matched.text !== host.place.search) matchAt = -1;
    const hits = host.match.empty ? null : matchFunctions(functions, host.match);
    matched = {
      frames,
      key,
      text: host.place.search,
      hits,
      share: hits ? matchShare(frames, hits, zoom) : null,
      list: hits
        ? rankFunctions(frames, 0, 'total', hits)
        : inverted
          ? rankBelow(frames, zoom)
          : rankFunctions(frames, zoom),
    };
  }

  function spoken(node) {
    const share = frames.weight[0] > 0 ? frames.weight[node] / frames.weight[0] : 0;
    return [
      nameOf(node),
      `${percent(share)} of all`,
      duration(frames.ticks[node], host.profile.ticksPerSecond),
      `level ${frames.depth[node]}`,
      `${plural(frames.childFrom[node + 1] - frames.childFrom[node], 'frame')} below`,
    ].join(', ');
  }

  function nextOf(key, options) {
    host.go({ [key]: options[(options.indexOf(host.place[key]) + 1) % options.length] }, { replace: true });
  }

  /** Does what a button, key or menu entry says to the frame. */
  function act(what, node = stage.meant) {
    if (frames === null || node < 0) return false;
    if (what === 'zoom') {
      stage.zoomTo(node);
      return true;
    }
    const fn = frames.fn[node];
    if (fn < 0) return false;
    const label = host.profile.labelOf(fn);
    if (what === 'function') host.go({ view: 'functions', fn: label });
    if (what === 'source') host.go({ view: 'source', fn: label, row: '' });
    if (what === 'hide') host.go({ hide: [...new Set([...host.place.hide, label])] });
    if (what === 'focus') host.go({ focus: [label], zoom: [] });
    if (what === 'copy') host.copy(fnOf(node)?.name ?? '', 'Name');
    if (what === 'hide' || what === 'focus') stage.select(-1);
    return true;
  }

  function menu(node, at) {
    host.openMenu(at, nameOf(node), [
      { label: 'Zoom to this frame', icon: 'zoom', key: '⏎', run: () => act('zoom', node) },
      { label: 'Focus on this function', icon: 'focus', key: 'f', run: () => act('focus', node) },
      { label: 'Hide this function', icon: 'hide', key: 'h', run: () => act('hide', node) },
      { label: 'Callers, callees, durations', icon: 'table', key: 'g', run: () => act('function', node) },
      ...(hasSource
        ? [{ label: 'Source and instructions', icon: 'code', key: 's', run: () => act('source', node) }]
        : []),
      { label: 'Copy name', key: 'y', run: () => act('copy', node) },
    ]);
  }

  // --- drawing
  // --------------------------------------------------------------------------------------------------------

  function scene() {
    const { profile, place } = host;
    let lit = matched.hits;
    if (litFn >= 0) {
      lit = new Uint8Array(functions.length);
      lit[litFn] = 1;
    }
    return {
      functions,
      named: profile.named,
      theme: host.theme,
      colourBy: place.colour,
      lit,
      rootText: wholeText(),
    };
  }

  const amount = (weight) =>
    unit === 'time' ? duration(weight, host.profile.ticksPerSecond) : count(weight);
  const wholeText = () => `all  ${amount(frames.weight[0])}`;

  function showDetails() {
    const { profile } = host;
    const node = stage.meant;
    const at = node >= 0 ? node : stage.zoom;
    const colour = stage.painter.colours[frames.fn[at]];
    details.show({
      profile,
      frames,
      node: at,
      zoom: stage.zoom,
      name: nameOf(at),
      unit,
      narrow: stage.narrow,
      colour: typeof colour === 'string' ? colour : '',
      chosen: node >= 0,
    });
  }

  function showCrumbs() {
    const { profile } = host;
    const names = frames.path(stage.zoom).map((fn) => functions[fn]?.name ?? '');
    const much = samplesThere() ? plural(profile.samples.total, 'sample') : plural(frames.calls[0], 'call');
    crumbs.show(
      ['all', ...names],
      `${duration(frames.ticks[0], profile.ticksPerSecond)} in ${much} · ${plural(frames.count - 1, 'frame')}`,
    );
  }

  function update() {
    wantFrames();
    const { place } = host;
    toolbar.show(place, unitWanted(), samplesThere());
    const rows = host.profile.tree.length > 1;
    const nothing = frames === null || frames.weight[0] === 0;
    const filtered = nothing && place.hide.length + place.focus.length > 0 && rows;
    for (const part of [crumbs.root, body, details.root]) part.hidden = nothing;
    if (frames === null && rows) return; // the first ones are being made
    toolbar.root.hidden = nothing && !filtered;
    if (nothing) {
      empty.show(host.profile, host.answers, filtered);
      return;
    }
    empty.hide();
    search();
    showCrumbs();
    const searching = matched.hits !== null;
    const { zoom, selected, painter } = stage;
    const callersOf = inverted && !searching && zoom > 0 ? nameOf(zoom) : '';
    hot.update({
      functions: host.profile.functions,
      list: matched.list,
      searching,
      callersOf,
      whole: frames.weight[matched.hits ? 0 : zoom],
      selectedFn: selected >= 0 ? frames.fn[selected] : -1,
      isNarrow: (node) => (frames.weight[node] / frames.weight[0]) * painter.width < narrowPx,
    });
    stage.paintNow();
  }

  return {
    root,
    update,
    back: stage.back,
    summary() {
      if (!matched.share) return '';
      return `${percent(matched.share.share)} · ${plural(matched.list.length, 'function')}`;
    },
    next(step) {
      if (matched.hits === null || matched.list.length === 0) return false;
      const { length } = matched.list;
      matchAt = stepMatch(matchAt, step, length);
      stage.reveal(matched.list[matchAt].node, true);
      return true;
    },
    actions: flameActions({
      hasSource,
      arrow: stage.arrow,
      act,
      menu: stage.menu,
      showAll: stage.showAll,
      zoom: stage.zoomBy,
      pan: stage.pan,
      unhide: () => host.go({ hide: [], focus: [] }),
      invert: () => host.go({ inverted: !host.place.inverted, zoom: [] }),
      fold: () => host.go({ collapse: !host.place.collapse }, { replace: true }),
      order: () => nextOf('order', ['heavy', 'name']),
      unit: () => nextOf('unit', samplesThere() ? ['time', 'calls', 'samples'] : ['time', 'calls']),
      colour: () => nextOf('colour', ['function', 'file']),
    }),
  };
}

export const flame = { id: 'flame', title: 'Flame', create };
