// timeline.js - the live timeline: a lane per context, a row of calls per depth.
//
// The daemon holds the calls; here are pictures of the visible part (timeline/data.js), asked for as the sight moves.
// Nothing waits for them: what is known is drawn at once, and again when more is known.

import { el, setText } from '../dom.js';
import { plural } from '../model/format.js';
import { emptyTimeline } from '../model/empty.js';
import { createEmpty } from '../part/empty.js';
import { Tip } from '../part/tip.js';
import { act, actOnLane, back, bracket, countFrom, goToOutlier, momentMeant, next, pick, scrollBy, select, showWindow, zoom } from './timeline/acts.js';
import { readAddress, writeAddress } from './timeline/address.js';
import { TimelineCanvas } from './timeline/canvas.js';
import { TimelineData } from './timeline/data.js';
import { createTimelineDetails } from './timeline/details.js';
import { TimelineHead } from './timeline/head.js';
import { timelineActions } from './timeline/keys.js';
import { createLanes } from './timeline/lanes.js';
import { advance, arrived, lay, paint, pictureAt, refresh, search } from './timeline/paint.js';
import { listenToTimeline } from './timeline/pointer.js';
import { pursueLongest, pursueOn } from './timeline/pursue.js';
import { createRangePicker } from './timeline/range.js';
import { Sight } from './timeline/sight.js';
import { TimelineStyle } from './timeline/style.js';
import { ownMarks } from './timeline/marks.js';
import { createTimelineToolbar } from './timeline/toolbar.js';
import { Why } from './timeline/why.js';
import { createWindows } from './timeline/windows.js';
import { walkCalls, walkGaps, walkMarkers } from './timeline/walk.js';

function create(host) {
  const view = {
    host,
    writing: 0, // timer for writing the address
    selected: null, // an item of a picture
    hovered: null,
    spotRead: '', // the selected time for which a call was selected
    ledTo: null, // the time in the address, until it is known to be buffered or not (timeline/address.js)
    cursor: null, // ticks under the pointer
    spot: null, // the pointer's position (timeline/pointer.js)
    keyed: false, // true: the selection was last changed by keys
    pursuit: null, // of the longest call (timeline/pursue.js)
    tip: new Tip(),
    lit: { key: '', hits: null, functions: 0 },
    clearing: host.live.clearing,
    frame: 0,
    style: new TimelineStyle(),
    details: createTimelineDetails((what) => act(view, what), host.openLimits !== null),
    empty: createEmpty(host),
    why: new Why(host),
    pictureAt: (ticks) => pictureAt(view, ticks),
  };
  view.data = new TimelineData(host.fetchTimeline, () => {
    arrived(view);
    pursueOn(view);
  });
  view.sight = new Sight(host, view.data, (step) => {
    writeAddress(view, step);
    paint(view);
  });
  view.range = createRangePicker(
    (range) => host.go({ range }),
    () => paint(view),
  );
  view.toolbar = createTimelineToolbar(host, {
    follow: () => view.sight.follow(),
    showAll: () => view.sight.showAll(),
    zoom: (factor) => zoom(view, factor),
    windows: () => view.windows.toggle(),
    showHidden: () => view.lanes.showHidden(),
    goTo: host.askForMoment,
    note: () => host.openNotes(momentMeant(view)),
    zero: (chosen) => countFrom(view, chosen),
  });
  view.windows = createWindows(
    host,
    (row) => showWindow(view, row),
    () => host.redraw(),
  );
  view.walking = walkingOf(view);
  build(view);
  listen(view);
  return answerOf(view);
}

/** The input of walk.js. */
const walkingOf = (view) => ({
  data: view.data,
  sight: () => view.sight.now,
  shows: (context) => view.lanes.shows(context),
  selected: () => view.selected,
  pictureAt: view.pictureAt,
  profile: () => view.host.whole,
  own: (from, to) => ownMarks(view.host, from, to),
  select: (item) => select(view, item, { speak: true, reveal: true }),
  pan: (share) => view.sight.pan(share),
  zoomTo: (item, step) => view.sight.zoomTo(item, step),
  say: (text) => setText(view.spoken, text),
});

function build(view) {
  const { style, toolbar, details, empty } = view;
  view.headCanvas = el('canvas', { 'aria-hidden': 'true' });
  view.canvas = el('canvas', {
    role: 'img',
    tabindex: '0',
    'aria-describedby': 'timeline-spoken',
    'aria-label':
      'Timeline. Arrow keys go from call to call, w and s zoom, a and d move, m goes to the next marker, x to the next gap, ' +
      'Enter shows only the time of the call in every view.',
  });
  const sheet = el('div', { class: 'timeline-sheet' }, view.canvas);
  view.scroller = el('div', { class: 'timeline-scroll' }, sheet);
  view.spoken = el('p', { class: 'hidden', id: 'timeline-spoken', 'aria-live': 'polite' });
  view.lanesPainter = new TimelineCanvas(view.scroller, view.canvas, sheet, style);
  view.headPainter = new TimelineHead(view.headCanvas, style);
  const frame = el('div', { class: 'timeline-lanes' }, view.scroller);
  const changed = () => {
    lay(view);
    paint(view);
  };
  view.lanes = createLanes({ host: view.host, sheet, frame, spoken: view.spoken, changed });
  view.body = el(
    'div',
    { class: 'timeline-body' },
    el('div', { class: 'timeline-head' }, view.headCanvas),
    frame,
    view.spoken,
  );
  const about = { class: 'view timeline', 'aria-label': 'Timeline' };
  const main = el('div', { class: 'timeline-main' }, view.body, empty.root, view.windows.root);
  view.root = el('section', about, toolbar.root, main, details.root, view.tip.root);
}

