// compare.js - compares the current profile with an earlier one: a flame graph coloured by change, the list of the
// largest changes, and the table of all.

import { el, setAttr, setText } from '../dom.js';
import { percent, plural } from '../model/format.js';
import { roomyRowPx, rowCount } from '../model/layout.js';
import { strangersWords, verdictOf } from '../model/noise.js';
import { createCrumbs } from '../part/crumbs.js';
import { createEmpty } from '../part/empty.js';
import { Matches } from '../part/flame/matches.js';
import { createHotList } from '../part/hot-list.js';
import { nextOption } from '../part/option.js';
import { act, copyTable, goTo, goToPending, lead } from './compare/acts.js';
import { createCompareDetails } from './compare/details.js';
import { createCompareStage, searchGraph, showList } from './compare/graph.js';
import { compareActions } from './compare/keys.js';
import { createLegend } from './compare/legend.js';
import { createSides } from './compare/sides.js';
import { createChangeTable } from './compare/table.js';
import { createCompareToolbar } from './compare/toolbar.js';
import { createLatest, wantVersus } from './compare/versus.js';

const shallowShare = 0.45; // of the height, at most
const listLeastPx = 200; // beside the graph

function create(host) {
  const view = {
    host,
    versus: null, // the result of model/versus.js, or null without a comparison
    wants: false, // true: a comparison is wanted
    compared: { profile: null, number: 0 }, // the profile compared last, and its count
    matches: new Matches(),
    litFn: -1, // the function pointed at in the list
    pending: null, // labels of a frame to go to when widths are those of the other side
    sides: createSides(host),
    legend: createLegend(),
    empty: createEmpty(host),
  };
  view.latest = createLatest(view);
  view.toolbar = createCompareToolbar(host, () => copyTable(view));
  view.stage = createCompareStage(view);
  view.crumbs = createCrumbs((depth) => {
    const { frames } = view.versus;
    view.stage.zoomTo(frames.find(frames.path(view.stage.zoom).slice(0, depth)));
  });
  view.hot = createHotList({ point: (fn) => light(view, fn), choose: (node) => goTo(view, node) });
  view.details = createCompareDetails((what) => act(view, what));
  view.table = createChangeTable(host, (entry) => lead(view, entry));
  build(view);
  return answerOf(view);
}

function build(view) {
  const { sides } = view;
  view.waiting = el('p', { class: 'compare-waiting', role: 'status', hidden: true });
  view.verdict = el('p', { class: 'compare-verdict', 'aria-live': 'polite' });
  view.graph = el('div', { class: 'flame-body' }, view.stage.root, view.hot.root);
  view.bar = el('div', { class: 'compare-bar' }, view.verdict, view.crumbs.root, view.legend.root);
  view.root = el(
    'section',
    { class: 'view compare', 'aria-label': 'Compare' },
    sides.error,
    sides.reading,
    el('div', { class: 'compare-strip' }, view.toolbar.root, sides.sides),
    view.bar,
    view.graph,
    view.details.root,
    view.table.root,
    view.waiting,
    sides.start,
    view.empty.root,
    sides.picker,
  );
}

function light(view, fn) {
  if (view.litFn === fn) return;
  view.litFn = fn;
  view.stage.paint();
}

const isFlameShown = ({ versus, host }) => versus !== null && host.place.show === 'flame';

function answerOf(view) {
  const { stage, table, matches, host } = view;
  return {
    root: view.root,
    update: () => update(view),
    back: () => isFlameShown(view) && stage.back(),
    summary() {
      if (view.versus === null || host.match.empty) return '';
      if (!isFlameShown(view)) return table.summary();
      if (!matches.share) return '';
      return `${percent(matches.share.share)} · ${plural(matches.list.length, 'function')}`;
    },
    next(step) {
      if (view.versus === null) return false;
      if (!isFlameShown(view)) return table.move(step);
      const node = matches.next(step);
      if (node >= 0) stage.reveal(node, true);
      return node >= 0;
    },
    get actions() {
      return actionsOf(view);
    },
  };
}

