// tasks.js - how busy the target's contexts are: rows and columns of the Tasks view, the load of the processor as a whole,
// and the load of the last second or two.
//
// Load has one definition, here: the share of the time in which any context is known to have run, less idle time
// (model/idle.js). What was lost on the way is nobody's. A context's load is `load_percent` of the API; in a profile
// without idle time the time in which a main loop idles is none of its thread's. Where the target reports no times of contexts, the
// time of the call tree stands for that in which they ran.

import * as format from './format.js';
import { idleTime } from './idle.js';
import { contextKind } from './lanes.js';
import { sortBy } from './rows.js';
import { chainTo, depth } from './stack.js';
import { figureColumns } from './taskfigures.js';

const recentMs = 1000; // what is recent reaches so far back, and on to the update before
const staleMs = 4000; // what is older says nothing of now

const timed = ({ contexts }) => [...contexts.values()].filter(({ running_ticks: ticks }) => ticks !== undefined);
/** What a context ran without the time that its main loop idled, where the profile is one without idle time. */
const busyOf = ({ loopIdle }, { id, running_ticks: ticks }) => Math.max(ticks - (loopIdle?.context === id ? loopIdle.ticks : 0), 0);
const sumOf = (contexts) => contexts.reduce((sum, { running_ticks: ticks }) => sum + ticks, 0);

/** True when the target reports how long its contexts ran. */
export const tellsTasks = (profile) => timed(profile).length > 0;

/**
 * { known, idle } in ticks: in which a context of `measured` (with its idle time) ran, and of that idle time, null where what idles is
 * not known; `whole` decides that.
 */
function processorTime(measured, whole = measured) {
  const rows = timed(measured);
  const idlers = rows.filter(({ kind }) => kind === 'idle');
  if (idlers.length > 0) return { known: sumOf(rows), idle: sumOf(idlers) };
  const { idle, all } = idleTime(measured, whole);
  return { known: rows.length > 0 ? sumOf(rows) : all, idle: idle > 0 ? idle : null };
}

/** The loads of the last second or two, from what had run by each update. */
export class RecentLoads {
  constructor() {
    this.samples = []; // { at (ms), known, idle, running: Map of id to ticks }, oldest first
  }

  /** Takes what the contexts of `profile` have run by `at` (ms); `measured` is the same with its idle time. */
  add(at, profile, measured = profile) {
    const rows = timed(profile);
    const { known, idle } = processorTime(measured);
    const last = this.samples.at(-1);
    if (last !== undefined && known === last.known) return;
    const isBusy = Boolean(profile.loopIdle);
    if (last !== undefined && (known < last.known || at - last.at > staleMs || isBusy !== last.isBusy)) this.samples = [];
    this.samples.push({ at, known, idle, isBusy, running: new Map(rows.map((row) => [row.id, busyOf(profile, row)])) });
    while (this.samples.length > 2 && this.samples[1].at <= at - recentMs) this.samples.shift();
  }

  get #span() {
    const [first, last] = [this.samples[0], this.samples.at(-1)];
    return first !== undefined && last.at - first.at >= recentMs ? { first, last } : null;
  }

  /** The share that a context had of what ran lately; null until that is known. */
  of(id) {
    const span = this.#span;
    if (span === null) return null;
    const ran = (span.last.running.get(id) ?? 0) - (span.first.running.get(id) ?? 0);
    return Math.max(ran, 0) / (span.last.known - span.first.known); // idle contexts are looked up again with each update
  }

  /** The load of the processor lately; null until that is known, and where what idles is not. */
  get load() {
    const span = this.#span;
    return span === null || span.first.idle === null || span.last.idle === null ? null : loadOf(span.last.known - span.first.known, span.last.idle - span.first.idle);
  }
}

/**
 * { id, name, kind, now, load, running, preempted, blocked, stack, isLeast, chain }: a row for each context; shares of 1,
 * ticks, and bytes with the calls that they are of (model/stack.js). A target that
 * counts its tree itself does not say what kept a context from running: the last two are null.
 */
export function taskRows(profile, recent) {
  const rows = timed(profile);
  const known = sumOf(rows);
  return rows.map((row) => ({
    id: row.id,
    name: row.name || `Context ${row.id}`,
    kind: contextKind(row),
    isIdle: row.kind === 'idle',
    now: recent?.of(row.id) ?? null,
    load: known > 0 ? busyOf(profile, row) / known : null,
    running: row.running_ticks,
    preempted: row.preempted_ticks ?? null,
    blocked: row.blocked_ticks ?? null,
    stack: row.stack_bytes ?? null,
    isLeast: row.stack_unknown > 0,
    chain: row.stack_bytes > 0 ? chainTo(profile, row.stack_node) : null,
  }));
}

const loadOf = (known, idle) => Math.min(Math.max(1 - idle / known, 0), 1);

/** The load of the processor: { now, all }, each null where it is not known; `measured` and `whole` as above, `recent` is of RecentLoads, or null. */
export function processorLoad(measured, whole, recent) {
  const { known, idle } = processorTime(measured, whole);
  const isKnown = known > 0 && idle !== null;
  return { now: isKnown ? (recent?.load ?? null) : null, all: isKnown ? loadOf(known, idle) : null };
}

const share = (id, title, tip) => ({
  id,
  title,
  tip,
  share: 'whole', // bars of several columns and contexts that add up to one processor
  of: (row) => row[id],
  text: (row) => format.percent(row[id]),
});

const ticks = (id, title, tip) => ({
  id,
  title,
  tip,
  of: (row) => row[id],
  text: (row, ticksPerSecond) => format.cellDuration(row[id], ticksPerSecond),
});

export const columns = [
  { id: 'name', title: 'Context', tip: 'Its name on the target', key: true, text: (r) => r.name },
  { id: 'kind', title: 'Kind', tip: 'Thread, interrupt or idle', text: (r) => r.kind },
  { ...share('now', 'Now', 'Load of the last second or two'), share: null },
  share('load', 'Load', 'Share of the time in which any context ran, over all or the range'),
  ...figureColumns,
  {
    id: 'stack',
    title: 'Stack',
    tip: 'Deepest stack seen, from the ELF; ≥ where some frames are unknown. Without calls never made, and without what an interrupt pushes',
    of: (row) => row.stack,
    text: (row) => (row.stack === null ? '' : depth(row.stack, row.isLeast)),
  },
  ticks('running', 'Running', 'In which the processor ran it'),
  ticks('preempted', 'Preempted', 'In which it could have run, and another did'),
  ticks('blocked', 'Blocked', 'In which it waited for something'),
];

/** True when it is known what kept the contexts from running. */
export const tellsWaits = (rows) => rows.some(({ blocked }) => blocked !== null);

/** The columns that have something to say: what is frozen has no now. */
export const taskColumns = (rows) =>
  columns.filter(({ id, of }) => !of || id === 'load' || rows.some((row) => (row[id] ?? null) !== null));

export const filterTasks = (rows, match) =>
  match.empty ? rows : rows.filter(({ name, kind }) => match.test(name) || match.test(kind));

/** What idles comes last, whatever the order. */
export function sortTasks(rows, by, rising) {
  const sorted = sortBy(rows, by, rising, (a, b) => a.id - b.id);
  return [...sorted.filter(({ isIdle }) => !isIdle), ...sorted.filter(({ isIdle }) => isIdle)];
}
