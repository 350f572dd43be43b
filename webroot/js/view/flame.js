// flame.js - the live flame graph: toolbar, way back up, canvas, the details line and the list of hot
// functions.
//
// Data arrives while the reader looks. So nothing here remembers a box: zoom, selection and pointer remember
// a path of functions, and each update finds the frame that this path leads to now.

import { el, setText } from '../dom.js';
import { count, duration, percent, plural } from '../model/format.js';
import { buildFrames } from '../model/frames.js';
import { narrowPx, neighbour, panRange, rangeOf, zoomRange } from '../model/layout.js';
import { rankBelow, rankFunctions } from '../model/rank.js';
import { matchFunctions, matchShare } from '../model/search.js';
import { createEmpty } from './empty.js';
import { FlameCanvas } from './flame-canvas.js';
import { createDetails } from './flame-details.js';
import { flameActions } from './flame-keys.js';
import { listenToPointer } from './flame-pointer.js';
import { createCrumbs, createToolbar } from './flame-toolbar.js';
import { createHotList } from './hot-list.js';

const glideMs = 140;
const leastShare = 1 / 20000; // of the callers' tree: some 30 times thinner than what can be seen
const still = matchMedia('(prefers-reduced-motion: reduce)');

function create(app) {
  let frames = null;
  let builtFor = '';
  let matched = { key: '', text: '', hits: null, share: null, list: [] };
  let zoom = 0; // nodes of `frames`, found anew after each build
  let selected = -1;
  let hovered = -1;
  let zoomPath = [];
  let selectedPath = null;
  let hoveredPath = null;
  let inUnit = 'time'; // what the widths are: place.unit, or time where there are no samples
  let narrow = 0; // frames merged in the mark under the pointer
  let span = [0, 1]; // the part of the zoomed frame in sight
  let drawn = [0, 1]; // what was painted last, as shares of the whole
  let glide = null; // { from: [a, b], began }
  let litFn = -1; // the function pointed at in the list
  let matchAt = -1; // the match gone to last
  const trail = []; // zooms to come back to

  // --- parts
  // ----------------------------------------------------------------------------------------------------------

  const toolbar = createToolbar(app.go);
  const crumbs = createCrumbs((depth) => zoomTo(frames.find(frames.path(zoom).slice(0, depth))));
  const scroller = el('div', { class: 'flame-scroll' });
  const canvas = el('canvas', {
    role: 'img',
    tabindex: '0',
    'aria-describedby': 'flame-spoken',
    'aria-label':
      'Flame graph. Arrow keys go from frame to frame, Enter zooms, Escape goes back. ' +
      'The Functions view has the same figures as a table.',
  });
  const painter = new FlameCanvas(scroller, canvas);
  const spoken = el('p', { class: 'hidden', id: 'flame-spoken', 'aria-live': 'polite' });

  const hot = createHotList({
    point(fn) {
      if (litFn === fn) return;
      litFn = fn;
      paint();
    },
    choose: (node) => reveal(node, true),
  });

  const details = createDetails((what) => act(what));
  const empty = createEmpty(() => app.device('start'));
  const body = el(
    'div',
    { class: 'flame-body' },
    el('div', { class: 'flame-main' }, scroller, spoken),
    hot.root,
  );
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

  const fnOf = (node) => app.profile.functions[frames.fn[node]] ?? null;
  const nameOf = (node) => (frames.fn[node] < 0 ? 'All' : (fnOf(node)?.name ?? ''));
  const labels = (node) => frames.path(node).map((fn) => app.profile.labelOf(fn));
  const ids = (list) => new Set(list.map((label) => app.profile.idOf(label)).filter((id) => id >= 0));

  const samplesThere = () => app.profile.provides('samples') && app.profile.samples?.total > 0;

  function build() {
    const { profile, place } = app;
    inUnit = place.unit === 'samples' && !samplesThere() ? 'time' : place.unit;
    const path = place.zoom.map((label) => profile.idOf(label));
    const searching = !app.match.empty;
    const key = [
      profile.sequence,
      profile.named,
      app.paused,
      inUnit,
      place.inverted,
      place.order,
      place.collapse,
      place.hide,
      place.focus,
      place.inverted && [path, searching],
    ].join('|');
    if (key !== builtFor) {
      builtFor = key;
      const rule = {
        unit: inUnit,
        inverted: place.inverted,
        collapse: place.collapse,
        order: place.order,
        hide: ids(place.hide),
        focus: ids(place.focus),
        zoom: path,
        least: searching ? 0 : leastShare, // what a search matches has to be all there
      };
      frames = buildFrames(profile, rule);
      // Calls that take less than a tick have no width in time, but they have been made.
      if (frames.weight[0] === 0 && inUnit === 'time')
        frames = buildFrames(profile, { ...rule, unit: 'calls' });
      matched.key = '';
      if (selectedPath !== null) selected = exactly(selectedPath);
      if (hoveredPath !== null) hovered = exactly(hoveredPath);
    }
    if (path.join() !== zoomPath.join()) {
      if (frames.count > 1) glide = { from: drawn, began: performance.now() };
      span = [0, 1];
      zoomPath = path;
    }
    zoom = frames.find(path);
  }

  /** The node of exactly this path, or -1 while it is not there. */
  function exactly(path) {
    const node = frames.find(path);
    return frames.depth[node] === path.length ? node : -1;
  }

  function search() {
    const key = `${builtFor}|${app.place.search}|${zoom}`;
    if (matched.key === key) return;
    if (matched.text !== app.place.search) matchAt = -1;
    const hits = app.match.empty ? null : matchFunctions(app.profile.functions, app.match);
    matched = {
      key,
      text: app.place.search,
      hits,
      share: hits ? matchShare(frames, hits, zoom) : null,
      list: hits
        ? rankFunctions(frames, 0, 'total', hits)
        : app.place.inverted
          ? rankBelow(frames, zoom)
          : rankFunctions(frames, zoom),
    };
  }

  function zoomTo(node) {
    const to = labels(node);
    span = [0, 1];
    if (to.join('\n') === app.place.zoom.join('\n')) {
      glide = { from: drawn, began: performance.now() };
      paint();
      return;
    }
    trail.push(app.place.zoom);
    app.go({ zoom: to });
    painter.showRow(frames.depth[node]);
  }

  function back() {
    if (span[0] !== 0 || span[1] !== 1) {
      span = [0, 1];
      glide = { from: drawn, began: performance.now() };
      paint();
      return true;
    }
    if (app.place.zoom.length > 0) {
      app.go({ zoom: trail.pop() ?? [] });
      return true;
    }
    if (selected < 0) return false;
    select(-1);
    return true;
  }

  function select(node, speak = false) {
    selected = node;
    selectedPath = node < 0 ? null : frames.path(node);
    if (speak && node >= 0) {
      const share = frames.weight[0] > 0 ? frames.weight[node] / frames.weight[0] : 0;
      setText(
        spoken,
        [
          nameOf(node),
          `${percent(share)} of all`,
          duration(frames.ticks[node], app.profile.ticksPerSecond),
          `level ${frames.depth[node]}`,
          `${plural(frames.childFrom[node + 1] - frames.childFrom[node], 'frame')} below`,
        ].join(', '),
      );
    }
    paint();
  }

  /** Selects the frame and zooms out or in as far as it takes to see it. */
  function reveal(node, speak = false) {
    const [from, to] = rangeOf(frames, zoom, span);
    const inSight = frames.contains(zoom, node) && frames.start[node] >= from && frames.start[node] < to;
    const widthPx = (frames.weight[node] / (to - from)) * painter.width;
    select(node, speak);
    if (!inSight || widthPx < 30) {
      let above = Math.max(frames.parent[node], 0);
      if ((frames.weight[node] / (frames.weight[above] || 1)) * painter.width < 30) above = node;
      zoomTo(above);
    }
    painter.showRow(frames.depth[node]);
    paint();
  }

  function nextOf(key, options) {
    app.go({ [key]: options[(options.indexOf(app.place[key]) + 1) % options.length] }, { replace: true });
  }

  /** The frame in the details line: the one pointed at, else the one selected. */
  const meant = () => (hovered >= 0 ? hovered : selected);

  /** Does what a button, key or menu entry says to the frame. */
  function act(what, node = meant()) {
    if (frames === null || node < 0) return false;
    if (what === 'zoom') {
      zoomTo(node);
      return true;
    }
    const fn = frames.fn[node];
    if (fn < 0) return false;
    const label = app.profile.labelOf(fn);
    if (what === 'function') app.go({ view: 'functions', fn: label });
    if (what === 'hide') app.go({ hide: [...new Set([...app.place.hide, label])] });
    if (what === 'focus') app.go({ focus: [label], zoom: [] });
    if (what === 'copy') {
      navigator.clipboard?.writeText(fnOf(node)?.name ?? '').then(
        () => app.toast('ok', 'Name copied'),
        () => app.toast('bad', 'The browser does not let this page copy.'),
      );
    }
    if (what === 'hide' || what === 'focus') select(-1);
    return true;
  }

  function menu(node, at) {
    if (node < 0 || frames.fn[node] < 0) return false;
    select(node);
    app.openMenu(at, nameOf(node), [
      { label: 'Zoom to this frame', icon: 'zoom', key: '⏎', run: () => act('zoom', node) },
      { label: 'Focus on this function', icon: 'focus', key: 'f', run: () => act('focus', node) },
      { label: 'Hide this function', icon: 'hide', key: 'h', run: () => act('hide', node) },
      { label: 'Callers, callees, durations', icon: 'table', key: 'g', run: () => act('function', node) },
      { label: 'Copy name', key: 'y', run: () => act('copy', node) },
    ]);
    return true;
  }

  // --- pointer
  // --------------------------------------------------------------------------------------------------------

  function point(found) {
    const node = found?.node ?? -1;
    if (node === hovered && narrow === (found?.more ?? 0)) return;
    hovered = node;
    hoveredPath = node < 0 ? null : frames.path(node);
    narrow = found?.more ?? 0;
    paint();
  }

  function press(found, byFinger) {
    const node = found?.node ?? -1;
    // A finger hides what it points at: the first tap tells what it is, the second zooms.
    const only = byFinger && node !== selected;
    select(node);
    if (found?.more > 0) zoomTo(Math.max(frames.parent[node], 0));
    else if (node >= 0 && !only) zoomTo(node);
  }

  listenToPointer(canvas, {
    find: (x, y) => (frames === null ? null : painter.at(x, y)),
    point,
    press,
    menu(found, spot) {
      const node = found?.node ?? selected;
      return node >= 0 && menu(node, found === null ? menuSpot() : spot);
    },
    pan: (share) => frames !== null && shift(panRange(frames, zoom, span, share)),
    zoom: (factor, at) => frames !== null && shift(zoomRange(frames, zoom, span, factor, at)),
    scrolls: () => scroller.scrollHeight > scroller.clientHeight + 1,
  });
  scroller.addEventListener('scroll', () => paint());

  function menuSpot() {
    const box = canvas.getBoundingClientRect();
    return {
      x: box.left + 24,
      y: box.top + (frames.depth[selected] + 1) * painter.rowPx - scroller.scrollTop,
    };
  }

  function shift(to) {
    glide = null;
    span = to.span;
    if (to.node !== zoom) {
      const kept = to.span;
      zoomPath = frames.path(to.node);
      zoom = to.node;
      app.go({ zoom: labels(to.node) }, { replace: true });
      span = kept;
    }
    paint();
  }

  function arrow(way) {
    if (frames === null || frames.weight[0] === 0) return false;
    let node = selected < 0 ? zoom : neighbour(frames, selected, way);
    if (selected < 0 && zoom === 0 && way === 'down') node = neighbour(frames, 0, 'down');
    if (!frames.contains(zoom, node)) zoomTo(node);
    point(null); // a pointer that only lies there must not outdo the keys
    select(node, true);
    painter.showRow(frames.depth[node]);
    return true;
  }

  // --- drawing
  // --------------------------------------------------------------------------------------------------------

  let frame = 0;

  function paint() {
    if (frame === 0 && frames !== null && !root.hidden) {
      frame = requestAnimationFrame(() => {
        frame = 0;
        paintNow();
      });
    }
  }

  function paintNow() {
    if (frames === null || frames.weight[0] === 0) return;
    const { profile, place } = app;
    const all = frames.weight[0];
    let [from, to] = rangeOf(frames, zoom, span).map((edge) => edge / all);
    if (glide !== null) {
      const t = still.matches ? 1 : Math.min((performance.now() - glide.began) / glideMs, 1);
      const eased = 1 - (1 - t) ** 3;
      from = glide.from[0] + (from - glide.from[0]) * eased;
      to = glide.from[1] + (to - glide.from[1]) * eased;
      if (t < 1) paint();
      else glide = null;
    }
    drawn = [from, to];
    let lit = matched.hits;
    if (litFn >= 0) {
      lit = new Uint8Array(profile.functions.length);
      lit[litFn] = 1;
    }
    painter.paint({
      frames,
      functions: profile.functions,
      named: profile.named,
      theme: app.theme,
      colourBy: place.colour,
      from: from * all,
      to: to * all,
      zoom,
      hover: hovered,
      selected,
      lit,
      rootText: wholeText(),
    });
    showDetails();
  }

  const amount = (weight) =>
    inUnit === 'time' ? duration(weight, app.profile.ticksPerSecond) : count(weight);
  const wholeText = () => `all  ${amount(frames.weight[0])}`;

  function showDetails() {
    const { profile } = app;
    const node = meant();
    const at = node >= 0 ? node : zoom;
    const colour = painter.colours[frames.fn[at]];
    details.show({
      profile,
      frames,
      node: at,
      zoom,
      name: nameOf(at),
      unit: inUnit,
      narrow: hovered >= 0 ? narrow : 0,
      colour: typeof colour === 'string' ? colour : '',
      chosen: node >= 0,
    });
  }

  function showCrumbs() {
    const { profile } = app;
    const names = frames.path(zoom).map((fn) => profile.functions[fn]?.name ?? '');
    crumbs.show(
      ['all', ...names],
      `${duration(frames.ticks[0], profile.ticksPerSecond)} in ${plural(frames.calls[0], 'call')} · ` +
        plural(frames.count - 1, 'frame'),
    );
  }

  function update() {
    build();
    const { place } = app;
    toolbar.show(place, inUnit, samplesThere());
    const nothing = frames.weight[0] === 0;
    const filtered = nothing && place.hide.length + place.focus.length > 0 && app.profile.tree.length > 1;
    for (const part of [crumbs.root, body, details.root]) part.hidden = nothing;
    toolbar.root.hidden = nothing && !filtered;
    if (nothing) {
      empty.show(app.profile, app.answers, filtered);
      return;
    }
    empty.hide();
    search();
    showCrumbs();
    const searching = matched.hits !== null;
    const callersOf = place.inverted && !searching && zoom > 0 ? nameOf(zoom) : '';
    hot.update({
      app,
      list: matched.list,
      searching,
      callersOf,
      whole: frames.weight[matched.hits ? 0 : zoom],
      selectedFn: selected >= 0 ? frames.fn[selected] : -1,
      isNarrow: (node) => (frames.weight[node] / frames.weight[0]) * painter.width < narrowPx,
    });
    paintNow();
  }

  return {
    root,
    update,
    back,
    summary() {
      if (!matched.share) return '';
      return `${percent(matched.share.share)} · ${plural(matched.list.length, 'function')}`;
    },
    next(step) {
      if (matched.hits === null || matched.list.length === 0) return false;
      const { length } = matched.list;
      matchAt = matchAt < 0 ? (step > 0 ? 0 : length - 1) : (matchAt + step + length) % length;
      reveal(matched.list[matchAt].node, true);
      return true;
    },
    actions: flameActions({
      arrow,
      act,
      menu: () => selected >= 0 && menu(selected, menuSpot()),
      showAll() {
        trail.length = 0;
        zoomTo(0);
      },
      zoom: (factor) => frames !== null && shift(zoomRange(frames, zoom, span, factor, 0.5)),
      pan: (share) => frames !== null && shift(panRange(frames, zoom, span, share)),
      unhide: () => app.go({ hide: [], focus: [] }),
      invert: () => app.go({ inverted: !app.place.inverted, zoom: [] }),
      fold: () => app.go({ collapse: !app.place.collapse }, { replace: true }),
      order: () => nextOf('order', ['heavy', 'name']),
      unit: () => nextOf('unit', samplesThere() ? ['time', 'calls', 'samples'] : ['time', 'calls']),
      colour: () => nextOf('colour', ['function', 'file']),
    }),
  };
}

export const flame = { id: 'flame', title: 'Flame', create };
