// flame.js - the live flame graph: toolbar, way back up, canvas, the details line and the list of hot functions.
//
// Data arrives while the reader looks. So nothing here remembers a box: zoom, selection and pointer remember a path of
// functions, and each update finds the frame that this path leads to now.

import { button, el, icon, setAttr, setText } from '../dom.js';
import { count, duration, percent, place as sourcePlace, plural } from '../model/format.js';
import { buildFrames, rankBelow, rankFunctions } from '../model/frames.js';
import { narrowPx, neighbour, panRange, rangeOf, zoomRange } from '../model/layout.js';
import { explain } from '../model/placeholder.js';
import { matchFunctions, matchShare } from '../model/search.js';
import { createEmpty } from './empty.js';
import { FlameCanvas } from './flame-canvas.js';
import { createHotList } from './hot-list.js';

const glideMs = 140;
const gapPx = 4; // a press that moves less than this is a click
const still = matchMedia('(prefers-reduced-motion: reduce)');

function choice(label, options, chosen) {
  const buttons = options.map(([value, text, tip]) =>
    el('button', { type: 'button', title: tip, onclick: () => chosen(value) }, text));
  const root = el('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons);
  return {
    root,
    show(value, available = () => true) {
      options.forEach(([option], i) => {
        setAttr(buttons[i], 'aria-pressed', String(option === value));
        buttons[i].disabled = !available(option);
      });
    },
  };
}

function create(app) {
  let frames = null;
  let builtFor = '';
  let matched = { key: '', hits: null, share: null, list: [] };
  let zoom = 0; // nodes of `frames`, found anew after each build
  let selected = -1;
  let hovered = -1;
  let zoomPath = [];
  let selectedPath = null;
  let hoveredPath = null;
  let narrow = 0; // frames merged in the mark under the pointer
  let span = [0, 1]; // the part of the zoomed frame in sight
  let drawn = [0, 1]; // what was painted last, as shares of the whole
  let glide = null; // { from: [a, b], began }
  let litFn = -1; // the function pointed at in the list
  const trail = []; // zooms to come back to

  // --- parts ----------------------------------------------------------------------------------------------------------

  const direction = choice('Direction', [
    [false, 'Top-down', 'Callers above what they call (i)'],
    [true, 'Callers', 'Functions above those who call them (i)'],
  ], (inverted) => app.go({ inverted, zoom: [] }));
  const order = choice('Order', [
    ['heavy', 'Left-heavy', 'Heaviest first (o)'],
    ['name', 'A–Z', 'By name: frames keep their places while numbers grow (o)'],
  ], (to) => app.go({ order: to }, { replace: true }));
  const unit = choice('Width', [
    ['time', 'Time', 'Width is total time (w)'],
    ['calls', 'Calls', 'Width is the number of calls (w)'],
    ['samples', 'Samples', 'Width is the number of samples (w); only where the target takes samples'],
  ], (to) => app.go({ unit: to }, { replace: true }));
  const fold = el('button', { type: 'button', class: 'button small', title: 'Show a recursive function once (r)', onclick: () => toggle('collapse') }, 'Fold recursion');
  const colour = el('button', { type: 'button', class: 'button small', title: 'One colour family per source file (l)', onclick: () => nextOf('colour', ['function', 'file']) }, 'Colour by file');
  const chips = el('div', { class: 'chips' });
  const toolbar = el('div', { class: 'toolbar', role: 'toolbar', 'aria-label': 'Flame graph' }, direction.root, order.root, unit.root, fold, colour, chips);

  const crumbs = el('ol', { class: 'crumbs' });
  const crumbNav = el('nav', { class: 'crumb-scroll', 'aria-label': 'Zoom' }, crumbs);
  const extent = el('p', { class: 'extent' });
  const crumbBar = el('div', { class: 'crumb-bar' }, crumbNav, extent);

  const scroller = el('div', { class: 'flame-scroll' });
  const painter = new FlameCanvas(scroller);
  const { canvas } = painter;
  const spoken = el('p', { class: 'hidden', id: 'flame-spoken', 'aria-live': 'polite' });
  for (const [name, is] of [['role', 'img'], ['tabindex', '0'], ['aria-label', 'Flame graph. Arrow keys go from frame to frame, Enter zooms, Escape goes back. The Functions view has the same figures as a table.'], ['aria-describedby', 'flame-spoken']]) {
    canvas.setAttribute(name, is);
  }

  const hot = createHotList({
    point(fn) {
      if (litFn === fn) return;
      litFn = fn;
      paint();
    },
    choose: (node) => reveal(node, true),
  });

  const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
  const nameLine = el('strong', { class: 'detail-name mono' });
  const where = el('span', { class: 'detail-place' });
  const figures = el('dl', { class: 'detail-figures' });
  const figure = (term, tip) => {
    const value = el('dd');
    figures.append(el('div', { title: tip }, el('dt', {}, term), value));
    return value;
  };
  const shown = {
    total: figure('Total', 'Time in this frame and all below it'),
    all: figure('of all', 'Share of everything'),
    zoom: figure('of zoom', 'Share of the zoomed frame'),
    parent: figure('of parent', 'Share of the frame above'),
    self: figure('Self', 'Without the frames below it'),
    calls: figure('Calls', 'Completed calls on this path'),
    mean: figure('Mean', 'Time of one call on this path'),
  };
  const note = el('p', { class: 'detail-note' });
  const acts = el('div', { class: 'detail-acts' },
    button('zoom', 'Zoom', () => act('zoom'), { keys: 'Enter' }),
    button('focus', 'Focus', () => act('focus'), { keys: 'f', tip: 'Only what runs inside this function (f)' }),
    button('hide', 'Hide', () => act('hide'), { keys: 'h', tip: 'Leave this function and all it calls out (h)' }),
    button('table', 'Function', () => act('function'), { keys: 'g', tip: 'Callers, callees and durations (g)' }));
  const details = el('section', { class: 'details', 'aria-label': 'Details' },
    el('div', { class: 'detail-head' }, swatch, nameLine, where), figures, note, acts);

  const empty = createEmpty(() => app.device('start'));
  const body = el('div', { class: 'flame-body' }, el('div', { class: 'flame-main' }, scroller, spoken), hot.root);
  const root = el('section', { class: 'view flame', 'aria-label': 'Flame graph' }, toolbar, crumbBar, body, details, empty.root);

  // --- state ----------------------------------------------------------------------------------------------------------

  const fnOf = (node) => app.profile.functions[frames.fn[node]] ?? null;
  const nameOf = (node) => (frames.fn[node] < 0 ? 'All' : (fnOf(node)?.name ?? ''));
  const labels = (node) => frames.path(node).map((fn) => app.profile.labelOf(fn));
  const ids = (list) => new Set(list.map((label) => app.profile.idOf(label)).filter((id) => id >= 0));

  function build() {
    const { profile, place } = app;
    const samplesThere = profile.provides('samples') && profile.samples?.total > 0;
    const inUnit = place.unit === 'samples' && !samplesThere ? 'time' : place.unit;
    const key = [profile.sequence, profile.named, app.paused, inUnit, place.inverted, place.order, place.collapse, place.hide, place.focus].join('|');
    if (key !== builtFor) {
      builtFor = key;
      frames = buildFrames(profile, { unit: inUnit, inverted: place.inverted, collapse: place.collapse, order: place.order,
        hide: ids(place.hide), focus: ids(place.focus) });
      matched.key = '';
      if (selectedPath !== null) selected = exactly(selectedPath);
      if (hoveredPath !== null) hovered = exactly(hoveredPath);
    }
    const path = place.zoom.map((label) => profile.idOf(label));
    if (path.join() !== zoomPath.join()) {
      if (frames.count > 1) glide = { from: drawn, began: performance.now() };
      span = [0, 1];
      zoomPath = path;
    }
    zoom = frames.find(path);
    unit.show(inUnit, (option) => option !== 'samples' || samplesThere);
  }

  /** The node of exactly this path, or -1 while it is not there. */
  function exactly(path) {
    const node = frames.find(path);
    return frames.depth[node] === path.length ? node : -1;
  }

  function search() {
    const key = `${builtFor}|${app.place.search}|${zoom}`;
    if (matched.key === key) return;
    const hits = app.match.empty ? null : matchFunctions(app.profile.functions, app.match);
    matched = {
      key,
      hits,
      share: hits ? matchShare(frames, hits, zoom) : null,
      list: hits ? rankFunctions(frames, 0, hits, 100, 'total')
        : app.place.inverted ? rankBelow(frames, zoom, 100) : rankFunctions(frames, zoom, null, 100, 'self'),
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
      setText(spoken, `${nameOf(node)}, ${percent(share)} of all, ${duration(frames.ticks[node], app.profile.ticksPerSecond)}, ` +
        `level ${frames.depth[node]}, ${plural(frames.childFrom[node + 1] - frames.childFrom[node], 'frame')} below`);
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

  function toggle(key) {
    app.go({ [key]: !app.place[key] }, { replace: true });
  }

  function nextOf(key, options) {
    app.go({ [key]: options[(options.indexOf(app.place[key]) + 1) % options.length] }, { replace: true });
  }

  /** Does what a button, key or menu entry says to the frame in the details line. */
  function act(what, node = selected >= 0 ? selected : hovered) {
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
        () => app.toast('ok', 'Name copied'), () => app.toast('bad', 'The browser does not let this page copy.'));
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

  // --- pointer --------------------------------------------------------------------------------------------------------

  let press = null; // { x, y, moved }

  function under(event) {
    const box = canvas.getBoundingClientRect();
    return frames === null ? null : painter.at(event.clientX - box.left, event.clientY - box.top);
  }

  function point(found) {
    const node = found?.node ?? -1;
    if (node === hovered && narrow === (found?.more ?? 0)) return;
    hovered = node;
    hoveredPath = node < 0 ? null : frames.path(node);
    narrow = found?.more ?? 0;
    paint();
  }

  canvas.addEventListener('pointermove', (event) => {
    if (press !== null && event.buttons & 1) {
      const dx = event.clientX - press.x;
      if (!press.moved && Math.abs(dx) < gapPx) return;
      if (!press.moved) canvas.setPointerCapture(event.pointerId);
      press.moved = true;
      press.x = event.clientX;
      shift(panRange(frames, zoom, span, -dx / painter.width));
      return;
    }
    point(under(event));
  });
  canvas.addEventListener('pointerleave', () => point(null));
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button === 0) press = { x: event.clientX, moved: false };
  });
  canvas.addEventListener('pointerup', (event) => {
    const dragged = press?.moved;
    press = null;
    if (dragged || event.button !== 0) return;
    const found = under(event);
    if (found === null) {
      select(-1);
      return;
    }
    const { node, more } = found;
    // A finger hides what it points at: the first tap tells what it is, the second zooms.
    const touch = event.pointerType === 'touch' && node !== selected;
    select(node);
    if (more > 0) zoomTo(Math.max(frames.parent[node], 0));
    else if (!touch) zoomTo(node);
  });
  canvas.addEventListener('pointercancel', () => { press = null; });
  canvas.addEventListener('contextmenu', (event) => {
    const keyed = event.clientX === 0 && event.clientY === 0;
    const node = keyed ? selected : (under(event)?.node ?? -1);
    if (node >= 0 && menu(node, keyed ? menuSpot() : { x: event.clientX, y: event.clientY })) event.preventDefault();
  });
  canvas.addEventListener('wheel', (event) => {
    if (frames === null) return;
    const scrolls = scroller.scrollHeight > scroller.clientHeight + 1;
    const sideways = Math.abs(event.deltaX) > Math.abs(event.deltaY) || event.shiftKey;
    if (sideways && !event.ctrlKey) {
      event.preventDefault();
      shift(panRange(frames, zoom, span, (event.deltaX || event.deltaY) / painter.width));
    } else if (event.ctrlKey || event.metaKey || !scrolls) {
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      const steps = event.deltaMode === 1 ? event.deltaY * 16 : event.deltaY;
      shift(zoomRange(frames, zoom, span, Math.exp(Math.max(Math.min(steps, 120), -120) * 0.004), (event.clientX - box.left) / painter.width));
    }
  }, { passive: false });
  scroller.addEventListener('scroll', () => paint());

  function menuSpot() {
    const box = canvas.getBoundingClientRect();
    return { x: box.left + 24, y: box.top + (frames.depth[selected] + 1) * painter.rowPx - scroller.scrollTop };
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
    if (frames === null || frames.count < 2) return false;
    let node = selected < 0 ? zoom : neighbour(frames, selected, way);
    if (selected < 0 && zoom === 0 && way === 'down') node = neighbour(frames, 0, 'down');
    if (!frames.contains(zoom, node)) zoomTo(node);
    select(node, true);
    painter.showRow(frames.depth[node]);
    return true;
  }

  // --- drawing --------------------------------------------------------------------------------------------------------

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
    if (frames === null || frames.count < 2) return;
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
    painter.paint({ frames, functions: profile.functions, named: profile.named, theme: app.theme, colourBy: place.colour,
      from: from * all, to: to * all, zoom, hover: hovered, selected, lit, rootText: wholeText() });
    detail();
  }

  const amount = (weight) => (app.place.unit === 'time' ? duration(weight, app.profile.ticksPerSecond) : count(weight));
  const wholeText = () => `all  ${amount(frames.weight[0])}`;
  const share = (a, b) => percent(b > 0 ? a / b : NaN);

  function detail() {
    const node = hovered >= 0 ? hovered : selected;
    const { profile, place } = app;
    const at = node >= 0 ? node : zoom;
    const fn = fnOf(at);
    const name = nameOf(at);
    setText(nameLine, narrow > 0 && node === hovered && node >= 0 ? `${count(narrow)} narrow frames` : name);
    setAttr(nameLine, 'title', fn?.raw_name && fn.raw_name !== name ? `${name}\n${fn.raw_name}` : name);
    setText(where, fn ? sourcePlace(fn) : 'Point at a frame for its figures; click it to zoom.');
    const box = painter.colours[frames.fn[at]];
    swatch.style.background = typeof box === 'string' ? box : '';
    setText(shown.total, duration(frames.ticks[at], profile.ticksPerSecond));
    setText(shown.all, share(frames.weight[at], frames.weight[0]));
    setText(shown.zoom, share(frames.weight[at], frames.weight[zoom]));
    setText(shown.parent, at === 0 ? '–' : share(frames.weight[at], frames.weight[frames.parent[at]]));
    setText(shown.self, at === 0 ? '–' : place.unit === 'time' ? duration(frames.self[at], profile.ticksPerSecond) : count(frames.self[at]));
    setText(shown.calls, at === 0 ? '–' : count(frames.calls[at]));
    setText(shown.mean, at === 0 || !(frames.calls[at] > 0) ? '–' : duration(frames.ticks[at] / frames.calls[at], profile.ticksPerSecond));
    let text = explain(name);
    if (narrow > 0 && node === hovered && node >= 0) text = `The widest of them is ${name}. A click zooms to their caller, where they are wider.`;
    else if (profile.treeEstimated && at === 0) text = 'This tree is an estimate: the target reports arcs and samples, not paths.';
    setText(note, text);
    note.hidden = text === '';
    for (const one of acts.children) one.disabled = (selected < 0 && hovered < 0) || frames.fn[at] < 0;
  }

  function drawCrumbs() {
    const path = [0, ...pathNodes(zoom)];
    const texts = path.map((node) => (node === 0 ? 'all' : nameOf(node)));
    const key = texts.join('\n');
    const calls = app.profile.functions.reduce((sum, fn) => sum + (fn?.calls ?? 0), 0);
    setText(extent, `${duration(frames.ticks[0], app.profile.ticksPerSecond)} in ${plural(calls, 'call')} · ${plural(frames.count - 1, 'frame')}`);
    if (crumbs.dataset.key !== key) {
      crumbs.dataset.key = key;
      crumbs.replaceChildren(...texts.map((text, i) => el('li', {},
        el('button', { type: 'button', title: text, 'aria-current': i === path.length - 1 ? 'true' : null,
          onclick: () => zoomTo([0, ...pathNodes(zoom)][i] ?? 0) }, text))));
      crumbNav.scrollLeft = crumbNav.scrollWidth;
    }
  }

  function pathNodes(node) {
    const nodes = [];
    for (let at = node; at > 0; at = frames.parent[at]) nodes.push(at);
    return nodes.reverse();
  }

  function drawChips() {
    const { hide, focus } = app.place;
    const key = JSON.stringify([hide, focus]);
    if (chips.dataset.key === key) return;
    chips.dataset.key = key;
    const chip = (kind, label, list) => el('button', { type: 'button', class: 'chip', title: `${label}: click to undo`,
      onclick: () => app.go({ [kind]: list.filter((one) => one !== label) }) },
    el('span', { class: 'chip-kind' }, kind === 'hide' ? 'hidden' : 'focus'), el('span', { class: 'mono' }, label), icon('close'));
    chips.replaceChildren(...focus.map((label) => chip('focus', label, focus)), ...hide.map((label) => chip('hide', label, hide)));
  }

  function update() {
    build();
    const { place } = app;
    direction.show(place.inverted);
    order.show(place.order);
    setAttr(fold, 'aria-pressed', String(place.collapse));
    setAttr(colour, 'aria-pressed', String(place.colour === 'file'));
    drawChips();
    const nothing = frames.count < 2;
    const filtered = nothing && place.hide.length + place.focus.length > 0 && app.profile.tree.length > 1;
    for (const part of [crumbBar, body, details]) part.hidden = nothing;
    toolbar.hidden = nothing && !filtered;
    if (nothing) {
      empty.show(app.profile, app.answers);
      return;
    }
    empty.hide();
    search();
    drawCrumbs();
    const searching = matched.hits !== null;
    const callersOf = place.inverted && !searching && zoom > 0 ? nameOf(zoom) : '';
    hot.update({ app, list: matched.list, searching, callersOf, whole: frames.weight[matched.hits ? 0 : zoom],
      selectedFn: selected >= 0 ? frames.fn[selected] : -1,
      isNarrow: (node) => (frames.weight[node] / frames.weight[0]) * painter.width < narrowPx });
    paintNow();
  }

  let matchAt = -1;

  const group = 'Flame graph';
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
      matchAt = (matchAt + step + matched.list.length) % matched.list.length;
      if (matchAt < 0) matchAt = 0;
      reveal(matched.list[matchAt].node, true);
      return true;
    },
    actions: [
      { keys: ['ArrowLeft', 'ArrowRight'], label: 'Neighbouring frame', group, run: (event) => arrow(event.key === 'ArrowLeft' ? 'left' : 'right') },
      { keys: ['ArrowUp', 'ArrowDown'], label: 'Caller, heaviest callee', group, run: (event) => arrow(event.key === 'ArrowUp' ? 'up' : 'down') },
      { keys: ['Enter'], label: 'Zoom to the frame', group, run: () => act('zoom') },
      { keys: ['0'], label: 'Show all', group, run: () => { trail.length = 0; zoomTo(0); } },
      { keys: ['+', '-'], label: 'Closer, further', group, run: (event) => frames !== null && shift(zoomRange(frames, zoom, span, event.key === '+' ? 0.7 : 1 / 0.7, 0.5)) },
      { keys: [',', '.'], label: 'Move left, right', group, run: (event) => frames !== null && shift(panRange(frames, zoom, span, event.key === ',' ? -0.15 : 0.15)) },
      { keys: ['f'], label: 'Focus on the function', group, run: () => act('focus') },
      { keys: ['h'], label: 'Hide the function', group, run: () => act('hide') },
      { keys: ['u'], label: 'Undo focus and hide', group, run: () => app.go({ hide: [], focus: [] }) },
      { keys: ['g'], label: 'Open in Functions', group, run: () => act('function') },
      { keys: ['y'], label: 'Copy the name', group, run: () => act('copy') },
      { keys: ['m'], label: 'Menu of the frame', group, run: () => selected >= 0 && menu(selected, menuSpot()) },
      { keys: ['i'], label: 'Top-down or callers', group, run: () => app.go({ inverted: !app.place.inverted, zoom: [] }) },
      { keys: ['o'], label: 'Left-heavy or A–Z', group, run: () => nextOf('order', ['heavy', 'name']) },
      { keys: ['w'], label: 'Width: time, calls, samples', group, run: () => nextOf('unit', app.profile.provides('samples') && app.profile.samples?.total > 0 ? ['time', 'calls', 'samples'] : ['time', 'calls']) },
      { keys: ['r'], label: 'Fold recursion', group, run: () => toggle('collapse') },
      { keys: ['l'], label: 'Colour by function or file', group, run: () => nextOf('colour', ['function', 'file']) },
    ],
  };
}

export const flame = { id: 'flame', title: 'Flame', create };
