// graph.js - the call graph: callers and callees of the selected function, as boxes and arrows.

import { el } from '../dom.js';
import { moreStep, neighbourhood } from '../model/callgraph.js';
import { callGraph, program } from '../model/edges.js';
import { count, plural } from '../model/format.js';
import { arrange, extent, routes } from '../model/graphlayout.js';
import { formatPlace } from '../model/place.js';
import { isPlaceholder } from '../model/placeholder.js';
import { functionRows } from '../model/table.js';
import { createEmpty } from '../part/empty.js';
import { Drawing } from './graph/drawing.js';
import { boxAcross, boxAlong, graphActions } from './graph/keys.js';
import { Pan } from './graph/pan.js';
import { createToolbar } from './graph/toolbar.js';
import { aboutArrows, aboutBox, weightText } from './graph/words.js';

const narrowPx = 600; // width of the drawing: below it callers are above and callees below

function create(host) {
  const view = {
    host,
    known: { profile: null, sequence: -1, graph: null, rows: null }, // computed from one snapshot
    part: null, // the neighbourhood shown
    layout: null,
    ways: [], // of the arrows
    fittedTo: null, // the layout that was last fitted to the window
    wantsFocus: null, // the box to focus after drawing
    drawnAs: '', // centre, depth, more and size of the window at the last fit
    matches: { match: null, graph: null, ids: new Set(), list: [] },
    empty: createEmpty(host),
  };
  view.toolbar = createToolbar(host, {
    open: (box) => open(view, box),
    zoom: (factor) => zoom(view, factor),
    fit: () => fit(view),
  });
  view.drawing = new Drawing((box) => open(view, box));
  view.pan = new Pan(view.drawing.svg, view.drawing.layer);
  view.body = el('div', { class: 'graph-body' }, view.toolbar.root, view.drawing.svg);
  return {
    root: el('section', { class: 'view graph', 'aria-label': 'Call graph' }, view.body, view.empty.root),
    update: () => update(view),
    back: () => back(host),
    next: (step) => next(view, step),
    summary: () => summary(view),
    get actions() {
      return actionsOf(view);
    },
  };
}

function actionsOf(view) {
  return graphActions(view.host, view.layout?.narrow ?? false, {
    drawn: (run) => (event) => (view.layout === null || view.body.hidden ? false : run(event)),
    along: (side) => step(view, (from) => boxAlong(from, side, view.part, view.layout)),
    across: (by) => step(view, (from) => boxAcross(from, by, view.layout)),
    zoom: (factor) => zoom(view, factor),
    fit: () => fit(view),
    lead: (to) => lead(view, to),
  });
}

// --- place

function centreOf({ place, profile }) {
  const id = place.fn === '' ? -1 : profile.idOf(place.fn);
  return id < 0 ? program : id;
}

const placeOf = ({ place, profile }, box) =>
  box.more
    ? { more: [...place.more, String(box.level)] }
    : { fn: box.id === program ? '' : profile.labelOf(box.id), more: [] };

function open(view, box) {
  const isFocused = view.drawing.focused !== null;
  view.host.go(placeOf(view.host, box));
  if (isFocused) view.wantsFocus = box.more ? 'near' : box.id;
}

function zoom({ pan }, factor) {
  pan.zoom(factor);
  return true;
}

function boxAt({ layout }, id) {
  const { x, y } = layout.at.get(id);
  return { x, y, ...layout.box };
}

function fit(view) {
  view.pan.fit(extent(view.ways, view.layout), boxAt(view, view.part.centre));
  return true;
}

function focusOn(view, id) {
  view.drawing.focus(id);
  view.pan.reveal(boxAt(view, id));
  return true;
}

/** Moves the focus from a box to the one `to(id)` returns, if any; without a focus to the centre. */
function step(view, to) {
  const { focused } = view.drawing;
  const id = focused === null ? view.part.centre : to(focused);
  return id === undefined ? true : focusOn(view, id);
}

/** Opens another view for the focused box's function, else for the centre's. */
function lead({ host, drawing, part }, to) {
  const { focused } = drawing;
  const id = typeof focused === 'number' ? focused : part?.centre;
  if (id === undefined || id === program) return false;
  host.go({ view: to, fn: host.profile.labelOf(id) });
  return true;
}

function next({ host, matches, part }, by) {
  const { list } = matches;
  if (list.length === 0) return false;
  const at = list.indexOf(part?.centre);
  const to = list[at < 0 ? 0 : (at + by + list.length) % list.length];
  host.go({ fn: host.profile.labelOf(to), more: [] }, { replace: true });
  return true;
}