function answerOf(view) {
  const { host } = view;
  return {
    root: view.root,
    update: () => update(view),
    back: () => back(view),
    next: (step) => next(view, step),
    chosen: () => (view.selected?.kind === 'call' ? view.selected.fn : -1),
    still: () => ({ at: view.sight.still }),
    summary: () => (view.lit.hits === null ? '' : plural(view.lit.functions, 'function')),
    actions: timelineActions({
      walk: (way) => walkCalls(view.walking, way),
      marker: (step) => walkMarkers(view.walking, step),
      longest: () => pursueLongest(view),
      gap: (step) => walkGaps(view.walking, step),
      zoom: (factor) => zoom(view, factor),
      pan: (share) => view.sight.pan(share),
      page: (step) => scrollBy(view, step),
      showAll: () => view.sight.showAll(),
      follow: () => view.sight.follow(),
      act: (what) => act(view, what),
      bracket: (side) => bracket(view, side),
      lane: (what) => actOnLane(view, what),
      showHidden: () => view.lanes.showHidden(),
      windows: () => view.windows.toggle(),
      note: () => host.openNotes(momentMeant(view)),
    }),
  };
}

// --- pointer

/** The item at a spot of pointer.js, or null. */
function under({ host, sight, lanesPainter, pictureAt: at }, spot) {
  if (spot === null || sight.now === null || lanesPainter.scene === null) return null;
  if (spot.where === 'lanes') return lanesPainter.at(spot.x, spot.y);
  if (spot.where !== 'markers') return null;
  const ticks = lanesPainter.ticks(spot.x);
  const slack = 8 / lanesPainter.scale;
  return ownMarks(host, ticks - slack, ticks + slack)[0] ?? at(ticks)?.markerAt(ticks, slack) ?? null;
}

function point(view, spot) {
  const { sight, lanesPainter, headCanvas } = view;
  const shows = spot !== null && sight.now !== null && spot.where !== 'overview';
  view.cursor = shows && lanesPainter.scene !== null ? lanesPainter.ticks(spot.x) : null;
  view.hovered = under(view, spot);
  view.spot = spot;
  if (spot !== null) view.keyed = false;
  headCanvas.style.cursor = spot?.where === 'axis' ? 'col-resize' : 'default';
  paint(view);
}

function listen(view) {
  const { canvas, headCanvas, headPainter, sight, scroller } = view;
  listenToTimeline(canvas, headCanvas, {
    part: (y) => headPainter.part(y),
    handle: () => [headPainter.stripX(sight.now?.from ?? 0), headPainter.stripX(sight.now?.to ?? 0)],
    moveTo: (x0, x1) => sight.between(headPainter.stripTicks(x0), headPainter.stripTicks(x1)),
    mark: (x) => goToOutlier(view, headPainter.outlierAt(x)),
    pan: (share) => sight.pan(share),
    scroll(px) {
      scroller.scrollTop += px;
    },
    zoom: (factor, at) => sight.zoom(factor, at),
    point: (spot) => point(view, spot),
    press(spot) {
      canvas.focus({ preventScroll: true });
      select(view, under(view, spot), { speak: true });
    },
    open(spot) {
      const item = under(view, spot);
      if (item !== null) act(view, item.what === 'message' ? 'further' : 'zoom', item);
    },
    ticks: (x) => (view.lanesPainter.scene === null ? 0 : view.lanesPainter.ticks(x)),
    pick: (start, x, done) => pick(view, start, x, done),
  });
  scroller.addEventListener('scroll', () => paint(view));
}

// --- drawing

/** Called once the profile was cleared: discards all that was known before. */
function forget(view) {
  view.data.reset();
  view.lanes.forget();
  view.sight.forget();
  [view.selected, view.hovered] = [null, null];
}

function update(view) {
  const { host, data, empty } = view;
  const { whole, live } = host;
  if (live.clearing !== view.clearing) {
    view.clearing = live.clearing;
    forget(view);
  }
  data.stand(host.paused ? whole.sequence : null);
  const provided = whole.provides('timeline');
  if (whole.loaded && provided) refresh(view);
  const nothing = data.held === null || !provided;
  for (const part of [view.toolbar.root, view.body, view.details.root]) part.hidden = nothing;
  view.windows.update(nothing);
  if (nothing) {
    empty.tell(emptyTimeline(whole, host.answers, data));
    return;
  }
  empty.hide();
  readAddress(view);
  search(view);
  advance(view);
}

export const timeline = { id: 'timeline', title: 'Timeline', create };
