// compare.js - the current profile against an earlier one: a flame graph coloured by what changed, the list of
// the largest changes, and the table of all.

import { el, setAttr } from '../dom.js';
import { figure, ratio } from '../model/changes.js';
import { changeColour } from '../model/colour.js';
import { strength } from '../model/compare.js';
import { percent, plural } from '../model/format.js';
import { Latest } from '../model/latest.js';
import { shorten } from '../model/names.js';
import { rankFunctions } from '../model/rank.js';
import { matchFunctions, matchShare, stepMatch } from '../model/search.js';
import { compareProfiles, widestFrames } from '../model/versus.js';
import { createCompareDetails } from './compare/details.js';
import { compareActions } from './compare/keys.js';
import { changeEntries } from './compare/list.js';
import { createSides } from './compare/sides.js';
import { createChangeTable } from './compare/table.js';
import { createCompareToolbar } from './compare/toolbar.js';
import { createEmpty } from '../part/empty.js';
import { createStage } from '../part/flame/stage.js';
import { createCrumbs } from './flame/toolbar.js';
import { createHotList } from '../part/hot-list.js';

const signs = { '-1': '−', 0: '', 1: '+' };

function create(host) {
  let versus = null; // what model/versus.js answers, or null while there is nothing to compare
  let wants = false; // whether a comparison is on its way or there
  let compared = null; // { profile, number }: the profile compared last, and the how manieth it is
  let matched = { key: '', versus: null, text: '', hits: null, share: null, list: [] };
  let matchAt = -1;
  let litFn = -1; // the function pointed at in the list
  let pending = null; // labels of a frame to go to once widths are those of the other side

  // --- parts
  // ----------------------------------------------------------------------------------------------------------

  const sides = createSides(host);
  const toolbar = createCompareToolbar(host.go, copyTable);
  const crumbs = createCrumbs((depth) =>
    stage.zoomTo(versus.frames.find(versus.frames.path(stage.zoom).slice(0, depth))),
  );
  const stage = createStage({
    id: 'compare',
    label:
      'Flame graph of the changes. Arrow keys go from frame to frame, Enter zooms, Escape goes back. ' +
      'The table of changes has the same figures by function.',
    labelOf: (fn) => versus.aligned.functions[fn].label,
    zoomed,
    go: (zoom, how) => host.go({ zoom, inverted: false }, how),
    scene,
    painted: showDetails,
    spoken,
    menu,
  });
  const hot = createHotList({
    point(fn) {
      if (litFn === fn) return;
      litFn = fn;
      stage.paint();
    },
    choose: (node) => goTo(node),
  });
  const details = createCompareDetails((what) => act(what));
  const table = createChangeTable(host, lead);
  const empty = createEmpty(() => host.device('start'));
  const waiting = el('p', { class: 'compare-waiting', role: 'status', hidden: true });
  const graph = el('div', { class: 'flame-body' }, stage.root, hot.root);
  const legendBar = el('div', { class: 'compare-bar' }, crumbs.root, toolbar.legend);
  const root = el(
    'section',
    { class: 'view compare', 'aria-label': 'Compare' },
    sides.error,
    sides.reading,
    sides.sides,
    toolbar.root,
    legendBar,
    graph,
    details.root,
    table.root,
    waiting,
    sides.start,
    empty.root,
    sides.picker,
  );

  // --- state
  // ----------------------------------------------------------------------------------------------------------

  /** A zoom of the callers' tree is none of this one. */
  function zoomed() {
    return host.place.inverted ? [] : host.place.zoom;
  }

  const least = () => Number(host.place.least) / 100;
  const entryOf = (node) => versus.aligned.functions[versus.frames.fn[node]] ?? null;
  const strengthOf = (node) => strength(versus.change(node), least());
  const colourOf = (node) => changeColour(strengthOf(node), host.theme);

  async function make(held, profile, place) {
    const [before, after] = place.swap ? [profile, held.profile] : [held.profile, profile];
    // Only of a mark is it known that this run went on from there.
    const ranged = held.ranged || place.range !== '';
    const mayGrow = held.kind === 'mark' && held.run === host.run && !place.swap && !ranged;
    return { held, made: await compareProfiles(before, after, place, mayGrow, host.layOver) };
  }

  const latest = new Latest(make, ({ held, made }) => {
    if (host.base.held !== held) return; // another base has been chosen meanwhile, and is what is wanted now
    const former = versus?.aligned.functions;
    versus = { ...made, heldId: held.id };
    const now = versus.aligned.functions;
    // Numbers of functions mean the same as before, unless names have changed.
    if (former?.some(({ label }, id) => now[id]?.label !== label)) stage.select(-1);
    host.redraw();
  });

  /** Until a comparison is there, what was compared before is shown; of another base nothing is. */
  function build() {
    const { base, profile, place } = host;
    const { held } = base;
    wants = held !== null && profile.loaded;
    if (versus !== null && (!wants || versus.heldId !== held.id)) {
      versus = null;
      stage.select(-1);
    }
    if (!wants) {
      setAttr(root, 'data-behind', null);
      return;
    }
    if (compared?.profile !== profile) compared = { profile, number: (compared?.number ?? 0) + 1 };
    const wishes = [place.unit, place.measure, place.order, place.side, place.since, place.swap];
    const what = [held.id, compared.number, host.run, place.range, ...wishes].join('|');
    latest.want(what, `${profile.sequence}|${profile.named}`, () => [held, profile, place]);
    setAttr(root, 'data-behind', latest.behind ? '' : null);
    if (versus !== null) stage.show(versus.frames, zoomed().map(versus.aligned.idOf));
  }

  function search() {
    const { zoom } = stage;
    const key = `${host.place.search}|${zoom}`;
    if (matched.versus === versus && matched.key === key) return;
    if (matched.text !== host.place.search) matchAt = -1;
    const { frames, aligned } = versus;
    const hits = host.match.empty ? null : matchFunctions(aligned.functions, host.match);
    matched = {
      key,
      versus,
      text: host.place.search,
      hits,
      share: hits ? matchShare(frames, hits, zoom) : null,
      list: hits ? rankFunctions(frames, 0, 'total', hits) : [],
    };
  }

  /** Goes to a frame; to one that has no width on this side, by way of the other. */
  function goTo(node) {
    if (node < 0) return;
    const { frames, aligned } = versus;
    if (frames.weight[node] > 0) {
      stage.reveal(node, true);
      return;
    }
    pending = frames.path(node).map((fn) => aligned.functions[fn].label);
    host.go({ side: host.place.side === 'after' ? 'before' : 'after' });
  }

  function goToPending() {
    if (pending === null || versus.side !== host.place.side) return;
    const path = pending.map(versus.aligned.idOf);
    pending = null;
    stage.reveal(versus.frames.find(path), true);
  }

  /** Leads to the function in the Functions view, or to its frame here when it is only in the other profile. */
  function lead(entry) {
    const current = host.place.swap ? entry.before : entry.after;
    if (current !== null) {
      host.go({ view: 'functions', fn: host.profile.labelOf(current.id) });
      return;
    }
    host.toast('info', `${entry.name} is not in the current profile`, 'Here is where it was.');
    host.go({ show: 'flame' });
    goTo(widestFrames(versus.frames, versus.aligned.functions.length)[entry.id]);
  }

  function copyTable() {
    if (versus !== null) host.copy(table.csv(), 'Table');
  }

  function act(what, node = stage.meant) {
    if (versus === null) return false;
    if (host.place.show === 'table') {
      const chosen = table.chosen();
      if (what === 'copy') copyTable();
      else if (chosen !== null) lead(chosen);
      return chosen !== null || what === 'copy';
    }
    if (node < 0) return false;
    if (what === 'zoom') {
      stage.zoomTo(node);
      return true;
    }
    const entry = entryOf(node);
    if (entry === null) return false;
    if (what === 'function') lead(entry);
    if (what === 'copy') host.copy(entry.name, 'Name');
    return true;
  }

  function menu(node, at) {
    host.openMenu(at, entryOf(node).name, [
      { label: 'Zoom to this frame', icon: 'zoom', key: '⏎', run: () => act('zoom', node) },
      { label: 'Callers, callees, durations', icon: 'table', key: 'g', run: () => act('function', node) },
      { label: 'Copy name', key: 'y', run: () => act('copy', node) },
    ]);
  }

  // --- drawing
  // --------------------------------------------------------------------------------------------------------

  function caption(node, name, room) {
    const change = versus.change(node);
    const sign = signs[Math.sign(strength(change, least()))];
    if (sign === '') return shorten(name, room);
    const far = ratio(change);
    const told = /^[+−]/.test(far) ? far : `${sign} ${far}`;
    const rest = room - told.length - 2;
    if (name.length <= rest || rest > 20) return `${told}  ${shorten(name, rest)}`;
    return room < 4 ? sign : `${sign} ${shorten(name, room - 2)}`;
  }

  function scene() {
    const { functions } = versus.aligned;
    let lit = matched.hits;
    if (litFn >= 0) {
      lit = new Uint8Array(functions.length);
      lit[litFn] = 1;
    }
    const { before, after } = versus.change(0);
    return {
      functions,
      named: 0,
      theme: host.theme,
      colourBy: 'change',
      lit,
      fillOf: colourOf,
      captionOf: caption,
      rootText:
        before > 0 && after > 0 && versus.how.measure !== 'share' ? `all  ${ratio(versus.change(0))}` : 'all',
    };
  }

  function showDetails() {
    const { frames, how } = versus;
    const node = stage.meant;
    const at = node >= 0 ? node : stage.zoom;
    details.show({
      entry: entryOf(at),
      change: versus.change(at),
      mean: versus.mean(at),
      calls: [frames.callsBefore[at], frames.callsAfter[at]],
      how,
      narrow: stage.narrow,
      colour: colourOf(at),
      chosen: node >= 0,
    });
  }

  function spoken(node) {
    const change = versus.change(node);
    const { how, frames } = versus;
    return [
      entryOf(node)?.name ?? 'All',
      `before ${figure(change.before, how)}, after ${figure(change.after, how)}`,
      `change ${ratio(change)}`,
      `level ${frames.depth[node]}`,
    ].join(', ');
  }

  function showList() {
    const { entries, count } = changeEntries(versus, {
      hits: matched.hits,
      least: least(),
      selectedFn: stage.selected >= 0 ? versus.frames.fn[stage.selected] : -1,
      width: stage.painter.width,
      most: hot.rowsMost,
    });
    const what = { time: 'self', calls: 'calls', samples: 'samples' }[versus.how.unit];
    hot.show(
      matched.hits ? 'Matches' : 'Most changed',
      matched.hits ? plural(count, 'function') : what,
      entries,
    );
  }

  function update() {
    const { base, profile, place } = host;
    build();
    const there = versus !== null;
    sides.show(versus?.frames ?? null, versus?.since ?? false);
    const { frames = null } = versus ?? {};
    const nothing = there && Math.max(frames.before[0], frames.after[0]) === 0;
    const dark = there && !nothing && frames.weight[0] === 0; // nothing on the side that gives the widths
    const flame = place.show === 'flame';
    toolbar.root.hidden = !there || nothing;
    legendBar.hidden = !there || nothing || !flame;
    graph.hidden = details.root.hidden = !there || nothing || dark || !flame;
    table.root.hidden = !there || nothing || flame;
    waiting.hidden = !dark || !flame;
    if (base.held !== null && (!wants || nothing)) empty.show(profile, host.answers);
    else empty.hide();
    if (!there || nothing) return;
    toolbar.show(place, versus.can, versus.how, host.theme);
    crumbs.show(['all', ...frames.path(stage.zoom).map((fn) => versus.aligned.functions[fn].name)], '');
    if (!flame) {
      table.show(versus.rows, versus.how);
      return;
    }
    if (dark) {
      waiting.textContent = versus.since
        ? 'Nothing has come since the mark yet. Widths of before (b) show what ran until then.'
        : 'There is nothing on this side. Choose the widths of the other (b).';
      return;
    }
    search();
    goToPending();
    showList();
    stage.paintNow();
  }

  const flameShown = () => versus !== null && host.place.show === 'flame';
  const next = (key, options) => {
    const at = options.indexOf(host.place[key]);
    host.go({ [key]: options[(at + 1) % options.length] }, { replace: true });
  };

  return {
    root,
    update,
    back: () => flameShown() && stage.back(),
    summary() {
      if (versus === null || host.match.empty) return '';
      if (!flameShown()) return table.summary();
      if (!matched.share) return '';
      return `${percent(matched.share.share)} · ${plural(matched.list.length, 'function')}`;
    },
    next(step) {
      if (versus === null) return false;
      if (!flameShown()) return table.move(step);
      const { length } = matched.list;
      if (length === 0) return false;
      matchAt = stepMatch(matchAt, step, length);
      stage.reveal(matched.list[matchAt].node, true);
      return true;
    },
    get actions() {
      return compareActions({
        there: versus !== null,
        inTable: host.place.show === 'table',
        tableKeys: table.keys,
        stage,
        sides,
        act,
        show: () => next('show', ['flame', 'table']),
        measure: () =>
          next(
            'measure',
            ['share', 'call', 'second', 'total'].filter((one) => versus?.can.measures.has(one)),
          ),
        unit: () =>
          next(
            'unit',
            ['time', 'calls', 'samples'].filter((one) => versus?.can.units.has(one)),
          ),
        side: () => next('side', ['after', 'before']),
        order: () => next('order', ['heavy', 'name']),
        since: () => next('since', [true, false]),
        least: () => next('least', ['0', '1', '5', '10']),
      });
    },
  };
}

export const compare = { id: 'compare', title: 'Compare', create };
