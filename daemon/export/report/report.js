// report.js - the page's views over one frozen profile that lies in the same file.
//
// The views are those of webroot/; this stands in for its main.js and for the daemon behind it.

import { button, el, setAttr, setText } from '../../../webroot/js/dom.js';
import { listenToKeys, showHelp } from '../../../webroot/js/frame/keys.js';
import { closeMenu, openMenu } from '../../../webroot/js/frame/menu.js';
import { createTheme } from '../../../webroot/js/frame/theme.js';
import { createToasts } from '../../../webroot/js/frame/toast.js';
import { compact, count, hertz } from '../../../webroot/js/model/format.js';
import { damagedPackets, lostRecords } from '../../../webroot/js/model/health.js';
import { buildFrames } from '../../../webroot/js/model/frames.js';
import { formatPlace, parsePlace } from '../../../webroot/js/model/place.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { matcher } from '../../../webroot/js/model/search.js';
import { value } from '../../../webroot/js/store.js';
import { checkpoints } from '../../../webroot/js/view/checkpoints.js';
import { flame } from '../../../webroot/js/view/flame.js';
import { functions } from '../../../webroot/js/view/functions.js';
import { graph } from '../../../webroot/js/view/graph.js';
import { messages } from '../../../webroot/js/view/messages.js';
import { edgesOf } from './edges.js';

const byId = (id) => document.getElementById(id);
const profile = new Profile();
profile.load(JSON.parse(byId('snapshot').textContent));

const told = functionsAreTold() ? [flame, functions, graph] : [];
const views = [
  ...told,
  ...(profile.checkpoints.size > 0 ? [checkpoints] : []),
  ...(profile.messages.length > 0 ? [messages] : []),
];
if (views.length === 0) views.push(flame, functions, graph); // each says that there is nothing

function functionsAreTold() {
  return profile.functions.some((fn) => fn.calls > 0 || fn.samples > 0);
}

const place = value(parsePlace(location.hash));
const toast = createToasts(byId('toasts'));
const theme = createTheme(redraw);

/** What a view may see and do. */
const app = {
  profile,
  live: profile,
  answers: true,
  paused: true, // what a view has asked for once does not change any more
  buildFrames: async (of, rule) => buildFrames(of, rule), // a page in a file has no threads
  api: { fetchFunction: async (id) => ({ ...edgesOf(profile, id), histogram: null }) },
  get place() {
    return place.get();
  },
  get theme() {
    return theme.current();
  },
  match: matcher(place.get().search),
  go,
  redraw,
  device() {},
  openMenu,
  toast,
  views: views.map((view) => view.id),
};

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
    byId('main').append(view.root);
    shown.set(definition.id, view);
  }
  return shown.get(definition.id);
}

const tabs = views.map((view) => el('a', { href: `#${view.id}`, 'data-view': view.id }, view.title));
byId('tabs').append(...tabs);
byId('page').append(
  button('theme', 'Theme', nextTheme, { iconOnly: true, keys: 't' }),
  button('help', 'Keys', help, { iconOnly: true, keys: '?' }),
);

function fact(term, text, tip = '') {
  if (text) byId('facts').append(el('div', { title: tip }, el('dt', {}, term), el('dd', {}, text)));
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
    [target.buffer_overflows, 'overflows', 'Times the buffer on the device was full'],
    [damagedPackets(link), 'CRC', 'Packets that arrived damaged'],
    [lostRecords(link), 'lost', 'Records known to be lost'],
  ]) {
    if (n > 0) byId('losses').append(el('span', { class: 'badge', 'data-level': 'warn', title: tip }, `${count(n)} ${word}`));
  }
  document.title = [source.port, taken.getTime() ? taken.toLocaleString() : '', 'miniprofd'].filter(Boolean).join(' · ');
}

const searchText = byId('search-text');
let frame = 0;

function redraw() {
  if (frame === 0)
    frame = requestAnimationFrame(() => {
      frame = 0;
      draw();
    });
}

function draw() {
  const view = current();
  const definition = currentDefinition();
  for (const [id, one] of shown) one.root.hidden = id !== definition.id;
  for (const tab of tabs) {
    setAttr(tab, 'aria-current', tab.dataset.view === definition.id ? 'page' : null);
    setAttr(tab, 'href', formatPlace({ ...place.get(), view: tab.dataset.view }));
  }
  view.update();
  if (document.activeElement !== searchText) searchText.value = place.get().search;
  setAttr(searchText, 'aria-invalid', app.match.error ? 'true' : null);
  setText(byId('search-result'), app.match.error || (app.match.empty ? '' : view.summary()));
}

function nextTheme() {
  toast('info', `Theme: ${theme.next()}`);
}

function help() {
  showHelp(actions());
}

/** Escape undoes one thing at a time. */
function back() {
  if (closeMenu()) return true;
  if (place.get().search !== '') {
    go({ search: '' }, { replace: true });
    searchText.value = '';
    return true;
  }
  return current().back?.() ?? false;
}

function actions() {
  const group = 'Everywhere';
  return [
    ...current().actions,
    { keys: ['/'], label: 'Search', group, run: () => searchText.select() },
    { keys: ['n'], label: 'Next match', group, run: () => current().next(1) },
    { keys: ['Shift+N'], label: 'Previous match', group, run: () => current().next(-1) },
    ...views.map((view, i) => ({
      keys: [String(i + 1)],
      label: view.title,
      group,
      run: () => go({ view: view.id }),
    })),
    { keys: ['t'], label: 'Theme: system, light, dark', group, run: nextTheme },
    { keys: ['?'], label: 'This list', group, run: help },
    { keys: ['Escape'], label: 'Back: menu, search, zoom', group, run: back },
  ];
}

listenToKeys(actions);
byId('search').addEventListener('submit', (event) => event.preventDefault());
searchText.addEventListener('input', () => go({ search: searchText.value }, { replace: true }));
searchText.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') {
    event.preventDefault();
    current().next(event.shiftKey ? -1 : 1);
  } else if (event.key === 'Escape') {
    event.preventDefault();
    if (place.get().search !== '') back();
    searchText.blur();
  }
});
byId('skip').addEventListener('click', (event) => {
  event.preventDefault();
  byId('main').focus();
});
place.subscribe((now, before) => {
  if (now.search !== before.search) app.match = matcher(now.search);
  closeMenu();
  redraw();
});
addEventListener('popstate', () => place.set(parsePlace(location.hash)));
addEventListener('resize', redraw);

showHead();
redraw();
