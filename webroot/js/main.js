// main.js - puts the page together: data in, views out, and the address in step with both.

import * as api from './api.js';
import { createBase } from './base.js';
import { buildBeside, compareBeside } from './builder.js';
import { el, setAttr, setText } from './dom.js';
import { createDevice } from './frame/device.js';
import { listenToDrop } from './frame/drop.js';
import { createExports } from './frame/exports.js';
import { createHeader } from './frame/header.js';
import { listenToKeys, showHelp } from './frame/keys.js';
import { createMeasured } from './frame/measured.js';
import { closeMenu, openMenu } from './frame/menu.js';
import { createNotices } from './frame/notices.js';
import { createRange } from './frame/range.js';
import { createTheme } from './frame/theme.js';
import { createToasts } from './frame/toast.js';
import { Feed } from './model/feed.js';
import { formatPlace, parsePlace } from './model/place.js';
import { Profile } from './model/profile.js';
import { readRange } from './model/range.js';
import { matcher } from './model/search.js';
import { openReader } from './reader.js';
import { value } from './store.js';
import { views } from './view/list.js';

const live = new Profile();
const place = value(parsePlace(location.hash));
const answers = value(false);
const frozen = value(null); // the profile as it was when the view was paused, or null
let updatesHeld = 0;

const toast = createToasts(document.getElementById('toasts'));
const theme = createTheme(() => redraw());
const device = createDevice({
  api,
  toast,
  live,
  answers: () => answers.get(),
  cleared: () => frozen.set(null),
});
const measured = createMeasured();
const exporting = createExports({ api, toast, range: () => readRange(place.get().range) });
const range = createRange({
  host: document.getElementById('range'),
  live,
  fetchSnapshot,
  changed: () => redraw(),
  clear: () => go({ range: '' }),
});

/** Snapshots come through the reader, as the stream does. */
function fetchSnapshot(part, signal) {
  return reader.fetchSnapshot(part, signal);
}

/** What a view may see and do. */
const app = {
  api,
  base: createBase(() => redraw()),
  buildFrames: buildBeside,
  layOver: compareBeside,
  measured: measured.series,
  /** What the views show: the range's profile, or the paused one, or what comes in. */
  get profile() {
    return range.profile ?? frozen.get() ?? live;
  },
  /** The range that `profile` is of, { from, to } in ticks as text; null when it is of everything. */
  get range() {
    return range.profile === null ? null : readRange(place.get().range);
  },
  /** Everything, as of the moment of pausing: for what shows where a range lies in it. */
  get whole() {
    return frozen.get() ?? live;
  },
  /** The profile as it comes in, paused or not: for what is about the link and not about the program. */
  get live() {
    return live;
  },
  get place() {
    return place.get();
  },
  /** Which start of the daemon the profile belongs to. */
  get run() {
    return run;
  },
  get answers() {
    return answers.get();
  },
  get paused() {
    return frozen.get() !== null;
  },
  get theme() {
    return theme.current();
  },
  match: matcher(place.get().search),
  go,
  redraw,
  device: device.tell,
  openMenu,
  toast,
  views: views.map((view) => view.id),
  /** Puts text on the clipboard and says so: "`what` copied". */
  copy(text, what) {
    navigator.clipboard?.writeText(text).then(
      () => toast('ok', `${what} copied`),
      () => toast('bad', 'The browser does not let this page copy.'),
    );
  },
};

/** Goes to another place; `replace` leaves no step for the browser's Back (typing, toggles). */
function go(change, { replace = false } = {}) {
  const next = { ...place.get(), ...change };
  const hash = formatPlace(next);
  if (hash === formatPlace(place.get())) return;
  if (replace) history.replaceState(null, '', hash);
  else history.pushState(null, '', hash);
  place.set(next);
}

const shown = new Map(); // view id -> what its create() answered
const currentDefinition = () => views.find((view) => view.id === place.get().view) ?? views[0];

function current() {
  const definition = currentDefinition();
  if (!shown.has(definition.id)) {
    const view = definition.create(app);
    view.root.hidden = true;
    document.getElementById('main').append(view.root);
    shown.set(definition.id, view);
  }
  return shown.get(definition.id);
}

// After drawing for t ms, data waits 3 t before it is drawn again: the page stays quick under load.
const restShare = 3;
let resting = 0;
let frame = 0;
let urgent = false; // whether someone waits for the frame, and not just data

function nextFrame() {
  // A hidden page gets no animation frames; it catches up when it is seen again.
  if (frame !== 0) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    if (urgent || resting === 0) draw();
  });
}

function redraw() {
  urgent = true;
  nextFrame();
}

const header = createHeader(
  {
    showLink: () => go({ view: 'link' }),
    device: device.tell,
    clear: device.clear,
    pause,
    exportMenu: exporting.menu,
    theme: nextTheme,
    help,
  },
  device,
);
const updateNotices = createNotices(document.getElementById('notices'), pause);
const tabs = views.map((view, i) =>
  el(
    'a',
    {
      href: `#${view.id}`,
      'data-view': view.id,
      title: `${view.title} (${i + 1})`,
      onclick: (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        go({ view: view.id });
      },
    },
    view.title,
  ),
);
document.getElementById('tabs').append(...tabs);

const searchText = document.getElementById('search-text');
const searchResult = document.getElementById('search-result');

