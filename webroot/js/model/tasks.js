// tasks.js - how busy the target's contexts are: rows and columns of the Tasks view, and the processor's load, in total
// and over the last second or two.
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

const recentMs = 1000; // recent is back to the update before this time
const staleMs = 4000; // older updates do not count as now

const timed = ({ contexts }) => [...contexts.values()].filter(({ running_ticks: ticks }) => ticks !== undefined);
/** A context's running time, without the idle time of its main loop if that was removed from the profile. */
const busyOf = ({ loopIdle }, { id, running_ticks: ticks }) => Math.max(ticks - (loopIdle?.context === id ? loopIdle.ticks : 0), 0);
const sumOf = (contexts) => contexts.reduce((sum, { running_ticks: ticks }) => sum + ticks, 0);

/** True when the target reports how long its contexts ran. */
export const tellsTasks = (profile) => timed(profile).length > 0;

/**
 * { known, idle } in ticks: the running time of the contexts of `measured` (which includes idle time), and the idle
 * part, null if unknown; `whole` decides what is idle.
 */
function processorTime(measured, whole = measured) {
  const rows = timed(measured);
  const idlers = rows.filter(({ kind }) => kind === 'idle');
  if (idlers.length > 0) return { known: sumOf(rows), idle: sumOf(idlers) };
  const { idle, all } = idleTime(measured, whole);
  return { known: rows.length > 0 ? sumOf(rows) : all, idle: idle > 0 ? idle : null };
}

/** The loads of the last second or two, from the running times at each update. */
export class RecentLoads {
  constructor() {
    this.samples = []; // { at (ms), known, idle, running: Map of id to ticks }, oldest first
  }

  /** Adds the running times of `profile` at `at` (ms); `measured` is the profile with its idle time. */
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

  /** A context's recent share of the running time; null until known. */
  of(id) {
    const span = this.#span;
    if (span === null) return null;
    const ran = (span.last.running.get(id) ?? 0) - (span.first.running.get(id) ?? 0);
    return Math.max(ran, 0) / (span.last.known - span.first.known); // idle contexts are looked up again with each update
  }

  /** The processor's recent load; null until known, or if idle time is unknown. */
  get load() {
    const span = this.#span;
    return span === null || span.first.idle === null || span.last.idle === null ? null : loadOf(span.last.known - span.first.known, span.last.idle - span.first.idle);
  }
}

/**
 * A row for each context: { id, name, kind, now, load, running, preempted, blocked, stack, isLeast, chain }: shares of
 * 1, ticks, and stack bytes with the chain of calls that used them (model/stack.js). If the target counts its tree
 * itself, preempted and blocked are null.
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

/**
 * The processor's load: { now, all }, each null if unknown; `measured` and `whole` as above, `recent` is of
 * RecentLoads, or null.
 */
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
    tip: 'Deepest stack seen, from the ELF; ≥ where some frames are unknown. Calls never made and what an interrupt pushes are not included',
    of: (row) => row.stack,
    text: (row) => (row.stack === null ? '' : depth(row.stack, row.isLeast)),
  },
  ticks('running', 'Running', 'In which the processor ran it'),
  ticks('preempted', 'Preempted', 'In which it could have run, and another did'),
  ticks('blocked', 'Blocked', 'In which it waited for something'),
];

/** True when it is known what kept the contexts from running. */
export const tellsWaits = (rows) => rows.some(({ blocked }) => blocked !== null);

/**
 * The columns with a value in some row, and the load. The current load has its column before it is known if `isLive`,
 * so that the others stay where they are; a frozen profile has none.
 */
export const taskColumns = (rows, isLive = false) =>
  columns.filter(({ id, of }) => !of || id === 'load' || (id === 'now' && isLive) || rows.some((row) => (row[id] ?? null) !== null));

export const filterTasks = (rows, match) =>
  match.empty ? rows : rows.filter(({ name, kind }) => match.test(name) || match.test(kind));

/** Idle contexts are always last. */
export function sortTasks(rows, by, rising) {
  const sorted = sortBy(rows, by, rising, (a, b) => a.id - b.id);
  return [...sorted.filter(({ isIdle }) => !isIdle), ...sorted.filter(({ isIdle }) => isIdle)];
}
