// sandwich.js - the card of one function: durations, times, callers, callees and figures.

import { button, el, setAttr, setText } from '../../dom.js';
import { count, place as sourcePlace } from '../../model/format.js';
import { isAllIdle } from '../../model/idle.js';
import { explain, figuresOf } from '../../model/placeholder.js';
import { pathsOf, withoutRecursion } from '../../model/paths.js';
import { togglePin } from '../../model/pinned.js';
import { placeOfCall } from '../../model/range.js';
import { exactly } from '../../model/search.js';
import { chainFrom } from '../../model/stack.js';
import { createChain } from '../chain.js';
import { createName } from '../name.js';
import { createCycles } from './cycles.js';
import { createEdges } from './edges.js';
import { createFigures } from './figures.js';
import { createHistogram } from './histogram.js';
import { createOverTime } from './overtime.js';

const askEveryMs = 1000;
const estimatedNote =
  'Calls and samples are counted. The times of callers and callees are an estimate: a function’s samples, ' +
  'shared out among its callers by their calls.';

/**
 * `close()` closes it; `chosen()` is the id of its function, below 0 for none; `choose(id)` is called for a function in
 * it. By default it shows the function in the address. Returns { root, update(), open(): true
 * if it shows one, and functions for keys }.
 */
export function createSandwich(host, { close = () => host.go({ fn: '' }), chosen = () => chosenIn(host), choose = (id) => host.go({ fn: host.profile.labelOf(id) }) } = {}) {
  const state = {
    host,
    id: -1,
    known: null, // the last answer about `id`
    askedAt: -Infinity,
    askedFor: '',
    asking: false,
    paths: null, // computed for `known`
    trouble: '',
    name: createName('sandwich-name'),
    where: el('p', { class: 'sandwich-place' }),
    note: el('p', { class: 'sandwich-note' }),
    figures: createFigures(() => longestOf(state) !== null && host.go(placeOfCall(longestOf(state)))),
    chain: createChain(choose),
    callers: createEdges('Called by', choose),
    callees: createEdges('Calls', choose),
    histogram: createHistogram(
      host.fetchPeriods === null ? null : () => Object.assign(state, { askedFor: '' }) && host.redraw(),
      (call) => host.views.includes('timeline') && host.go(placeOfCall(call)),
      (id) => host.profile.functions[id]?.name ?? '?',
    ),
  };
  if (host.fetchOverTime !== null) state.overTime = createOverTime(host, (call) => host.go(placeOfCall(call)));
  if (host.fetchCalls !== null) state.cycles = createCycles(host, choose, (call) => host.go(placeOfCall(call)));
  Object.assign(state, { close, chosen });
  const root = build(state);
  return {
    root,
    update: () => update(state),
    toFlame: () => toFlame(state),
    toSource: () => toSource(state),
    copyName: () => copyName(state),
    beginLimit: () => beginLimit(state),
    pin: () => pin(state),
    turn: () => (state.id < 0 ? false : state.histogram.turn()),
    open: () => !root.hidden,
  };
}

const chosenIn = ({ place, profile }) => (place.fn === '' ? -1 : profile.idOf(place.fn));