function draw() {
  const began = performance.now();
  urgent = false;
  const view = current();
  const definition = currentDefinition();
  for (const [id, one] of shown) one.root.hidden = id !== definition.id;
  for (const tab of tabs) {
    const arrived = tab.dataset.view === definition.id && tab.ariaCurrent !== 'page';
    setAttr(tab, 'aria-current', tab.dataset.view === definition.id ? 'page' : null);
    if (arrived) tab.scrollIntoView({ block: 'nearest', inline: 'nearest' }); // on a narrow screen they scroll
    setAttr(tab, 'href', formatPlace({ ...place.get(), view: tab.dataset.view }));
  }
  const state = { answers: answers.get(), paused: app.paused, updatesHeld, theme: theme.chosen() };
  header.update(live, state);
  device.update();
  updateNotices(live, state);
  range.update();
  view.update();
  if (document.activeElement !== searchText) searchText.value = place.get().search;
  setAttr(searchText, 'aria-invalid', app.match.error ? 'true' : null);
  setText(searchResult, app.match.error || (app.match.empty ? '' : view.summary()));
  setText(
    document.querySelector('title'),
    [definition.title, live.source.port, 'miniprofd'].filter(Boolean).join(' · '),
  );
  rest(performance.now() - began);
}

/** A quick hand presses Enter before what it has typed is drawn; the view must know it first. */
function nextMatch(step) {
  if (urgent) draw();
  return current().next(step);
}

// --- data
// -------------------------------------------------------------------------------------------------------------

function rest(costMs) {
  clearTimeout(resting);
  resting = 0;
  if (costMs < 12) return;
  resting = setTimeout(() => {
    resting = 0;
    nextFrame();
  }, costMs * restShare);
}

function changed() {
  if (app.paused) updatesHeld++;
  measured.add(live);
  nextFrame();
}

const feed = new Feed(live, fetchSnapshot, changed);

let run = null; // which start of the daemon the sequence belongs to

function hello(about) {
  if (run !== null && about.run !== run) {
    feed.refetch();
    range.forget();
  }
  run = about.run;
  exporting.learn();
}

/** A whole snapshot with fewer calls than there were says that the profile was cleared. */
function snapshot(whole) {
  const before = live.calls;
  feed.snapshot(whole);
  if (live.calls < before) range.forget();
}

const reader = openReader({
  up: () => answers.set(true),
  down: () => answers.set(false),
  hello,
  snapshot,
  delta: (delta) => feed.delta(delta),
  status: (status) => feed.status(status),
});

// --- actions
// ----------------------------------------------------------------------------------------------------------

function pause() {
  updatesHeld = 0;
  frozen.set(app.paused ? null : live.freeze());
}

function nextTheme() {
  toast('info', `Theme: ${theme.next()}`);
}

function help() {
  showHelp(actions());
}

const frameActions = [
  { keys: ['/'], label: 'Search', group: 'Everywhere', run: () => searchText.select() },
  { keys: ['n'], label: 'Next match', group: 'Everywhere', run: () => nextMatch(1) },
  { keys: ['Shift+N'], label: 'Previous match', group: 'Everywhere', run: () => nextMatch(-1) },
  { keys: [' '], label: 'Pause or resume the view', group: 'Everywhere', run: pause },
  ...views.map((view, i) => ({
    keys: [String(i + 1)],
    label: view.title,
    group: 'Everywhere',
    run: () => go({ view: view.id }),
  })),
  { keys: ['t'], label: 'Theme: system, light, dark', group: 'Everywhere', run: nextTheme },
  { keys: ['e'], label: 'Export', group: 'Everywhere', run: () => exporting.menu(header.exports) },
  { keys: ['Backspace'], label: 'Leave the range', group: 'Everywhere', run: leaveRange },
  { keys: ['?'], label: 'This list', group: 'Everywhere', run: help },
  { keys: ['Escape'], label: 'Back: menu, search, zoom, range', group: 'Everywhere', run: back },
  ...device.actions,
];

function actions() {
  return [...current().actions, ...frameActions];
}

/** Escape undoes one thing at a time. */
function back() {
  if (closeMenu()) return true;
  if (place.get().search !== '') {
    go({ search: '' }, { replace: true });
    searchText.value = '';
    return true;
  }
  return current().back?.() || leaveRange();
}

function leaveRange() {
  if (place.get().range === '') return false;
  go({ range: '' });
  return true;
}

listenToKeys(actions);
listenToDrop((file) => {
  app.base.open(file);
  go({ view: 'compare' });
});
app.base.restore();

document.getElementById('search').addEventListener('submit', (event) => event.preventDefault());
searchText.addEventListener('input', () => go({ search: searchText.value }, { replace: true }));
searchText.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') {
    event.preventDefault();
    nextMatch(event.shiftKey ? -1 : 1);
  } else if (event.key === 'Escape') {
    event.preventDefault();
    if (place.get().search !== '') back();
    searchText.blur();
  }
});
document.getElementById('skip').addEventListener('click', (event) => {
  event.preventDefault();
  document.getElementById('main').focus();
});

place.subscribe((now, before) => {
  if (now.search !== before.search) app.match = matcher(now.search);
  range.show(now.range);
  closeMenu();
  redraw();
});
answers.subscribe(redraw);
frozen.subscribe(redraw);
addEventListener('popstate', () => place.set(parsePlace(location.hash)));
addEventListener('resize', redraw);

range.show(place.get().range);
redraw();
