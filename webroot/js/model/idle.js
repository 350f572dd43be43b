// idle.js - which time of a profile is idle, and the profile without it. Widths, shares, sorts and figures of all views
// are of the profile that withoutIdle() returns, unless the user wants all time.
//
// Idle is
// - all time of a context of kind "idle", including "[outside]" and calls of its hooks;
// - if there is no such context, and only one thread, which never waits: the self time of its main loop. The main loop
// is the chain of calls that have never returned (0 finished calls), outermost first, as long as each took most of the
// time of its caller. A function whose calls are not counted, such as one without -pg, is not part of it.
// All other time is busy or unknown: a task's self time is work if there is an idle task; "[outside]" and "[not known]"
// of other contexts are kept. Calls are counted even if they ran in idle time.

import { roomFor, rowTimes } from './calltree.js';
import { Profile } from './profile.js';

const isIdle = ({ kind }) => kind === 'idle';

/** The thread that may have a main loop, by its number; -1: none. A daemon that sends no contexts has one, with the number 0. */
export function loopingThread(contexts) {
  if (contexts.size === 0) return 0;
  const threads = [...contexts.values()].filter(({ kind }) => kind !== 'isr');
  return threads.length === 1 && !(threads[0].blocked_ticks > 0) ? threads[0].id : -1;
}

/** The functions of the main loop of `thread`, outermost first. `whole`: time of each row with its callees. */
function mainLoop({ tree, functions }, thread, whole) {
  const mayLoop = (fn) => fn?.calls !== null && ['function', 'running'].includes(fn?.kind);
  const isOpen = (row) => !(tree.calls[row] > 0) && mayLoop(functions[tree.fn[row]]);
  const loop = [];
  for (let above = 0; ; ) {
    let [sum, next] = [0, -1];
    for (let row = above + 1; row < tree.length; row++) {
      if (tree.parent[row] !== above || tree.context[row] !== thread) continue;
      sum += whole[row];
      if (isOpen(row) && whole[row] > (whole[next] ?? 0)) next = row;
    }
    if (next < 0 || 2 * whole[next] <= (above > 0 ? whole[above] : sum)) return loop;
    loop.push(tree.fn[next]);
    above = next;
  }
}

/** The idle parts of `profile`: { contexts: numbers, thread, loop: functions of its main loop }. `times(profile)` counts those of its rows. */
function idlersOf(profile, times) {
  const contexts = new Set([...profile.contexts.values()].filter(isIdle).map(({ id }) => id));
  const thread = contexts.size > 0 ? -1 : loopingThread(profile.contexts);
  return { contexts, thread, loop: thread < 0 ? [] : mainLoop(profile, thread, times(profile).whole) };
}

/** One byte per row: 1 if its self time is idle. */
function idleRows({ length, parent, fn, context }, { contexts, thread, loop }) {
  const idle = new Uint8Array(length);
  const depth = new Int32Array(length).fill(-1); // of rows in the main loop
  depth[0] = 0;
  for (let row = 1; row < length; row++) {
    const at = depth[parent[row]];
    if (at >= 0 && context[row] === thread && fn[row] === loop[at]) depth[row] = at + 1;
    if (depth[row] > 0 || contexts.has(context[row])) idle[row] = 1;
  }
  return idle;
}

/** True when a row above `row` is of the same function. */
function isInside({ parent, fn }, row) {
  for (let at = parent[row]; at > 0; at = parent[at]) if (fn[at] === fn[row]) return true;
  return false;
}

const less = (ticks, cut) => (ticks === null || ticks === undefined ? ticks : Math.max(ticks - cut, 0));

/**
 * A row of functions without `self` and `total` ticks of idle time, which `idle_ticks` counts. `own`: the self time of
 * the function in the tree, which alone has times where the target reports samples.
 */
function cutFunction(fn, self, total, own) {
  const self_ticks = less(fn.self_ticks, self);
  const left = fn.self_ticks > 0 ? self_ticks / fn.self_ticks : 1 - self / Math.max(own, self, 1);
  return {
    ...fn,
    self_ticks,
    total_ticks: less(fn.total_ticks, total),
    corrected_self_ticks: left === 0 ? less(fn.corrected_self_ticks, Infinity) : less(fn.corrected_self_ticks, self),
    corrected_total_ticks: less(fn.corrected_total_ticks, total),
    samples: fn.samples && Math.round(fn.samples * left),
    idle_ticks: self,
  };
}