function build(state) {
  const { host, name, where, note, figures, callers, callees, histogram } = state;
  const close = button('close', 'Close', state.close, { iconOnly: true, keys: 'Esc' });
  const flame = button('zoom', 'Flame graph', () => toFlame(state), { keys: 'g', tip: 'Find in the flame graph (g)' });
  const source = button('code', 'Source', () => toSource(state), { keys: 's' });
  source.hidden = !host.views.includes('source');
  const copy = button('copy', 'Copy name', () => copyName(state), { iconOnly: true, keys: 'y' });
  const limit = button('limit', 'Limit …', () => beginLimit(state), { keys: 'l', tip: 'Get a notice when a call of this takes longer than … (l)' });
  limit.hidden = host.openLimits === null;
  state.pin = button('pin', 'Pin', () => pin(state), { keys: 'p', tip: 'Watch its p50, p99 and max in the overview (p)' });
  state.pin.hidden = !host.views.includes('overview');
  for (const one of [close, copy, flame, source, limit, state.pin]) one.classList.add('small');
  const acts = el('div', { class: 'sandwich-acts' }, flame, source, limit, state.pin);
  const title = el('div', { class: 'sandwich-title' }, name.root, close);
  const head = el('div', { class: 'sandwich-head' }, title, el('div', { class: 'sandwich-at' }, where, copy), acts);
  const deepTip = 'The calls of that stack, from this function on, each with its frame';
  state.deep = el('div', { class: 'sandwich-deep', title: deepTip, hidden: true }, el('h3', {}, 'Deepest calls'), state.chain.root);
  state.root = el(
    'section',
    { class: 'sandwich', 'aria-label': 'Chosen function', hidden: true },
    el('section', { class: 'sandwich-middle' }, head, note),
    histogram.root,
    ...(state.overTime ? [state.overTime.root] : []),
    ...(state.cycles ? [state.cycles.root] : []),
    callers.root,
    callees.root,
    el('section', { class: 'sandwich-figures' }, figures.root, state.deep),
  );
  // A key leads to each (frame/inspector.js).
  [histogram.root, state.overTime?.root, callers.root, callees.root, figures.root].forEach((part, i) => part && Object.assign(part, { tabIndex: -1 }).setAttribute('data-part', i + 1));
  return state.root;
}

function toFlame({ host, id }) {
  if (id < 0) return false;
  host.go({ view: 'flame', search: exactly(host.profile.labelOf(id)), zoom: [] });
  return true;
}

function copyName({ host, id }) {
  if (id < 0) return false;
  host.copy(host.profile.functions[id].name, 'Name');
  return true;
}

function toSource({ host, id }) {
  if (id < 0) return false;
  host.go({ view: 'source', fn: host.profile.labelOf(id), row: '' });
  return true;
}

function beginLimit({ host, id }) {
  if (id < 0) return false;
  host.openLimits(host.profile.functions[id]);
  return true;
}

function pin({ host, id }) {
  if (id < 0 || !host.views.includes('overview')) return false;
  host.go({ pinned: togglePin(host.place.pinned, host.profile.labelOf(id)) }, { replace: true });
  return true;
}

/** The longest of its known calls, or null. */
const longestOf = ({ known }) => known?.longest?.[0] ?? null;

/** Identifies the function, range and paused moment of the figures. */
const subject = ({ id, host }) =>
  `${id} ${host.range?.from}-${host.range?.to} ${host.paused ? host.whole.sequence : 'live'}`;

async function ask(state) {
  const { host } = state;
  const about = subject(state);
  state.asking = true;
  state.askedAt = performance.now();
  state.askedFor = about;
  try {
    const { id, range } = { id: state.id, range: host.range };
    const [answer, periodSpread] = await Promise.all([host.fetchFunction(id, range), state.histogram.wantsPeriods ? host.fetchPeriods(id, range) : null]);
    if (about === subject(state)) {
      state.known = { ...answer, periodSpread };
      state.trouble = '';
    }
  } catch (error) {
    if (about === subject(state)) state.trouble = error.message;
  }
  state.asking = false;
  host.redraw();
}

function update(state) {
  const { host, root, histogram } = state;
  const now = state.chosen();
  root.hidden = now < 0;
  if (root.hidden) {
    state.id = -1;
    state.known = null;
    return;
  }
  if (now !== state.id) {
    state.id = now;
    state.known = null;
    state.trouble = '';
    root.scrollTop = 0;
  }
  // A paused profile or a range does not change.
  const still = host.paused || host.range !== null;
  const due = performance.now() - state.askedAt > askEveryMs && (state.known === null || !still);
  if (!state.asking && (due || state.askedFor !== subject(state)) && host.answers) ask(state);
  draw(state);
  state.cycles?.update(state.id, subject(state), state.overTime.held);
  state.overTime?.update(state.id, subject(state), histogram.wantsPeriods ? 'period' : 'duration');
}

