// report.js - shows the page's views with one frozen profile, which is in the same file.
//
// The views are those of the live page; this is their host (js/host.js), as main.js is there. There is no daemon:
// requests are answered by the page itself, or are unavailable.

import { button, el } from '../js/dom.js';
import { createCopy } from '../js/part/clipboard.js';
import { createDrawing } from '../js/frame/drawing.js';
import { listenToKeys, showHelp } from '../js/frame/keys.js';
import { closeMenu, openMenu } from '../js/frame/menu.js';
import { noticeLine } from '../js/frame/notices.js';
import { createIdle } from '../js/frame/idle.js';
import { createPlace } from '../js/frame/place.js';
import { createRange, leaveRange } from '../js/frame/range.js';
import { createSearch } from '../js/frame/search.js';
import { createTheme } from '../js/frame/theme.js';
import { createTime } from '../js/frame/time.js';
import { createToasts } from '../js/frame/toast.js';
import { backOne, createViews, searchActions } from '../js/frame/views.js';
import { makeHost } from '../js/host.js';
import { comparisonIngredients, growComparison } from '../js/model/compare.js';
import { edgesOf } from '../js/model/edges.js';
import { compact, count, hertz } from '../js/model/format.js';
import { buildFrames } from '../js/model/frames.js';
import { answerFrom } from '../js/model/heldcalls.js';
import { damagedPackets, lostText } from '../js/model/health.js';
import { clockNotice, incompleteNotice, settingsNotice } from '../js/model/notices.js';
import { Profile } from '../js/model/profile.js';
import { readRange } from '../js/model/range.js';
import { tellsTasks } from '../js/model/tasks.js';
import { checkpoints } from '../js/view/checkpoints.js';
import { compare } from '../js/view/compare.js';
import { flame } from '../js/view/flame.js';
import { functions } from '../js/view/functions.js';
import { graph } from '../js/view/graph.js';
import { messages } from '../js/view/messages.js';
import { tasks } from '../js/view/tasks.js';
import { timeline } from '../js/view/timeline.js';
import { FrozenBase } from './frozen.js';

const byId = (id) => document.getElementById(id);
const told = (id) => JSON.parse(byId(id).textContent);
const figures = told('figures');
const exactly = told('exactly'); // added by a page that saves itself (js/frame/onefile.js), or null
const profile = new Profile();
profile.load(told('snapshot'));
if (exactly !== null) {
  profile.source = { ...profile.source, state: 'ended' }; // no more data
  const { dataset } = document.documentElement;
  dataset.theme = exactly.theme;
  delete dataset.system;
  if (location.hash === '') history.replaceState(null, '', exactly.place);
}

/** The views with data; if there are none, those that show that the profile is empty. */
function definitions() {
  const ran = profile.functions.some((fn) => fn.calls > 0 || fn.samples > 0);
  const list = [
    ...(ran ? [flame] : []),
    ...(exactly?.calls ? [timeline] : []),
    ...(ran ? [functions, graph] : []),
    ...(tellsTasks(profile) ? [tasks] : []),
    ...(profile.checkpoints.size > 0 ? [checkpoints] : []),
    ...(profile.messages.length > 0 ? [messages] : []),
    ...(exactly?.base ? [compare] : []),
  ];
  return list.length > 0 ? list : [flame, functions, graph];
}

const drawing = createDrawing({ steps: [draw] });
const redraw = drawing.soon;
const place = createPlace();
const toast = createToasts(byId('toasts'));
const time = createTime({ place, toast, profile: () => profile, fetchTimeline: null, learnt: () => redraw() });
const theme = createTheme(redraw);
const search = createSearch({ place, next: nextMatch, back });
const views = createViews(definitions(), place, () => host);

const range = createRange({
  host: byId('notices'),
  live: profile,
  fetchSnapshot: rangedSnapshot,
  changed: redraw,
  clear: () => place.go({ range: '' }),
  time: () => time.now,
});
if (exactly?.time) time.restore(exactly.time);
const idle = createIdle({ facts: byId('facts'), place, profile: () => host.measured, whole: () => profile });

