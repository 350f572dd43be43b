// paint.js - draws the timeline: lays its lanes, asks for what is visible and not loaded, and paints what is.

import { duration } from '../../model/format.js';
import { noteMarks } from '../../model/notes.js';
import { matchFunctions } from '../../model/search.js';
import { request } from '../../model/sight.js';
import { unrecorded } from '../../model/windows.js';
import { readCall, spotWaits, tellAbsent } from './address.js';
import { isInRow } from './canvas.js';
import { layersOf } from './layers.js';
import { ownMarks } from './marks.js';
import { showTip } from './tip.js';

/** The item that buttons and keys act on. */
export const meant = ({ hovered, selected }) => hovered ?? selected;

const sequenceOf = ({ paused, whole, live }) => (paused ? whole : live).sequence;

/** Ticks per pixel. */
const grainOf = ({ sight, lanesPainter }) => (sight.now.to - sight.now.from) / Math.max(lanesPainter.width, 1);
const layersNow = (view) => (view.sight.now === null ? [] : layersOf(view.data, view.sight.now, grainOf(view), view.sight.mode === 'live'));

/** The picture that draws a time, or null. */
export function pictureAt(view, ticks) {
  const layers = layersNow(view);
  return (layers.find(({ from, to }) => ticks >= from && ticks <= to) ?? layers.at(-1))?.picture ?? null;
}

export function lay(view) {
  const { lanes, data, host, lanesPainter, scroller } = view;
  lanesPainter.rowPx = lanes.lay(data.pictures, host.whole.contexts, lanesPainter.leastRowPx, scroller.clientHeight);
  // Hidden items are neither selected nor pointed at.
  const isGone = (item) => item !== null && isInRow(item) && !lanes.shows(item.context);
  if (isGone(view.selected)) view.selected = null;
  if (isGone(view.hovered)) view.hovered = null;
}

/** Updates the functions that the search highlights. */
export function search(view) {
  const { host } = view;
  const { functions, named } = host.whole;
  const key = `${host.place.search}|${named}|${functions.length}`;
  if (view.lit.key === key) return;
  const hits = host.match.empty ? null : matchFunctions(functions, host.match);
  view.lit = { key, hits, functions: hits === null ? 0 : hits.reduce((sum, hit) => sum + hit, 0) };
}

/** Keeps the overview up to date. */
export const refresh = ({ data, host }) => data.refresh(sequenceOf(host), host.answers);

/** Requests the data that the visible range lacks. */
function ask({ scroller, lanes, data, sight, host }) {
  const { wanted } = sight;
  const asked = request(wanted, Math.max(scroller.clientWidth, 100), lanes.rows, data.held);
  data.need(asked, {
    sight: wanted,
    sequence: sequenceOf(host),
    live: host.answers,
    following: sight.mode === 'live',
  });
}

/** Called after an answer. */
export function arrived(view) {
  if (view.root.hidden) return;
  if (view.data.held === null || view.sight.now === null || !view.empty.root.hidden) view.host.redraw();
  else advance(view);
}

/** If the selected item is a merged row, selects its first call as soon as a picture has it separately. */
function tellApart(view) {
  const { selected, pursuit } = view;
  if (selected?.kind !== 'call' || selected.calls === 1 || pursuit !== null) return;
  const picture = view.pictureAt(selected.start);
  const i = picture?.starting(selected.context, selected.depth, selected.start) ?? -1;
  const item = i < 0 ? selected : picture.item(i, selected);
  if (item.calls === 1) view.selected = item;
}

/** Draws the data available now. */
export function advance(view) {
  refresh(view);
  lay(view);
  tellApart(view);
  if (!view.host.paused) view.sight.keepUp();
  if ((view.selected === null || spotWaits(view)) && view.writing === 0) readCall(view);
  tellAbsent(view);
  ask(view);
  paint(view);
}

/** Paints with the next animation frame. */
export function paint(view) {
  if (view.frame !== 0 || view.sight.now === null || view.root.hidden) return;
  view.frame = requestAnimationFrame(() => {
    view.frame = 0;
    paintNow(view);
  });
}

function paintNow(view) {
  const { host, sight, data, style, headPainter, lanesPainter } = view;
  if (sight.now === null || data.held === null || view.root.hidden) return;
  const { whole } = host;
  style.use(host.theme, whole.functions, whole.named);
  ask(view);
  const scene = sceneOf(view);
  // The head first, since the lanes get the remaining height.
  scene.axis = headPainter.paint(scene, view.scroller.clientWidth);
  lanesPainter.paint(scene);
  view.lanes.cover(lanesPainter.scroll);
  showDetails(view);
  showToolbar(view);
  showTip(view);
}

/** The visible markers, windows and notes among them, in the order of time. */
function marksOf({ host, sight }, layers) {
  const told = layers.flatMap(({ picture, from, to }) => picture.markersIn(from, to));
  const own = ownMarks(host, sight.now.from, sight.now.to);
  return own.length === 0 ? told : [...told, ...own].sort((a, b) => a.start - b.start);
}

/** The scene of both canvases; see canvas.js and head.js. */
function sceneOf(view) {
  const { host, data } = view;
  const layers = layersNow(view);
  return {
    layers,
    sight: view.sight.now,
    held: data.held,
    newest: layers.at(-1)?.to ?? data.held.newest, // the end of the pictures
    layout: view.lanes.layout,
    lit: view.lit.hits,
    hover: view.hovered,
    selected: view.selected,
    range: view.range.shown(host.place.range),
    cursor: view.cursor,
    overview: data.overview,
    contexts: host.whole.contexts,
    ticksPerSecond: host.whole.ticksPerSecond,
    time: host.time,
    spot: host.place.spot === '' ? null : Number(host.place.spot),
    marks: marksOf(view, layers),
    notes: host.place.notes.length === 0 ? [] : noteMarks(host.place.notes, 0, Infinity),
    unrecorded: unrecorded(host.whole, data.held.newest),
  };
}

function showDetails(view) {
  const item = meant(view);
  const isCall = item?.kind === 'call';
  const colour = isCall ? view.style.colour(item.fn) : '';
  view.details.show({
    item,
    caller: item !== null && isInRow(item) ? (pictureAt(view, item.start)?.callerOf(item) ?? null) : null,
    profile: view.host.whole,
    time: view.host.time,
    colour: typeof colour === 'string' ? colour : '',
    precision: grainOf(view),
    why: item === view.selected ? view.why.of(item) : '',
  });
}

function showToolbar(view) {
  const { host, sight, data, toolbar, windows } = view;
  const time = (ticks) => duration(ticks, host.whole.ticksPerSecond);
  toolbar.show({
    following: sight.mode === 'live',
    all: sight.mode === 'all',
    zero: host.place.zero,
    hidden: view.lanes.layout.hidden.length,
    windows: { open: windows.open, count: windows.count },
    canFollow: host.live.source.state !== 'ended',
    words: `${time(sight.now.to - sight.now.from)} visible · ${time(data.held.newest - data.held.oldest)} available`,
    away: layersNow(view).some(({ picture }) => picture.away !== null),
    trouble: data.trouble === '' ? '' : `Not up to date: ${data.trouble}`,
  });
}