/** A copy of `cells` in the array `held`, if that is long enough. */
function copied(held, cells) {
  const copy = roomFor(held, cells.length);
  copy.set(cells);
  return copy;
}

/** Makes `known.twin`, the profile without the idle time of `idle` (a byte per row), from the times of its rows. */
function cut(known, profile, idle, { own, whole }) {
  const { tree } = profile;
  const gone = (known.gone = roomFor(known.gone, tree.length)).fill(0, 0, tree.length); // idle time of a row and its descendants
  const cuts = new Map(); // function -> [self, total, own]
  for (let row = tree.length - 1; row >= 0; row--) {
    if (idle[row]) gone[row] += own[row];
    if (row > 0) gone[tree.parent[row]] += gone[row];
  }
  const twin = (known.tree = tree.withTimes(copied(known.tree?.total, tree.total), copied(known.tree?.self, tree.self)));
  for (let row = 1; row < tree.length; row++) {
    if (gone[row] === 0) continue;
    twin.total[row] = whole[row] - gone[row];
    if (idle[row]) twin.self[row] = 0;
    const [self, total] = cuts.get(tree.fn[row]) ?? [0, 0];
    cuts.set(tree.fn[row], [self + (idle[row] ? own[row] : 0), total + (isInside(tree, row) ? 0 : gone[row]), 0]);
  }
  for (let row = 1; row < tree.length; row++) if (cuts.has(tree.fn[row])) cuts.get(tree.fn[row])[2] += own[row];
  known.functions.length = 0; // keeps the list object, which is the key of cached results
  for (const fn of profile.functions) known.functions.push(cuts.has(fn?.id) ? cutFunction(fn, ...cuts.get(fn.id)) : fn);
  const taken = profile.functions.reduce((sum, fn, i) => sum + (fn?.samples ?? 0) - (known.functions[i]?.samples ?? 0), 0);
  const samples = { ...profile.samples, total: (profile.samples?.total ?? 0) - taken };
  known.idle = gone[0];
  known.all = whole[0];
  profile.labelOf(0); // looks names up once, for all twins
  const loopIdle = known.thread < 0 ? null : { context: known.thread, ticks: known.idle };
  known.own = { tree: twin, functions: known.functions, samples, idle: known.idle / known.all, loopIdle };
}

const met = new WeakMap(); // profile -> its last result

function worked(profile, whole) {
  if (!met.has(profile)) met.set(profile, { key: '', twin: new Profile(), tree: null, times: null, functions: [], gone: null, idle: 0, all: 0, thread: -1 });
  const known = met.get(profile);
  const key = `${profile.sequence} ${profile.named} ${profile.clearing} ${profile === whole || whole.sequence}`;
  if (known.key === key) return known;
  known.key = key;
  const times = (of) => (of === profile ? (known.times = rowTimes(of.tree, known.times)) : rowTimes(of.tree));
  const idlers = idlersOf(whole, times);
  known.idle = 0;
  known.thread = idlers.thread;
  if (idlers.contexts.size + idlers.loop.length === 0) return known;
  const isCounted = profile === whole && idlers.thread >= 0;
  cut(known, profile, idleRows(profile.tree, idlers), isCounted ? known.times : times(profile));
  return known;
}

/**
 * The profile without its idle time; itself where it has none. What idles is decided by `whole`, the profile of all of the
 * time, so that it is the same in every range; `loopIdle` is how many ticks of the thread `context` its main loop
 * idled, null where a context of its own idles. The answer is the same object from update to update.
 */
export function withoutIdle(profile, whole = profile) {
  const known = worked(profile, whole);
  return known.idle > 0 ? Object.assign(known.twin, profile, known.own) : profile;
}

/** { idle, all }: the idle time and the time of all contexts, in ticks; idle is 0 if none is known. */
export function idleTime(profile, whole = profile) {
  const { idle, all } = worked(profile, whole);
  return { idle, all: idle > 0 ? all : 0 };
}

/** Idle time as a share of the time of all contexts, 0 to 1; 0 if none is known. */
export function idleShare(profile, whole = profile) {
  const { idle, all } = idleTime(profile, whole);
  return idle > 0 ? idle / all : 0;
}

/** True when the own time of a function is all idle, and left out of the row. */
export const isAllIdle = (fn) => fn.idle_ticks > 0 && fn.self_ticks === 0;

/** True when the processor's idle time is the run time of an idle context, and not the own time of a main loop. */
export const hasIdleContext = ({ contexts }) => [...contexts.values()].some(isIdle);