/** In an estimate, a sample counts as a tick. */
const ownTicks = (fn, isEstimate) => fn.self_ticks ?? (isEstimate ? (fn.samples ?? 0) : null);
const heaviest = (a, b) => b.ticks - a.ticks || b.calls - a.calls;

/** `parts` are of the profile shown; if idle time was removed, their times replace the daemon's. */
function entry({ id, name, calls, total_ticks: answered }, parts, { idle }) {
  const part = parts.get(id);
  return { id, name, calls, ticks: idle > 0 && part ? part.ticks : answered, part };
}

function draw(state) {
  const { host, id, known, trouble, histogram } = state;
  const { profile } = host;
  const fn = figuresOf(profile.functions[id]);
  state.name.show(fn.name);
  setAttr(state.pin, 'aria-pressed', String(host.place.pinned.includes(profile.labelOf(id))));
  setText(state.where, [sourcePlace(fn), fn.address, fn.size ? `${count(fn.size)} B` : ''].filter(Boolean).join(' · '));
  setText(state.note, explain(fn) || trouble || (profile.treeEstimated ? estimatedNote : ''));
  state.note.hidden = state.note.textContent === '';
  const sampled = profile.samples?.total > 0;
  state.figures.show({ ...fn, samples: sampled ? fn.samples : null }, host.time, longestOf(state));
  drawEdges(state, fn);
  histogram.root.hidden = known === null || fn.max_ticks === null;
  const { p50_ticks, p90_ticks, p99_ticks } = fn;
  if (known !== null) histogram.show({ ...known, p50_ticks, p90_ticks, p99_ticks, isOfRange: host.range !== null }, host.time);
}

/** The trees as of the last answer, so that their opened parts are consistent with it. */
function pathsAsKnown(state) {
  const { host, id, known } = state;
  if (state.paths?.known !== known || state.paths.profile !== host.profile) {
    const { callers, callees } = pathsOf(host.profile, id);
    const byId = (parts) => new Map(parts.map((part) => [part.id, part]));
    const keep = (below) => {
      const met = new Map(); // a part -> the parts below it
      return (part) => met.get(part) ?? met.set(part, below(part)).get(part);
    };
    const chain = host.profile.functions[id].stack_bytes > 0 ? chainFrom(host.profile, id) : [];
    state.paths = { known, profile: host.profile, first: [byId(callers()), byId(callees())], below: [keep(callers), keep(callees)], chain };
  }
  return state.paths;
}

function drawEdges(state, fn) {
  const { host, id, known, trouble, callers, callees } = state;
  const { ticksPerSecond, treeEstimated, functions } = host.profile;
  // An estimate has no paths.
  const { first, below, chain } = known === null || treeEstimated ? { first: [new Map(), new Map()], below: [], chain: [] } : pathsAsKnown(state);
  const above = (known?.callers ?? []).map((row) => entry(row, first[0], host.profile));
  const under = withoutRecursion((known?.callees ?? []).map((row) => entry(row, first[1], host.profile)), id);
  if (under.length > 0)
    under.push({ id: -1, name: isAllIdle(fn) ? 'its own code, idle' : 'its own code', calls: null, ticks: ownTicks(fn, treeEstimated), own: true });
  const isLoading = known === null && trouble === '';
  const words = (none) => ({ none: isLoading ? 'Loading …' : none, nameOf: (one) => functions[one]?.name ?? '?', ticksPerSecond });
  state.deep.hidden = chain.length < 2; // the chain of a function without callees is just itself
  state.chain.show(chain);
  callers.show(id, above.sort(heaviest), below[0], words('Nothing: it is where a stack begins.'));
  callees.show(id, under.sort(heaviest), below[1], words('Nothing that is profiled.'));
}
