// main.js - puts the page together: passes data in, shows views, and keeps the address up to date.

import * as api from './api.js';
import { Base } from './base.js';
import { buildBeside, compareBeside } from './builder.js';
import { createCopy } from './part/clipboard.js';
import { createDevice } from './frame/device.js';
import { createDrawing } from './frame/drawing.js';
import { listenToDrop } from './frame/drop.js';
import { createExports } from './frame/exports.js';
import { createHand } from './frame/hand.js';
import { createHeader } from './frame/header.js';
import { createIdle } from './frame/idle.js';
import { createInspector } from './frame/inspector.js';
import { listenToKeys, showHelp } from './frame/keys.js';
import { closeMenu, moreItems, openMenu } from './frame/menu.js';
import { createLimits } from './frame/limits.js';
import { createNotices } from './frame/notices.js';
import { createPause } from './frame/pause.js';
import { createPanel } from './frame/panel.js';
import { createPauseLine } from './frame/pauseline.js';
import { createStrip } from './frame/strip.js';
import { createPlace } from './frame/place.js';
import { createRecordings } from './frame/recordings.js';
import { createRange, leaveRange } from './frame/range.js';
import { createSearch } from './frame/search.js';
import { createShare } from './frame/share.js';
import { createTheme } from './frame/theme.js';
import { createTime } from './frame/time.js';
import { createToasts } from './frame/toast.js';
import { createUndo } from './frame/undo.js';
import { backOne, createViews, searchActions, showTitle } from './frame/views.js';
import { makeHost } from './host.js';
import { Feed } from './model/feed.js';
import { noFigures } from './model/figures.js';
import { readNotes } from './model/notes.js';
import { openingView } from './model/opening.js';
import { Profile } from './model/profile.js';
import { readRange } from './model/range.js';
import { openReader } from './reader.js';
import { value } from './store.js';
import { panel as linkPanel, views as definitions } from './view/list.js';

const byId = (id) => document.getElementById(id);
const live = new Profile();
const answers = value(false);
let opening = /^#?(link(\?.*)?)?$/.test(location.hash); // true until the address or the reader has chosen a view
let cleared = 0; // the clearing of `live` that the range has taken into account
let figures = noFigures; // as the daemon described them
let run = null; // which start of the daemon the sequence belongs to

// --- parts

const fetchSnapshot = (part, signal) => reader.fetchSnapshot(part, signal); // in the thread that reads the stream
const drawing = createDrawing({ steps: [drawFrame, () => views.show().update(), drawBeside], more: () => reader.more(), hand: createHand() });
const redraw = drawing.soon;
const place = createPlace();
const toast = createToasts(byId('toasts'));
const time = createTime({ place, toast, profile: () => live, fetchTimeline: api.fetchTimeline, learnt: () => redraw() });
const theme = createTheme(redraw);
const device = createDevice({
  api,
  toast,
  live,
  answers: answers.get,
  cleared: () => pause.end(),
  undo: createUndo({ api, live, show: (...moment) => pause.showCleared(...moment) }),
  showSettings,
  openRecording: (path) => recordings.open(path),
  showRecordings: () => recordings.show(),
});
const base = new Base(redraw);
const after = new Base(redraw, 'compare-after');
const pause = createPause({ api, live, place, toast, fetchSnapshot, changed: redraw, settled: () => range.forget() });
const recordings = createRecordings({ api, toast, place, pause });
const share = createShare({ api, toast, answers: answers.get, host: () => host, time, place, pause, still: () => ({ ...place.get(), ...views.current().still?.(), pause: '' }) });
const exporting = createExports({
  api,
  toast,
  range: () => readRange(place.get().range),
  part: pause.part,
  answers: answers.get,
  isKept: () => pause.isKept,
  shown: () => host.measured,
  notes: () => readNotes(place.get().notes),
  own: share.items,
});
const range = createRange({
  host: byId('range'),
  live,
  fetchSnapshot: pause.asking((part, signal) => fetchSnapshot(pause.part(part), signal)),
  changed: redraw,
  clear: () => place.go({ range: '' }),
  time: () => time.now,
});
const search = createSearch({ place, next: nextMatch, back: () => back() });
const views = createViews(definitions, place, () => host);
const limits = createLimits({ api, toast, copy: createCopy(toast), live, go: place.go, time, openRecording: recordings.open, showRecordings: recordings.show });
const header = createHeader(
  {
    showPanel: () => panel.toggle(),
    device: device.tell,
    pause: pause.toggle,
    shareMenu: exporting.menu,
    moreMenu: (anchor) => openMenu(anchor, 'More', moreItems(frameActions)),
  },
  device,
);
const panel = createPanel({ definition: linkPanel, host: () => host, place, press: byId('connection'), facts: header.facts, device: header.device });
byId('badges').prepend(limits.badge);
const idle = createIdle({ facts: byId('facts'), place, profile: () => host.measured, whole: () => host.whole });
const strip = createStrip({ header: document.querySelector('header'), place, host: () => host });
const inspector = createInspector({ main: byId('main'), place, host: () => host, current: () => views.current(), changed: redraw });
const updateNotices = createNotices(byId('notices'));
const updatePauseLine = createPauseLine(byId('paused'), { resume: pause.end, keepLonger: pause.keepLonger });

