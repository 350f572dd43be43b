// views.js - the page's views: which one is shown, their tabs, and the keys of every view.

import { el, focusView, setAttr, setText } from '../dom.js';
import { makeView } from '../host.js';
import { openingView } from '../model/opening.js';
import { formatPlace } from '../model/place.js';
import { markMore } from '../part/more.js';
import { closeMenu } from './menu.js';

/** The key of each view: its own, or the next number; '' after 9. */
function keysOf(definitions) {
  let numbers = 0;
  return definitions.map(({ key }) => key ?? (numbers < 9 ? String(++numbers) : ''));
}

function tabOf(view, key, place) {
  const onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    place.go({ view: view.id, panel: '' });
  };
  const title = key ? `${view.title} (${key})` : view.title;
  return el('a', { href: `#${view.id}`, 'data-view': view.id, title, onclick }, view.title);
}

/** Scrolls the tab of the view shown into view, since tabs do not all fit on a narrow screen. */
function showChosen(row) {
  row.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
}

/** Marks the tab of the view `shown`, and makes all tabs link to the present place. */
function showTabs(tabs, shown, place) {
  const chosen = shown.tab ?? shown.id;
  for (const tab of tabs) {
    const arrived = tab.dataset.view === chosen && tab.ariaCurrent !== 'page';
    setAttr(tab, 'aria-current', tab.dataset.view === chosen ? 'page' : null);
    if (arrived) showChosen(tab.parentElement);
    if (arrived) focusView(); // from the link that led here
    setAttr(tab, 'href', formatPlace({ ...place, view: tab.dataset.view, panel: '' }));
  }
}

/**
 * Shows tabs only for available data and the view shown; if optional views are the only ones with data, they come
 * first.
 */
function arrangeTabs(row, tabs, definitions, shown, profile) {
  const lead = openingView(profile);
  const isThere = ({ id, has }) => has === undefined || id === shown.id || has(profile);
  const first = definitions.filter((one) => one.has !== undefined && lead !== null && definitions.find(({ id }) => id === lead)?.has !== undefined && isThere(one));
  const order = [...first, ...definitions.filter((one) => !first.includes(one))].filter((one) => one.tab === undefined);
  let isNew = false;
  order.forEach((one, at) => {
    const tab = tabs.find(({ dataset }) => dataset.view === one.id);
    isNew ||= tab.hidden === isThere(one) || row.children[at] !== tab;
    tab.hidden = !isThere(one);
    if (row.children[at] !== tab) row.insertBefore(tab, row.children[at] ?? null);
  });
  if (isNew) showChosen(row);
}

/** `definitions` are the views; `host()` is their host (host.js), once it exists. */
export function createViews(definitions, place, host) {
  const made = new Map(); // id -> the view
  const keys = keysOf(definitions);
  const tabs = definitions.flatMap((view, i) => (view.tab === undefined ? [tabOf(view, keys[i], place)] : []));
  const row = document.getElementById('tabs');
  row.append(...tabs);
  markMore(row);
  new ResizeObserver(() => showChosen(row)).observe(row); // in a smaller window, or with a wider neighbour
  const main = document.getElementById('main');
  document.getElementById('skip').addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
  const definition = () => definitions.find((view) => view.id === place.get().view) ?? definitions[0];

  function current() {
    const { id } = definition();
    if (!made.has(id)) {
      const view = makeView(definition(), host());
      view.root.hidden = true;
      view.root.dataset.view = id;
      main.append(view.root);
      made.set(id, view);
    }
    return made.get(id);
  }

  return {
    ids: definitions.map(({ id }) => id),
    definition,
    current,
    /** Shows the chosen view and marks its tab; returns the view. */
    show() {
      const view = current();
      const { id } = definition();
      for (const [one, { root }] of made) root.hidden = one !== id;
      arrangeTabs(row, tabs, definitions, definition(), host().live);
      showTabs(tabs, definition(), place.get());
      return view;
    },
    /** The keys of views. */
    actions: definitions
      .map(({ id, title }, i) => ({ keys: [keys[i]], label: title, group: 'Everywhere', run: () => place.go({ view: id, panel: '' }) }))
      .filter(({ keys }) => keys[0] !== ''),
  };
}

/** The keys of the search box; `next(step)` goes to a match. */
export const searchActions = (search, next) =>
  [
    [['/'], 'Search', () => search.select()],
    [['n'], 'Next match (in the search box: Enter)', () => next(1)],
    [['Shift+N'], 'Previous match (Shift+Enter)', () => next(-1)],
  ].map(([keys, label, run]) => ({ keys, label, group: 'Everywhere', run }));

/** Escape undoes one step: menu, panel, search, then the view; false if there was none. */
export const backOne = (search, views, panel = null) => closeMenu() || (panel?.back() ?? false) || search.clear() || (views.current().back?.() ?? false);

/** Sets the window title. */
export const showTitle = (parts) =>
  setText(document.querySelector('title'), [...parts, 'miniprofd'].filter(Boolean).join(' · '));