const host = makeHost({
  get profile() {
    return idle.shown(host.measured, profile);
  },
  get measured() {
    return range.profile ?? profile;
  },
  asShown: (of) => idle.shown(of),
  whole: profile,
  live: profile,
  get range() {
    return range.profile === null ? null : readRange(place.get().range);
  },
  run: exactly?.run ?? null, // a mark that lies in the file is of it, so that what came since is shown as it was
  answers: true,
  figures,
  paused: true, // answers to requests never change
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
  fetchFunction: async (id) => ({ ...edgesOf(host.profile, id), histogram: null }),
  fetchOverTime: null,
  fetchCalls: null,
  fetchPeriods: null,
  fetchSource: null,
  fetchTimeline: exactly?.calls ? async (range) => answerFrom(exactly.calls, range) : null,
  fetchSplit: null,
  fetchSlowest: null,
  fetchTasks: null,
  fetchHistory: null,
  fetchDoctor: null,
  buildFrames: async (of, rule) => buildFrames(of, rule), // a page in a file has no threads
  layOver: async (aligned, before, after, rule) => growComparison(comparisonIngredients(aligned, before, after, rule), rule),
  base: new FrozenBase(exactly?.base ?? null, () => redraw()),
  after: new FrozenBase(exactly?.after ?? null, () => redraw()),
  go: place.go,
  redraw,
  fresh: redraw,
  askForMoment: time.goTo,
  openNotes: time.openNotes,
  openLimits: null,
  device() {},
  setDevice: null,
  setMode: null,
  setTrigger: null,
  openMenu,
  toast,
  copy: createCopy(toast),
});

function fact(term, text, tip = '') {
  if (text) byId('about').append(el('div', { title: tip }, el('dt', {}, term), el('dd', {}, text)));
}

function showHead() {
  const { source, target, link } = profile;
  const taken = new Date(profile.capturedAt);
  fact('Source', source.port, source.port);
  fact('Taken', Number.isNaN(taken.getTime()) ? '' : taken.toLocaleString(), profile.capturedAt);
  fact('Firmware', target.fw_version);
  fact('Clock', target.mcu_clock_hz ? hertz(target.mcu_clock_hz) : '');
  fact('ELF', { true: 'matches', false: 'wrong build' }[target.elf_match], source.elf?.path ?? '');
  fact('Calls', compact(profile.functions.reduce((sum, fn) => sum + (fn.calls ?? 0), 0)));
  for (const [n, word, tip] of [
    [count(target.buffer_overflows ?? 0), target.buffer_overflows === 1 ? 'overflow' : 'overflows', 'Times the buffer on the device was full'],
    [count(damagedPackets(link)), 'CRC', 'Packets that arrived damaged'],
    [lostText(profile, count), 'lost', 'Records known to be lost; ? where the number is unknown'],
  ]) {
    if (n !== '0') byId('losses').append(el('span', { class: 'badge', 'data-level': 'warn', title: tip }, `${n} ${word}`));
  }
  for (const notice of [incompleteNotice(profile), clockNotice(profile), settingsNotice(profile)])
    if (notice !== null) byId('notices').append(noticeLine(notice).line);
  if (exactly !== null) byId('notices').append(noticeLine({ id: 'exactly', level: 'ok', title: 'One page, saved.', text: exactly.said.join(' ') }).line);
  document.title = [source.port, taken.getTime() ? taken.toLocaleString() : '', 'miniprofd'].filter(Boolean).join(' · ');
}

/** The snapshot of the range that was selected when the page was saved; others are unavailable. */
async function rangedSnapshot() {
  if (exactly?.ranged?.range === place.get().range) return exactly.ranged.snapshot;
  throw new Error('This file has no figures of it.');
}

function draw() {
  range.show(place.get().range);
  range.update();
  idle.update();
  const view = views.show();
  view.update();
  view.beside?.(false);
  search.update(view.summary);
}

function nextMatch(step) {
  drawing.finish();
  return views.current().next(step);
}

function nextTheme() {
  toast('info', `Theme: ${theme.next()}`);
}

function help() {
  showHelp(actions());
}

function back() {
  if (backOne(search, views)) return true;
  return leaveRange(place);
}

function actions() {
  const group = 'Everywhere';
  return [
    ...views.current().actions,
    ...searchActions(search, nextMatch),
    ...views.actions,
    ...time.actions,
    ...idle.actions,
    { keys: ['t'], label: 'Theme: system, light, dark', group, run: nextTheme },
    { keys: ['Backspace'], label: 'Clear selection', group, run: () => leaveRange(place) },
    { keys: ['?'], label: 'This list', group, run: help },
    { keys: ['Escape'], label: 'Back: menu, search, zoom', group, run: back },
  ];
}

byId('page').append(
  button('theme', 'Theme', nextTheme, { iconOnly: true, keys: 't' }),
  button('help', 'Keys', help, { iconOnly: true, keys: '?' }),
);
listenToKeys(actions);
place.subscribe((now, before) => {
  if (now.view !== before.view) closeMenu();
  redraw();
});
addEventListener('resize', redraw);
showHead();
redraw();