const host = makeHost({
  get profile() {
    return idle.shown(host.measured, host.whole);
  },
  get measured() {
    return range.profile ?? pause.profile ?? live;
  },
  asShown: (profile) => idle.shown(profile),
  /** While paused, as of that time, since a range lies within it. */
  get whole() {
    return pause.profile ?? live;
  },
  live,
  get range() {
    return range.profile === null ? null : readRange(place.get().range);
  },
  get run() {
    return run;
  },
  get answers() {
    return answers.get();
  },
  get figures() {
    return figures;
  },
  get paused() {
    return pause.profile !== null;
  },
  get time() {
    return time.now;
  },
  get place() {
    return place.get();
  },
  get match() {
    return search.match;
  },
  get theme() {
    return theme.current();
  },
  views: views.ids,
  ...Object.fromEntries(['fetchFunction', 'fetchOverTime', 'fetchPeriods', 'fetchSplit'].map((name) => [name, pause.asking((id, part, ...more) => api[name](id, pause.part(part), ...more))])),
  fetchSlowest: pause.asking((part) => api.fetchSlowest(pause.part(part))),
  fetchTasks: pause.asking((part) => api.fetchTasks(pause.part(part))),
  fetchSource: pause.asking((id) => api.fetchSource(id, pause.part(null))),
  fetchTimeline: pause.asking(async (part, max, ...more) => share.learn(part, time.learn(await reader.fetchTimeline(pause.part(part), max, ...more)))),
  fetchCalls: pause.asking((part, max) => reader.fetchTimeline(pause.part(part), max)),
  buildFrames: buildBeside,
  layOver: compareBeside,
  base,
  after,
  go: place.go,
  redraw,
  fresh: drawing.whenever,
  askForMoment: time.goTo,
  openNotes: time.openNotes,
  openLimits: limits.begin,
  device: device.tell,
  ...api.forViews,
  openMenu,
  toast,
  copy: createCopy(toast),
});

// --- drawing

function drawFrame() {
  const state = { answers: answers.get(), paused: pause.profile !== null, theme: theme.chosen() };
  if (answers.get()) time.ask();
  header.update(live, state);
  for (const part of [idle, strip, device, limits, range]) part.update();
  updateNotices(live, { ...state, whole: host.whole, place: place.get() });
  updatePauseLine(pause.state);
}

/** What is beside the view, or made of it. */
function drawBeside(isData) {
  const view = views.current();
  view.beside?.(isData);
  inspector.update();
  search.update(view.summary);
  panel.update(live, answers.get());
  showTitle([views.definition().title, live.source.port]);
}

/** Enter may precede the redraw, so draw before searching. */
function nextMatch(step) {
  drawing.finish();
  return views.current().next(step);
}

// --- data

const feed = new Feed(live, fetchSnapshot, () => {
  if (pause.profile !== null) pause.count();
  if (live.clearing !== cleared) {
    cleared = live.clearing;
    time.forget();
    range.forget();
  }
  if (opening) openView();
  drawing.whenever();
});

const reader = openReader({
  up: () => answers.set(true),
  down: () => answers.set(false),
  hello,
  snapshot: (snapshot) => feed.snapshot(snapshot),
  delta(delta) {
    feed.delta(delta);
    drawing.whenever(); // and requests the next one, even if this one changed nothing
  },
  status: (status) => feed.status(status),
});

/** Shows the first view with data, as soon as there is one. */
function openView() {
  const view = openingView(live);
  if (view === null) return;
  opening = false;
  if (view !== place.get().view) place.go({ view }, { replace: true });
}

function hello(about) {
  if (run !== null && about.run !== run) {
    live.beginAnew();
    feed.refetch();
  }
  run = about.run;
  figures = about.figures;
  limits.learn(about.limit_figures);
  exporting.learn();
}

// --- actions

function showSettings() {
  place.go({ panel: 'link' });
  drawing.finish();
  Object.assign(byId('settings'), { open: true }).querySelector('input, select')?.focus();
}

/** Escape undoes one step at a time. */
const back = () => backOne(search, views, panel) || leaveRange(place);

const group = 'Everywhere';
const frameActions = [
  ...searchActions(search, nextMatch),
  { keys: [' '], label: 'Pause or resume the view', group, run: pause.toggle },
  ...views.actions,
  { keys: ['t'], label: 'Theme: system, light, dark', group, run: () => toast('info', `Theme: ${theme.next()}`) },
  { keys: ['Shift+A'], label: 'Connection and health', group, run: panel.toggle },
  { keys: ['e'], label: 'Share and export', group, run: () => exporting.menu(header.exports) },
  ...time.actions,
  ...share.actions,
  { keys: ['Backspace'], label: 'Clear selection', group, run: () => leaveRange(place) },
  { keys: ['?'], label: 'Keys', group, run: () => showHelp(actions()) },
  { keys: ['Escape'], label: 'Back: menu, search, zoom, range', group, run: back },
  ...[device, limits, idle, strip, inspector].flatMap(({ actions: own }) => own),
];

const actions = () => [...views.current().actions, ...frameActions];

// --- begin

listenToKeys(actions);
listenToDrop((file) => {
  base.open(file);
  place.go({ view: 'compare' });
});
base.restore();
after.restore();
place.subscribe((now, before) => {
  opening = false;
  range.show(now.range);
  if (now.view !== before.view) closeMenu(); // the timeline updates its part of the address all the time
  redraw();
});
pause.followLinks();
answers.subscribe(redraw);
addEventListener('resize', redraw);
range.show(place.get().range);
redraw();