function actionsOf(view) {
  const { host, versus } = view;
  const next = (key, options) => () => nextOption(host, key, options);
  return compareActions({
    there: versus !== null,
    inTable: host.place.show === 'table',
    tableKeys: view.table.keys,
    stage: view.stage,
    sides: view.sides,
    act: (what) => act(view, what),
    show: next('show', ['flame', 'table']),
    measure: next('measure', ['share', 'call', 'second', 'total'].filter((one) => versus?.can.measures.has(one))),
    unit: next('unit', ['time', 'calls', 'samples'].filter((one) => versus?.can.units.has(one))),
    side: next('side', ['after', 'before']),
    order: next('order', ['heavy', 'name']),
    since: next('since', [true, false]),
    least: next('least', ['0', '1', '5', '10']),
  });
}

// --- drawing

/** State of the comparison: { nothing (both sides are empty), dark (the side of the widths is empty) }. */
function extentOf(versus) {
  if (versus === null) return { nothing: true, dark: false };
  const { before, after, weight } = versus.frames;
  const nothing = Math.max(before[0], after[0]) === 0;
  return { nothing, dark: !nothing && weight[0] === 0 };
}

function hideParts(view, { nothing, dark }, flame) {
  view.toolbar.root.hidden = view.bar.hidden = nothing;
  view.crumbs.root.hidden = view.legend.root.hidden = !flame;
  view.graph.hidden = view.details.root.hidden = nothing || dark || !flame;
  view.table.root.hidden = nothing || flame;
  view.waiting.hidden = !dark || !flame;
}

function update(view) {
  const { host } = view;
  wantVersus(view);
  const { versus } = view;
  view.sides.show(versus?.frames ?? null, versus?.since ?? false);
  const extent = extentOf(versus);
  const flame = host.place.show === 'flame';
  hideParts(view, extent, flame);
  const isEmpty = !view.wants || (versus !== null && extent.nothing);
  if (host.base.held !== null && isEmpty) view.empty.show(host.profile, host.answers);
  else view.empty.hide();
  if (!extent.nothing) draw(view, flame, extent.dark);
}

const overWords =
  'Nothing has come since the mark, and nothing will: the recording is complete. Choose a range on the timeline to compare it with the mark.';

function verdictNow({ versus, host }) {
  if (versus.strangers !== null) return { text: strangersWords(versus.strangers), trend: '' };
  return versus.over ? { text: overWords, trend: '' } : verdictOf(versus.rows, Number(host.place.least) / 100);
}

function showVerdict(view) {
  const { verdict } = view;
  const { text, trend } = verdictNow(view);
  setText(verdict, text);
  setAttr(verdict, 'title', text); // it is cut off beside a long zoom path
  setAttr(verdict, 'data-trend', trend);
}

/**
 * Gives a shallow graph in a large window only the height it needs, and the list the rest. Returns true for such a
 * graph.
 */
function layShallow({ root, graph, stage, versus }) {
  const rows = rowCount(versus.frames);
  const most = root.clientHeight * shallowShare;
  const rowPx = roomyRowPx(rows, most, stage.painter.leastRowPx);
  const isShallow = root.clientWidth > 900 && root.clientHeight > 600 && rows * rowPx <= most;
  setAttr(graph, 'data-shallow', isShallow ? '' : null);
  graph.style.height = isShallow ? `${Math.max(rows * rowPx + 1, listLeastPx)}px` : '';
  stage.painter.wantedRowPx = isShallow ? rowPx : 0;
  return isShallow;
}

function draw(view, flame, dark) {
  const { host, versus } = view;
  const { frames, aligned } = versus;
  view.toolbar.show(host.place, versus.can, versus.how);
  view.legend.show(host.theme);
  showVerdict(view);
  view.crumbs.show(['all', ...frames.path(view.stage.zoom).map((fn) => aligned.functions[fn].name)], '');
  if (!flame) {
    view.table.show(versus.rows, versus.how);
    return;
  }
  if (dark) {
    view.waiting.textContent = versus.since
      ? 'No data since the mark yet. Widths of before (b) show earlier data.'
      : 'There is nothing on this side. Choose the widths of the other (b).';
    return;
  }
  const isShallow = layShallow(view);
  view.table.root.hidden = !isShallow;
  if (isShallow) view.table.show(versus.rows, versus.how);
  searchGraph(view);
  goToPending(view);
  view.stage.paintNow();
  showList(view); // reads the graph's width
}

export const compare = { id: 'compare', tab: 'flame', key: 'Shift+K', title: 'Compare', create };
