// timeline.js - the live timeline: what ran when, a lane per context, a row per depth.
//
// The daemon holds the calls; here are pictures of what is in sight (timeline-data.js), asked for as the sight moves.
// Nothing waits for them: what is known is drawn at once, and drawn anew when more is known.

import { button, el, setAttr, setText } from '../dom.js';
import { count, duration, plural } from '../model/format.js';
import { emptyTimeline } from '../model/health.js';
import { layLanes, learnDepths } from '../model/lanes.js';
import { rangeTicks, readRange, writeRange } from '../model/range.js';
import { matchFunctions } from '../model/search.js';
import * as sights from '../model/sight.js';
import { createEmpty } from './empty.js';
import { TimelineCanvas } from './timeline-canvas.js';
import { createTimelineData } from './timeline-data.js';
import { createTimelineDetails, itemName } from './timeline-details.js';
import { TimelineHead } from './timeline-head.js';
import { timelineActions } from './timeline-keys.js';
import { listenToTimeline } from './timeline-pointer.js';
import { TimelineStyle } from './timeline-style.js';
import { createTimelineToolbar } from './timeline-toolbar.js';

const addressMs = 250; // the address follows the sight when it has rested so long

function create(app) {
  let mode = 'usual'; // 'live' | 'all' | 'fixed': what the sight does when data comes; 'usual' until data is there
  let sight = null; // { from, to } in ticks
  let span = 0; // of the sight while following
  let atRead = null; // what the address said when it was read or written last
  let writing = 0;
  let selected = null; // an item of a picture
  let hovered = null;
  let cursor = null; // ticks under the pointer
  let picking = null; // { from, to } while a range is being chosen
  let begin = null; // where a range chosen by keys begins
  let lit = { key: '', hits: null, functions: 0 };
  let callsBefore = 0;
  let layout = { lanes: [], height: 0 };
  let frame = 0;
  const depths = new Map();
  const folded = new Set();

  const data = createTimelineData({ load: app.api.fetchTimeline, changed: arrived });

  // --- parts

  const toolbar = createTimelineToolbar({ follow, showAll, zoom: (factor) => zoom(factor) });
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
  const details = createTimelineDetails((what) => act(what));
  const empty = createEmpty(() => app.device('start'));
  const body = el(
    'div',
    { class: 'timeline-body' },
    el('div', { class: 'timeline-head' }, headCanvas),
    el('div', { class: 'timeline-lanes' }, scroller),
    spoken,
  );
  const root = el('section', { class: 'view timeline', 'aria-label': 'Timeline' }, toolbar.root, body, details.root, empty.root);

  // --- sight

  const profile = () => app.whole;
  const running = () => !app.paused && app.answers && app.live.source.state === 'connected';

  function readAddress() {
    const { at } = app.place;
    if (at === atRead && sight !== null) return;
    if (at !== atRead) {
      clearTimeout(writing);
      writing = 0;
    }
    atRead = at;
    const told = sights.readAt(at);
    mode = told.mode === 'usual' ? (app.live.source.state === 'ended' ? 'all' : 'live') : told.mode;
    span = told.span || sights.usualSpan(data.held, profile().ticksPerSecond);
    if (mode === 'fixed') sight = sights.settle(told, data.held);
    readCall();
  }

  /** The call of the address is selected as soon as a picture shows it. */
  function readCall() {
    const { call } = app.place;
    if (call === nameOfItem(selected)) return;
    selected = null;
    if (call === '') return;
    const [context, depth, start] = call.split('-').map(Number);
    for (const { picture } of current()) {
      const i = picture.at(context, depth, start);
      if (i >= 0 && picture.start[i] === start) selected = picture.item(i, { context, depth });
    }
  }

  const nameOfItem = (item) =>
    item === null || item.kind !== 'call' ? '' : `${item.context}-${item.depth}-${Math.round(item.start)}`;

  /** The address follows, once the sight rests. */
  function writeAddress(step = false) {
    clearTimeout(writing);
    const write = () => {
      writing = 0;
      if (sight === null || root.hidden) return;
      const at = sights.writeAt(mode, sight, span);
      atRead = at;
      app.go({ at, call: nameOfItem(selected) }, { replace: !step });
    };
    if (step) write();
    else writing = setTimeout(write, addressMs);
  }

  function look(next, nextMode = 'fixed', step = false) {
    if (data.held === null) return false;
    mode = nextMode;
    sight = next;
    paint();
    writeAddress(step);
    return true;
  }

  function place() {
    if (mode === 'live') sight = sights.liveSight(data.held, span);
    else if (mode === 'all' || sight === null) sight = sights.wholeSight(data.held);
  }

  function zoom(factor, at = null) {
    if (sight === null) return false;
    if (mode === 'live' && at === null) {
      const most = sights.wholeSight(data.held);
      span = Math.min(Math.max(span * factor, 8), most.to - most.from);
      return look(sights.liveSight(data.held, span), 'live');
    }
    const centre = at ?? (selected && selected.start >= sight.from && selected.start < sight.to ? share(selected) : 0.5);
    return look(sights.zoomSight(sight, factor, centre, data.held));
  }

  const share = (item) => {
    const middle = (Math.max(item.start, sight.from) + Math.min(item.end, sight.to)) / 2;
    return (middle - sight.from) / (sight.to - sight.from);
  };
  const pan = (by) => sight !== null && look(sights.panSight(sight, by, data.held));

  function follow() {
    if (data.held === null || app.live.source.state === 'ended') return false;
    if (mode === 'live') return look(sight, 'fixed');
    span = Math.min(sight.to - sight.from, sights.usualSpan(data.held, profile().ticksPerSecond) * 10);
    return look(sights.liveSight(data.held, span), 'live');
  }

  function showAll() {
    return data.held !== null && look(sights.wholeSight(data.held), 'all', true);
  }

  // --- selection

  const meant = () => hovered ?? selected;
  const current = () => (sight === null ? [] : data.layers(sight, grain()));
  const grain = () => (sight.to - sight.from) / Math.max(lanesPainter.width, 1);
  const pictureAt = (ticks) =>
    (current().find(({ from, to }) => ticks >= from && ticks <= to) ?? current().at(-1))?.picture ?? null;

  function select(item, { speak = false, reveal = false } = {}) {
    selected = item;
    if (item !== null && reveal) {
      hovered = null; // a pointer that only lies there must not outdo the keys
      const next = sights.revealing(sight, item.start, item.end, data.held);
      if (next !== sight) {
        mode = 'fixed';
        sight = next;
      }
      if (item.kind === 'call') {
        if (folded.delete(item.context)) lay();
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

  function walk(way) {
    if (sight === null) return false;
    const inSight = selected?.kind === 'call' && selected.end > sight.from && selected.start < sight.to;
    if (!inSight) {
      const first = firstInSight();
      return first !== null && select(first, { speak: true, reveal: true });
    }
    const picture = pictureAt(Math.max(selected.start, sight.from));
    const next =
      way === 'caller'
        ? picture.callerOf(selected)
        : way === 'callee'
          ? picture.calleeOf(selected)
          : picture.beside(selected, way === 'after' ? 1 : -1);
    if (next !== null) return select(next, { speak: true, reveal: true });
    if (way === 'before' || way === 'after') pan(way === 'after' ? 0.4 : -0.4); // there may be more further on
    return true;
  }

  /** The outermost call nearest to the middle of what is in sight. */
  function firstInSight() {
    const middle = (sight.from + sight.to) / 2;
    const picture = pictureAt(middle);
    for (const segment of picture?.segments.values() ?? []) {
      const i = picture.at(segment.context, segment.depth, middle, (sight.to - sight.from) / 2);
      if (i >= 0) return picture.item(i, segment);
    }
    return null;
  }

  function marker(step) {
    if (sight === null) return false;
    const from = selected?.kind === 'marker' ? selected.start : (sight.from + sight.to) / 2;
    const found = data.pictures
      .map((picture) => picture.nextMarker(from, step))
      .filter(Boolean)
      .reduce((best, one) => (best === null || step * (one.start - best.start) <= 0 ? one : best), null);
    if (found === null) {
      setText(spoken, step > 0 ? 'No later marker' : 'No earlier marker');
      return true;
    }
    return select(found, { speak: true, reveal: true });
  }

  function next(step) {
    if (lit.hits === null || sight === null) return false;
    const start = selected?.kind === 'call' ? selected : null;
    const from = step > 0 ? sight.from : sight.to;
    const near = pictureAt(Math.min(Math.max(start?.start ?? from, sight.from), sight.to));
    const found = near?.nextHit(lit.hits, step, start, from) ?? data.overview?.nextHit(lit.hits, step, start, from);
    if (!found) {
      app.toast('info', `No ${step > 0 ? 'later' : 'earlier'} match`, 'Short calls are merged when much is in sight.');
      return true;
    }
    return select(found, { speak: true, reveal: true });
  }

  /** Does what a button, key or double click says to the item. */
  function act(what, item = meant()) {
    if (item === null || sight === null) return false;
    if (what === 'zoom') {
      selected = item;
      return look(sights.sightOf(item.start, item.end, data.held), 'fixed', true);
    }
    if (what === 'range' && item.end > item.start) app.go({ range: writeRange(item.start, item.end) });
    if (what === 'function' && item.kind === 'call')
      app.go({ view: 'functions', fn: profile().labelOf(item.fn) });
    return true;
  }

  /** A range by keys: [ marks its begin, ] its end, at the pointer or the call selected. */
  function bracket(side) {
    if (sight === null) return false;
    const at = cursor ?? (side === 'in' ? selected?.start : selected?.end) ?? (side === 'in' ? sight.from : sight.to);
    if (side === 'in') {
      begin = at;
      picking = { from: at, to: at };
      setText(spoken, `Range begins at ${duration(at, profile().ticksPerSecond)}; ] ends it`);
      paint();
      return true;
    }
    const from = begin ?? sight.from;
    [begin, picking] = [null, null];
    if (from !== at) app.go({ range: writeRange(from, at) });
    return true;
  }

  function pick(x0, x1, done) {
    const edges = [x0, x1].map((x) => Math.min(Math.max(headPainter.x === null ? 0 : x, 0), lanesPainter.width));
    const [a, b] = edges.map((x) => lanesPainter.ticks(x));
    picking = { from: Math.max(Math.min(a, b), 0), to: Math.max(a, b) };
    cursor = null;
    if (done) {
      const range = writeRange(picking.from, picking.to);
      picking = null;
      if (rangeTicks(range) > 0) app.go({ range });
    }
    paint();
  }

  function back() {
    if (picking !== null || begin !== null) {
      [begin, picking] = [null, null];
      paint();
      return true;
    }
    if (selected === null) return false;
    return select(null);
  }

  // --- pointer

  function markerUnder({ x }) {
    return pictureAt(lanesPainter.ticks(x))?.markerAt(lanesPainter.ticks(x), 8 / lanesPainter.scale) ?? null;
  }

  function under(spot) {
    if (spot === null || sight === null || lanesPainter.scene === null) return null;
    if (spot.where === 'lanes') return lanesPainter.at(spot.x, spot.y);
    return spot.where === 'markers' ? markerUnder(spot) : null;
  }

  listenToTimeline(canvas, headCanvas, {
    part: (y) => headPainter.part(y),
    handle: () => (sight === null ? [0, 0] : [headPainter.stripX(sight.from), headPainter.stripX(sight.to)]),
    moveTo(x0, x1) {
      if (sight !== null)
        look(sights.settle({ from: headPainter.stripTicks(x0), to: headPainter.stripTicks(x1) }, data.held));
    },
    pan,
    scroll(px) {
      scroller.scrollTop += px;
    },
    zoom: (factor, at) => zoom(factor, at),
    point(spot) {
      const shows = spot !== null && sight !== null && spot.where !== 'overview';
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

  let laneHeads = '';

  function lay() {
    learnDepths(depths, data.pictures);
    layout = layLanes(depths, profile().contexts, folded, lanesPainter.rowPx);
    const key = layout.lanes.map(({ label, top, collapsed }) => `${label} ${top} ${collapsed}`).join('\n');
    if (key === laneHeads) return;
    laneHeads = key;
    const focused = sheet.contains(document.activeElement) ? document.activeElement.dataset.context : null;
    for (const old of sheet.querySelectorAll('button')) old.remove();
    for (const { context, label, top, collapsed, depths: rows } of layout.lanes) {
      const head = button('down', label, () => fold(context), {
        tip: `${collapsed ? 'Unfold' : 'Fold'} the lane (c): ${plural(rows, 'level')} of calls`,
      });
      head.className = 'lane-head';
      head.dataset.context = context;
      setAttr(head, 'aria-expanded', String(!collapsed));
      head.style.top = `${top + 1}px`;
      sheet.append(head);
      if (focused === String(context)) head.focus({ preventScroll: true });
    }
  }

  function fold(context = selected?.context ?? layout.lanes[0]?.context) {
    if (context === undefined) return false;
    if (!folded.delete(context)) folded.add(context);
    lay();
    paint();
    return true;
  }

  function search() {
    const { functions, named } = profile();
    const key = `${app.place.search}|${named}|${functions.length}`;
    if (lit.key === key) return;
    const hits = app.match.empty ? null : matchFunctions(functions, app.match);
    lit = { key, hits, functions: hits === null ? 0 : hits.reduce((sum, hit) => sum + hit, 0) };
  }

  /** Asks for what the sight needs and has not. */
  function ask() {
    const lanes = [...depths.values()].reduce((sum, { least, most }) => sum + most - least + 1, 0);
    const width = Math.max(scroller.clientWidth, 100);
    const asked = sights.request(sight, width, Math.max(lanes, 1), data.held);
    data.need(asked, { sight, sequence: app.live.sequence, live: running(), following: mode === 'live' });
  }

  /** Something was answered. */
  function arrived() {
    if (root.hidden) return;
    if (data.held === null || sight === null || !empty.root.hidden) app.redraw();
    else advance();
  }

  function advance() {
    data.refresh(app.live.sequence, running());
    lay();
    if (app.paused ? sight === null : true) place();
    if (selected === null && app.place.call !== '' && writing === 0) readCall();
    ask();
    paint();
  }

  function paint() {
    if (frame !== 0 || sight === null || root.hidden) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      paintNow();
    });
  }

  function rangeShown() {
    if (picking !== null) return picking;
    const range = readRange(app.place.range);
    return range === null ? null : { from: Number(range.from), to: Number(range.to) };
  }

  function paintNow() {
    if (sight === null || data.held === null || root.hidden) return;
    const whole = profile();
    style.use(app.theme, whole.functions, whole.named);
    ask();
    const scene = {
      layers: current(),
      sight,
      held: data.held,
      layout,
      lit: lit.hits,
      hover: hovered,
      selected,
      range: rangeShown(),
      cursor,
      overview: data.overview,
      ticksPerSecond: whole.ticksPerSecond,
      marks: [],
    };
    lanesPainter.paint(scene);
    for (const { picture, from, to } of scene.layers) {
      picture.markers.ticks.forEach((ticks, i) => {
        if (ticks >= from && ticks <= to) scene.marks.push({ item: picture.marker(i), x: lanesPainter.x(ticks) });
      });
    }
    headPainter.paint(scene, lanesPainter.width);
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
      following: mode === 'live',
      all: mode === 'all',
      canFollow: app.live.source.state !== 'ended',
      words: `${time(sight.to - sight.from)} in sight · ${time(data.held.newest - data.held.oldest)} held`,
      trouble: data.trouble === '' ? '' : `Not up to date: ${data.trouble}`,
    });
  }

  function update() {
    const whole = profile();
    const { calls } = app.live;
    if (calls < callsBefore) {
      // Cleared, or a daemon that has started anew: nothing of before means anything now.
      data.reset();
      depths.clear();
      [sight, selected, hovered] = [null, null, null];
    }
    callsBefore = calls;
    const provided = whole.provides('timeline');
    if (whole.loaded && provided) data.refresh(app.live.sequence, running());
    const nothing = data.held === null || !provided;
    for (const part of [toolbar.root, body, details.root]) part.hidden = nothing;
    if (nothing) {
      empty.tell(emptyTimeline(whole, app.answers, data));
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
      walk,
      zoom: (factor) => zoom(factor),
      pan,
      page(step) {
        scroller.scrollTop += step * scroller.clientHeight * 0.8;
        return true;
      },
      showAll,
      follow,
      act,
      bracket,
      marker,
      fold: () => fold(),
    }),
  };
}

export const timeline = { id: 'timeline', title: 'Timeline', create };
