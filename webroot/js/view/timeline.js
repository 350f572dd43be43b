// timeline.js - the live timeline: what ran when, a lane per context, a row per depth.
//
// The daemon holds the calls; here are pictures of what is in sight (timeline/data.js), asked for as the sight moves.
// Nothing waits for them: what is known is drawn at once, and drawn anew when more is known.

import { el, setText } from '../dom.js';
import { duration, plural } from '../model/format.js';
import { emptyTimeline } from '../model/health.js';
import { writeRange } from '../model/range.js';
import { matchFunctions } from '../model/search.js';
import { request } from '../model/sight.js';
import { createEmpty } from '../part/empty.js';
import { TimelineCanvas } from './timeline/canvas.js';
import { createTimelineData } from './timeline/data.js';
import { createTimelineDetails, itemName } from './timeline/details.js';
import { TimelineHead } from './timeline/head.js';
import { timelineActions } from './timeline/keys.js';
import { createLanes } from './timeline/lanes.js';
import { listenToTimeline } from './timeline/pointer.js';
import { createRangePicker } from './timeline/range.js';
import { createSight } from './timeline/sight.js';
import { TimelineStyle } from './timeline/style.js';
import { createTimelineToolbar } from './timeline/toolbar.js';
import { createWalk } from './timeline/walk.js';

const addressMs = 250; // the address follows the sight when it has rested so long