function back(host) {
  if (host.place.fn === '') return false;
  host.go({ fn: '', more: [] });
  return true;
}

// --- data

function learn(view) {
  const { profile } = view.host;
  const { known } = view;
  if (known.profile === profile && known.sequence === profile.sequence) return;
  const rows = new Map(functionRows(profile).map((row) => [row.fn.id, row]));
  view.known = { profile, sequence: profile.sequence, graph: callGraph(profile), rows };
}

function learnMatches(view) {
  const { match } = view.host;
  const { graph, rows } = view.known;
  if (view.matches.match === match && view.matches.graph === graph) return;
  const cost = ({ fn }) => (graph.counted ? fn.samples : fn.total_ticks) ?? 0;
  const list = match.empty
    ? []
    : [...rows.values()]
        .filter(({ fn }) => !isPlaceholder(fn) && match.test(fn.name, fn))
        .sort((a, b) => cost(b) - cost(a) || a.fn.id - b.fn.id)
        .map(({ fn }) => fn.id);
  view.matches = { match, graph, list, ids: new Set(list) };
}

/** A text for the part of the graph to show, which changes with the place only. */
const askedFor = (centre, place) => `${centre} ${place.depth} ${place.more.join()}`;

function lay(view, centre) {
  const { host, known, drawing } = view;
  const { place, profile } = host;
  const more = new Map();
  for (const level of place.more) more.set(Number(level), (more.get(Number(level)) ?? 0) + moreStep);
  const asked = askedFor(centre, place);
  const before = view.part !== null && view.part.asked === asked ? view.part : null;
  const depth = Number(place.depth);
  view.part = { ...neighbourhood(known.graph, centre, { depth, more }, before), asked };
  const wide = drawing.svg.clientWidth;
  view.layout = arrange(view.part, view.layout, wide > 0 && wide < narrowPx);
  view.ways = routes(view.part.arrows, view.layout, (arrow) => weightText(arrow, profile.ticksPerSecond));
}

function summary({ host, part, matches, layout }) {
  if (host.match.empty || part === null) return '';
  const shown = matches.list.filter((id) => layout.at.has(id)).length;
  return `${plural(matches.list.length, 'function')}, ${count(shown)} here`;
}

// --- drawing

function sayOf({ host, part, known }, centre) {
  const { fn } = host.place;
  if (fn !== '' && centre === program) return `“${fn}” is not in this profile; this is the whole program.`;
  if (part.columns.length === 1) return 'Nothing that is profiled calls it or is called by it.';
  return known.graph.counted ? 'Calls are counted arcs; this target reports no times.' : '';
}

/** Draws boxes and arrows; returns true if the focused box was removed. */
function draw(view) {
  const { host, part, layout, known, drawing } = view;
  const { functions, ticksPerSecond } = host.profile;
  const about = { part, layout, hits: view.matches.ids, functions, ticksPerSecond };
  return drawing.show(
    part.columns,
    layout,
    view.ways,
    (box) => ({
      ...aboutBox(box, known.rows.get(box.id), about),
      href: formatPlace({ ...host.place, ...placeOf(host, box) }),
    }),
    aboutArrows(part.arrows, functions, ticksPerSecond),
  );
}

/** Fits the drawing to the window until the user has moved it. */
function follow(view) {
  const { clientWidth, clientHeight } = view.drawing.svg;
  const drawnAs = `${view.part.asked} ${clientWidth} ${clientHeight}`;
  if (drawnAs === view.drawnAs && (view.pan.moved || view.fittedTo === view.layout)) return;
  view.drawnAs = drawnAs;
  view.fittedTo = view.layout;
  fit(view);
}

function refocus(view, centre) {
  const { drawing, layout, wantsFocus } = view;
  drawing.focus(layout.at.has(wantsFocus) ? wantsFocus : centre);
  view.wantsFocus = null;
  if (drawing.focused !== null) view.pan.reveal(boxAt(view, drawing.focused));
}

function update(view) {
  const { host, body, empty } = view;
  learn(view);
  body.hidden = view.known.rows.size === 0;
  if (body.hidden) {
    empty.show(host.profile, host.answers);
    return;
  }
  empty.hide();
  learnMatches(view);
  const centre = centreOf(host);
  lay(view, centre);
  view.toolbar.show(centre, sayOf(view, centre));
  const lost = draw(view);
  follow(view);
  if (view.wantsFocus !== null || lost) refocus(view, centre);
}

export const graph = { id: 'graph', tab: 'flame', key: 'Shift+V', title: 'Graph', create };
