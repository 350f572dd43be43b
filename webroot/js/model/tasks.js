// tasks.js - how busy the target's contexts are: rows and columns of the Tasks view, the load of the processor as a whole,
// and the load of the last second or two.
//
// A share is of the time in which any context is known to have run: what was lost on the way is nobody's. In a profile
// without idle time (model/idle.js) the time in which a main loop idles is no load of its thread.

import * as format from './format.js';
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

/** Whether the target tells how long its contexts ran. */
export const tellsTasks = (profile) => timed(profile).length > 0;

/** The loads of the last second or two, from what had run by each update. */
export class RecentLoads {
  constructor() {
    this.samples = []; // { at (ms), known, running: Map of id to ticks }, oldest first
  }

  /** Takes what the contexts of `profile` have run by `at` (ms). */
  add(at, profile) {
    const rows = timed(profile);
    const known = sumOf(rows);
    const last = this.samples.at(-1);
    if (last !== undefined && known === last.known) return;
    const isBusy = Boolean(profile.loopIdle);
    if (last !== undefined && (known < last.known || at - last.at > staleMs || isBusy !== last.isBusy)) this.samples = [];
    this.samples.push({ at, known, isBusy, running: new Map(rows.map((row) => [row.id, busyOf(profile, row)])) });
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
    return Math.max(ran, 0) / (span.last.known - span.first.known); // what idles is found anew with each update
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

/** The load of the processor, which is what its idle contexts left: { now, all }, each null where it is not known. */
export function processorLoad(rows) {
  const idle = rows.filter(({ isIdle }) => isIdle);
  const left = (id) => {
    const shares = idle.map((row) => row[id]);
    return idle.length === 0 || shares.includes(null) ? null : Math.max(1 - shares.reduce((sum, one) => sum + one, 0), 0);
  };
  return { now: left('now'), all: left('load') };
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

/** Whether it is known what kept the contexts from running. */
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