function create(host) {
  let writing = 0;
  let selected = null; // an item of a picture
  let hovered = null;
  let cursor = null; // ticks under the pointer
  let lit = { key: '', hits: null, functions: 0 };
  let callsBefore = 0;
  let frame = 0;

  const profile = () => host.whole;
  const running = () => !host.paused && host.answers && host.live.source.state === 'connected';
  const data = createTimelineData({ load: host.fetchTimeline, changed: arrived });
  const sight = createSight(host, data, (step) => {
    writeAddress(step);
    paint();
  });
  const walk = createWalk({
    data,
    sight: () => sight.now,
    selected: () => selected,
    pictureAt,
    select: (item) => select(item, { speak: true, reveal: true }),
    pan: sight.pan,
    say: (text) => setText(spoken, text),
  });

  // --- parts

  const toolbar = createTimelineToolbar({ follow: sight.follow, showAll: sight.showAll, zoom });
  const headCanvas = el('canvas', { 'aria-hidden': 'true' });
  const canvas = el('canvas', {
    role: 'img',
    tabindex: '0',
    'aria-describedby': 'timeline-spoken',
    'aria-label':
      'Timeline. Arrow keys go from call to call, w and s zoom, a and d move, m goes to the next marker, ' +
      'Enter shows only the time of the call in every view.',
  });
  const sheet = el('div', { class: 'timeline-sheet' }, canvas);
  const scroller = el('div', { class: 'timeline-scroll' }, sheet);
  const spoken = el('p', { class: 'hidden', id: 'timeline-spoken', 'aria-live': 'polite' });
  const style = new TimelineStyle();
  const lanesPainter = new TimelineCanvas(scroller, canvas, sheet, style);
  const headPainter = new TimelineHead(headCanvas, style);
  const lanes = createLanes(sheet, () => {
    lay();
    paint();
  });
  const range = createRangePicker(
    (chosen) => host.go({ range: chosen }),
    () => paint(),
  );
  const details = createTimelineDetails((what) => act(what));
  const empty = createEmpty(() => host.device('start'));
  const body = el(
    'div',
    { class: 'timeline-body' },
    el('div', { class: 'timeline-head' }, headCanvas),
    el('div', { class: 'timeline-lanes' }, scroller),
    spoken,
  );
  const root = el('section', { class: 'view timeline', 'aria-label': 'Timeline' }, toolbar.root, body, details.root, empty.root);

  // --- the address

  const nameOf = (item) =>
    item === null || item.kind !== 'call' ? '' : `${item.context}-${item.depth}-${Math.round(item.start)}`;

  function readAddress() {
    if (sight.read()) {
      clearTimeout(writing);
      writing = 0;
    }
    if (writing === 0) readCall();
  }

  /** The call of the address is selected as soon as a picture shows it. */
  function readCall() {
    const { call } = host.place;
    if (call === nameOf(selected)) return;
    if (selected?.kind === 'call') selected = null;
    if (call === '') return;
    const [context, depth, start] = call.split('-').map(Number);
    const picture = pictureAt(start);
    if (picture === null || picture === data.overview) return;
    const i = picture.starting(context, depth, start);
    if (i < 0) return;
    selected = picture.item(i, { context, depth });
    lanesPainter.showRow(selected);
  }

  /** The address follows once the sight rests; at once, and as a step for Back, where `step` says so. */
  function writeAddress(step = false) {
    clearTimeout(writing);
    const write = () => {
      writing = 0;
      if (sight.now === null || root.hidden) return;
      host.go({ at: sight.write(), call: nameOf(selected) }, { replace: !step });
    };
    writing = 0;
    if (step) write();
    else writing = setTimeout(write, addressMs);
  }

  /** About the selected call while it is in sight. */
  function zoom(factor) {
    const { now, mode } = sight;
    const inSight = selected !== null && now !== null && selected.end > now.from && selected.start < now.to;
    if (!inSight || mode === 'live') return sight.zoom(factor);
    const middle = (Math.max(selected.start, now.from) + Math.min(selected.end, now.to)) / 2;
    return sight.zoom(factor, (middle - now.from) / (now.to - now.from));
  }

  // --- selection

  const meant = () => hovered ?? selected;
  const grain = () => (sight.now.to - sight.now.from) / Math.max(lanesPainter.width, 1);
  const current = () => (sight.now === null ? [] : data.layers(sight.now, grain()));

  function pictureAt(ticks) {
    const layers = current();
    return (layers.find(({ from, to }) => ticks >= from && ticks <= to) ?? layers.at(-1))?.picture ?? null;
  }

  function select(item, { speak = false, reveal = false } = {}) {
    selected = item;
    if (item !== null && reveal) {
      hovered = null; // a pointer that only lies there must not outdo the keys
      sight.reveal(item);
      if (item.kind === 'call') {
        if (lanes.unfold(item.context)) lay();
        lanesPainter.showRow(item);
      }
    }
    if (item !== null && speak) setText(spoken, words(item));
    writeAddress();
    paint();
    return true;
  }

  function words(item) {
    const { ticksPerSecond } = profile();
    const parts = [itemName(item, profile())];
    if (item.kind !== 'marker') parts.push(duration(item.end - item.start, ticksPerSecond));
    parts.push(`at ${duration(item.start, ticksPerSecond)}`);
    if (item.kind === 'call') parts.push(`depth ${item.depth}`);
    return parts.join(', ');
  }

  function next(step) {
    if (lit.hits === null || sight.now === null) return false;
    if (!walk.match(lit.hits, step))
      host.toast('info', `No ${step > 0 ? 'later' : 'earlier'} match`, 'Short calls are merged when much is in sight.');
    return true;
  }

  /** Does what a button, key or double click says to the item. */
  function act(what, item = meant()) {
    if (item === null || sight.now === null) return false;
    if (what === 'zoom') {
      selected = item;
      return sight.zoomTo(item);
    }
    if (what === 'range' && item.end > item.start) host.go({ range: writeRange(item.start, item.end) });
    if (what === 'function' && item.kind === 'call')
      host.go({ view: 'functions', fn: profile().labelOf(item.fn) });
    return true;
  }

  /** A range by keys: [ marks its begin, ] its end, at the pointer or the call selected. */
  function bracket(side) {
    if (sight.now === null) return false;
    const { from, to } = sight.now;
    const at = cursor ?? (side === 'in' ? (selected?.start ?? from) : (selected?.end ?? to));
    if (side === 'out') range.end(at, from);
    else {
      range.begin(at);
      setText(spoken, `Range begins at ${duration(at, profile().ticksPerSecond)}; ] ends it`);
    }
    return true;
  }

  function pick(x0, x1, done) {
    const [a, b] = [x0, x1].map((x) => lanesPainter.ticks(Math.min(Math.max(x, 0), lanesPainter.width)));
    cursor = null;
    range.drag(a, b, done);
  }

  function back() {
    if (range.cancel()) return true;
    if (selected === null) return false;
    return select(null);
  }

  // --- pointer

  function markerUnder({ x }) {
    return pictureAt(lanesPainter.ticks(x))?.markerAt(lanesPainter.ticks(x), 8 / lanesPainter.scale) ?? null;
  }

  function under(spot) {
    if (spot === null || sight.now === null || lanesPainter.scene === null) return null;
    if (spot.where === 'lanes') return lanesPainter.at(spot.x, spot.y);
    return spot.where === 'markers' ? markerUnder(spot) : null;
  }

  listenToTimeline(canvas, headCanvas, {
    part: (y) => headPainter.part(y),
    handle: () => [headPainter.stripX(sight.now?.from ?? 0), headPainter.stripX(sight.now?.to ?? 0)],
    moveTo: (x0, x1) => sight.between(headPainter.stripTicks(x0), headPainter.stripTicks(x1)),
    pan: sight.pan,
    scroll(px) {
      scroller.scrollTop += px;
    },
    zoom: sight.zoom,
    point(spot) {
      const shows = spot !== null && sight.now !== null && spot.where !== 'overview';
      cursor = shows && lanesPainter.scene !== null ? lanesPainter.ticks(spot.x) : null;
      hovered = under(spot);
      headCanvas.style.cursor = spot?.where === 'axis' ? 'col-resize' : 'default';
      paint();
    },
    press(spot) {
      canvas.focus({ preventScroll: true });
      select(under(spot), { speak: true });
    },
    open(spot) {
      const item = under(spot);
      if (item !== null) act('zoom', item);
    },
    pick,
  });
  scroller.addEventListener('scroll', () => paint());

  // --- drawing

  function lay() {
    lanes.lay(data.pictures, profile().contexts, lanesPainter.rowPx);
  }

  function search() {
    const { functions, named } = profile();
    const key = `${host.place.search}|${named}|${functions.length}`;
    if (lit.key === key) return;
    const hits = host.match.empty ? null : matchFunctions(functions, host.match);
    lit = { key, hits, functions: hits === null ? 0 : hits.reduce((sum, hit) => sum + hit, 0) };
  }

  /** Asks for what the sight needs and has not. */
  function ask() {
    const width = Math.max(scroller.clientWidth, 100);
    const asked = request(sight.now, width, lanes.rows, data.held);
    data.need(asked, {
      sight: sight.now,
      sequence: host.live.sequence,
      live: running(),
      following: sight.mode === 'live',
    });
  }

  /** Something was answered. */
  function arrived() {
    if (root.hidden) return;
    if (data.held === null || sight.now === null || !empty.root.hidden) host.redraw();
    else advance();
  }

  function advance() {
    data.refresh(host.live.sequence, running());
    lay();
    if (!host.paused) sight.keepUp();
    if (selected === null && writing === 0) readCall();
    ask();
    paint();
  }

  function paint() {
    if (frame !== 0 || sight.now === null || root.hidden) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      paintNow();
    });
  }

  function paintNow() {
    if (sight.now === null || data.held === null || root.hidden) return;
    const whole = profile();
    style.use(host.theme, whole.functions, whole.named);
    ask();
    const layers = current();
    const scene = {
      layers,
      sight: sight.now,
      held: data.held,
      layout: lanes.layout,
      lit: lit.hits,
      hover: hovered,
      selected,
      range: range.shown(host.place.range),
      cursor,
      overview: data.overview,
      ticksPerSecond: whole.ticksPerSecond,
      marks: layers.flatMap(({ picture, from, to }) => picture.markersIn(from, to)),
    };
    // The head first: the lanes have the room that it leaves.
    scene.axis = headPainter.paint(scene, scroller.clientWidth);
    lanesPainter.paint(scene);
    showDetails();
    showToolbar();
  }

  function showDetails() {
    const item = meant();
    const colour = item?.kind === 'call' ? style.colour(item.fn) : '';
    details.show({
      item,
      caller: item?.kind === 'call' ? (pictureAt(item.start)?.callerOf(item) ?? null) : null,
      profile: profile(),
      colour: typeof colour === 'string' ? colour : '',
      precision: grain(),
    });
  }

  function showToolbar() {
    const { ticksPerSecond } = profile();
    const time = (ticks) => duration(ticks, ticksPerSecond);
    toolbar.show({
      following: sight.mode === 'live',
      all: sight.mode === 'all',
      canFollow: host.live.source.state !== 'ended',
      words: `${time(sight.now.to - sight.now.from)} in sight · ${time(data.held.newest - data.held.oldest)} held`,
      trouble: data.trouble === '' ? '' : `Not up to date: ${data.trouble}`,
    });
  }

  function update() {
    const whole = profile();
    const { calls } = host.live;
    if (calls < callsBefore) {
      // Cleared, or a daemon that has started anew: nothing of before means anything now.
      data.reset();
      lanes.forget();
      sight.forget();
      [selected, hovered] = [null, null];
    }
    callsBefore = calls;
    data.still = host.paused;
    const provided = whole.provides('timeline');
    if (whole.loaded && provided) data.refresh(host.live.sequence, running());
    const nothing = data.held === null || !provided;
    for (const part of [toolbar.root, body, details.root]) part.hidden = nothing;
    if (nothing) {
      empty.tell(emptyTimeline(whole, host.answers, data));
      return;
    }
    empty.hide();
    readAddress();
    search();
    advance();
  }

  return {
    root,
    update,
    back,
    next,
    summary: () => (lit.hits === null ? '' : plural(lit.functions, 'function')),
    actions: timelineActions({
      walk: walk.call,
      zoom,
      pan: sight.pan,
      page(step) {
        scroller.scrollTop += step * scroller.clientHeight * 0.8;
        return true;
      },
      showAll: sight.showAll,
      follow: sight.follow,
      act,
      bracket,
      marker: walk.marker,
      fold: () => lanes.fold(selected?.context),
    }),
  };
}

export const timeline = { id: 'timeline', title: 'Timeline', create };
