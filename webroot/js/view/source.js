// source.js - the selected function's source lines beside its instructions.

import { el } from '../dom.js';
import { plural } from '../model/format.js';
import { formatPlace } from '../model/place.js';
import { createEmpty } from '../part/empty.js';
import { tableKeys } from '../part/table-keys.js';
import { createSourceBar } from './source/bar.js';
import { forget, keepUp, listingState, noRows, offered } from './source/listing.js';
import { drawNotes, drawStatus } from './source/notes.js';
import { createOffer } from './source/offer.js';
import { createPanes } from './source/panes.js';
import {
  atPlace,
  back,
  choose,
  enter,
  follow,
  listMarks,
  move,
  next,
  paneOf,
  placeOf,
  rowsOf,
  select,
  selected,
  turn,
} from './source/walk.js';

const offeredMost = 30;
const group = 'Source';

function create(host) {
  const view = {
    host,
    ...listingState(),
    near: noRows, // rows under the pointer
    revealed: '', // last scrolled to
    marked: { key: '', rows: [] },
    offer: createOffer((id) => choose(view, id)),
    empty: createEmpty(host),
  };
  view.bar = createSourceBar(host, {
    choose: (id) => choose(view, id),
    turn: (pane) => turn(view, pane),
    place: () => placeOf(view),
  });
  view.panes = createPanes(() => view.known, panesOf(view));
  const root = build(view);
  return {
    root,
    update: () => update(view),
    back: () => back(view),
    next: (step) => next(view, step),
    summary() {
      if (host.match.empty) return '';
      return view.offer.root.hidden
        ? plural(listMarks(view).length, 'row')
        : plural(offered(host).length, 'function');
    },
    actions: actionsOf(view),
  };
}

/** The actions of the two panes. */
const panesOf = (view) => ({
  choose(pane, index) {
    if (view.host.place.pane !== pane) turn(view, pane);
    select(view, pane, index);
  },
  hover(pane, index) {
    view.near = index < 0 ? noRows : view.known.rowsOf(view.known.nameOf(pane, index));
    view.host.redraw();
  },
  scroll: () => view.host.redraw(),
  follow: (target) => follow(view, target),
  jump: (index) => select(view, 'code', index, { replace: false }),
  addressOf({ function: id }) {
    const { place, profile } = view.host;
    return formatPlace({ ...place, fn: profile.labelOf(id), row: '' });
  },
});

function build(view) {
  const { bar, offer, panes, empty } = view;
  const note = () => el('p', { class: 'source-note' });
  const half = (pane, label) =>
    el(
      'section',
      { class: 'source-half', 'data-pane': pane, 'aria-label': label },
      view.notes[pane],
      panes.tables[pane].root,
    );
  view.notes = { source: note(), code: note() };
  view.halves = { source: half('source', 'Lines'), code: half('code', 'Instructions') };
  view.status = el('p', { class: 'table-status', role: 'status' });
  view.both = el('div', { class: 'source-halves' }, view.halves.source, view.halves.code);
  view.body = el('div', { class: 'source-body' }, bar.root, offer.root, view.both, view.status);
  return el('section', { class: 'view source', 'aria-label': 'Source' }, view.body, empty.root);
}

function actionsOf(view) {
  const { host, bar, panes } = view;
  const table = {
    rows: () => rowsOf(view, paneOf(view)),
    pageRows: () => panes.tables[paneOf(view)].pageRows(),
  };
  const toFunctions = () => host.place.fn !== '' && host.go({ view: 'functions' });
  const own = [
    [['ArrowLeft', 'ArrowRight'], 'Source, instructions', ({ key }) => turn(view, key === 'ArrowRight' ? 'code' : 'source')],
    [['Enter'], 'Go where the call or branch goes', () => enter(view)],
    [['o'], 'Open in the editor', bar.openEditor],
    [['Shift+O'], 'Choose the editor', bar.chooseEditor],
    [['y'], 'Copy file and line', bar.copy],
    [['c'], 'Choose the function', bar.focus],
    [['g'], 'Open in Functions', toFunctions],
  ];
  return [
    ...tableKeys(group, 'row', table, (step) => move(view, step)),
    ...own.map(([keys, label, run]) => ({ keys, label, group, run })),
  ];
}

// --- drawing

/** Returns a function for the marks of a pane's rows, by index. */
function marksOf(view, pane) {
  const { host, known, near } = view;
  const chosen = atPlace(view);
  const own = (rows) => new Set(pane === 'code' ? rows.code : rows.line < 0 ? [] : [rows.line]);
  const linked = own(chosen);
  const hovered = own(near);
  const one = host.place.row === '' ? -1 : selected(view, pane);
  const found = host.match.empty ? new Set() : new Set(known.marks(pane, host.match));
  return (index) => ({
    'aria-selected': index === one && (pane === 'source' || chosen.chosen >= 0) ? 'true' : null,
    'data-linked': linked.has(index) ? '' : null,
    'data-near': hovered.has(index) ? '' : null,
    'data-found': found.has(index) ? '' : null,
  });
}

/** Scrolls both panes to the selection, once. */
function reveal(view) {
  const { row } = view.host.place;
  const key = `${view.about}|${row}`;
  if (key === view.revealed || view.about === '') return;
  view.revealed = key;
  for (const [pane, table] of Object.entries(view.panes.tables)) {
    const index = selected(view, pane);
    if (row === '' && index < 0) table.root.scrollTop = 0;
    else if (index >= 0) table.reveal(index);
  }
}

function showOffer({ host, bar, offer }) {
  const { place, match } = host;
  const list = offered(host);
  const none = match.empty
    ? 'No function has an address yet that could be looked up.'
    : 'No function with an address matches the search.';
  const some = `${match.empty ? 'The' : 'Matches of the search, the'} hottest first. Elsewhere, s on a function leads here.`;
  bar.show('', false);
  offer.show(
    place.fn === '' ? 'Which function?' : `There is no function “${place.fn}” in this profile.`,
    list.length > 0 ? some : none,
    list.slice(0, offeredMost),
  );
}

function draw(view, name) {
  drawNotes(view);
  view.bar.show(name, !view.halves.code.hidden && view.both.dataset.only === undefined);
  const marks = (pane) => marksOf(view, pane);
  view.panes.show(marks);
  reveal(view);
  view.panes.show(marks);
  drawStatus(view);
}

function update(view) {
  const { host, body, empty, offer, both, status } = view;
  const { profile, place } = host;
  body.hidden = profile.functions.length === 0;
  if (body.hidden) {
    empty.show(profile, host.answers);
    return;
  }
  empty.hide();
  const id = profile.idOf(place.fn);
  const isChosen = place.fn !== '' && id >= 0;
  offer.root.hidden = isChosen;
  both.hidden = status.hidden = !isChosen;
  if (!isChosen) {
    forget(view);
    showOffer(view);
    return;
  }
  keepUp(view, id);
  draw(view, profile.functions[id].name);
}

export const source = { id: 'source', tab: 'flame', key: 'Shift+U', title: 'Source', create };
