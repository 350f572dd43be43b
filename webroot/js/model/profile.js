// profile.js - the page's copy of the daemon's snapshot, updated by deltas.

import { CallTree } from './calltree.js';
import { noWindows } from './windows.js';
import { contextOf, isRoot, rootOf } from './roots.js';

const arcKey = (arc) => `${arc.caller} ${arc.callee}`;
const messagesKept = 16384; // as many as the daemon keeps
let namings = 0; // common to all profiles: two with the same number have the same names

/** The messages of `more` that are newer than those of `held`; each has a number. */
function unseen(held, more = []) {
  const last = held.at(-1)?.number ?? -1;
  return more.filter(({ number }) => number > last);
}

export class Profile {
  constructor() {
    this.sequence = -1;
    this.producer = '';
    this.capturedAt = null;
    this.source = {};
    this.target = {};
    this.link = {};
    this.ledger = null; // what came, and where it went; null: the daemon does not say
    this.slowdown = null; // how much measuring slows the program, as the daemon sends it; null: unknown
    this.samples = { hz: null, total: 0 };
    this.functions = [];
    this.tree = new CallTree();
    this.treeEstimated = false;
    this.arcs = new Map();
    this.checkpoints = new Map();
    this.messages = [];
    this.messagesGone = 0; // number of messages older than those kept
    this.contexts = new Map();
    this.windows = noWindows;
    this.limits = []; // as the daemon sends them
    this.named = 0; // another number when a function appears or is renamed: what is derived from names is stale then
    this.labels = null;
    this.clearing = 0; // changes whenever all counts are discarded
    this.incompleteBecause = []; // what the profile lacks, a sentence each
    this.measuredWith = null; // the settings that are not the defaults, as the daemon sends them; null where the device reports none
    this.idle = 0; // the share of its time that was left out as idle (idle.js)
    this.range = null; // what the daemon says of the range that it is of; null where it is of everything
    this.clearedAt = null; // the sequence at which the daemon last forgot it
  }

  get loaded() {
    return this.sequence >= 0;
  }

  get ticksPerSecond() {
    return this.target.ticks_per_second ?? null;
  }

  /** The number of all counted calls. */
  get calls() {
    return this.functions.reduce((sum, fn) => sum + (fn?.calls ?? 0), 0);
  }

  provides(what) {
    const list = this.source.dialect_provides;
    return list === undefined || list === null || list.includes(what);
  }

  #head(part) {
    if (this.loaded && part.cleared_at !== this.clearedAt) this.clearing++;
    this.clearedAt = part.cleared_at;
    this.sequence = part.sequence;
    this.capturedAt = part.captured_at ?? this.capturedAt;
    this.incompleteBecause = part.incomplete_because ?? this.incompleteBecause;
    this.measuredWith = part.measured_with === undefined ? this.measuredWith : part.measured_with;
    this.source = part.source ?? this.source;
    this.target = part.target ?? this.target;
    this.link = part.link ?? this.link;
    this.ledger = part.ledger ?? this.ledger;
    this.slowdown = part.slowdown ?? this.slowdown;
    this.samples = part.samples ?? this.samples;
  }

  /** Called when the daemon has restarted: counts are discarded, whatever the sequence number. */
  beginAnew() {
    this.clearing++;
  }

  /** Replaces everything by a snapshot. */
  load(snapshot) {
    this.measuredWith = this.slowdown = null; // missing in older files
    this.#head(snapshot);
    this.producer = snapshot.producer ?? '';
    this.range = snapshot.range ?? null;
    this.functions = snapshot.functions ?? [];
    this.tree.load(snapshot.call_tree);
    this.treeEstimated = snapshot.call_tree_estimated === true;
    this.arcs = new Map((snapshot.arcs ?? []).map((arc) => [arcKey(arc), arc]));
    this.checkpoints = new Map((snapshot.checkpoints ?? []).map((row, i) => [row.id ?? i, row]));
    this.messages = snapshot.messages ?? [];
    this.messagesGone = snapshot.messages_dropped ?? 0;
    this.contexts = new Map((snapshot.contexts ?? []).map((context) => [context.id, context]));
    this.windows = snapshot.windows ?? noWindows;
    this.limits = snapshot.limits ?? [];
    this.#renamed();
  }

  /**
   * Applies a delta. Returns false, changing nothing, if it does not lead from the present sequence or an earlier one
   * to a later one. Deltas have whole rows, so rows known already do no harm.
   */
  apply(delta) {
    if (delta.since > this.sequence || delta.sequence <= this.sequence) return false;
    this.#head(delta);
    for (const row of delta.functions ?? []) {
      if (this.functions[row.id]?.name !== row.name) this.#renamed();
      this.functions[row.id] = row;
    }
    this.tree.apply(delta.call_tree);
    for (const arc of delta.arcs ?? []) this.arcs.set(arcKey(arc), arc);
    for (const row of delta.checkpoints ?? []) this.checkpoints.set(row.id, row);
    this.#hear(unseen(this.messages, delta.messages), delta.messages_dropped ?? 0);
    for (const context of delta.contexts ?? []) this.contexts.set(context.id, context);
    this.windows = delta.windows ?? this.windows; // always complete, if anything changed
    this.limits = delta.limits ?? this.limits; // likewise
    return true;
  }

  #hear(messages, droppedByDaemon) {
    for (const message of messages) this.messages.push(message);
    const over = Math.max(this.messages.length - messagesKept, 0);
    this.messages.splice(0, over);
    // Between two deltas there may be more messages than the daemon keeps; then this page has missed some.
    this.messagesGone = Math.max(this.messagesGone + over, droppedByDaemon);
  }

  /** Applies a status without rows; the sequence stays that of the rows. */
  applyStatus(status) {
    this.source = status.source ?? this.source;
    this.target = status.target ?? this.target;
    this.link = status.link ?? this.link;
  }

  /** A copy that later deltas leave alone. */
  freeze() {
    const twin = Object.assign(new Profile(), this);
    twin.functions = this.functions.slice();
    twin.tree = this.tree.copy();
    twin.arcs = new Map(this.arcs);
    twin.checkpoints = new Map(this.checkpoints);
    twin.messages = this.messages.slice();
    twin.contexts = new Map(this.contexts);
    return twin;
  }

  #renamed() {
    this.named = ++namings;
    this.labels = null;
  }

  #label() {
    if (this.labels !== null) return this.labels;
    const uses = new Map();
    for (const fn of this.functions) uses.set(fn?.name, (uses.get(fn?.name) ?? 0) + 1);
    const ofId = this.functions.map((fn) =>
      uses.get(fn?.name) > 1 ? `${fn.name}@${fn.address ?? fn.id}` : (fn?.name ?? ''),
    );
    const idOf = new Map();
    this.functions.forEach((fn, id) => {
      if (!idOf.has(fn?.name)) idOf.set(fn?.name, id);
    });
    ofId.forEach((label, id) => idOf.set(label, id));
    this.labels = { ofId, idOf };
    return this.labels;
  }

  /** The label of a function in links: its name, with the address if functions share it. A context is "[main]". */
  labelOf(id) {
    if (isRoot(id)) return `[${this.contexts.get(contextOf(id))?.name ?? contextOf(id)}]`;
    return this.#label().ofId[id] ?? '';
  }

  /** The function of a label, or -1. */
  idOf(label) {
    return this.#label().idOf.get(label) ?? this.#rootOf(label);
  }

  /** The number of the context with this label, or -1. */
  #rootOf(label) {
    if (!label.startsWith('[')) return -1;
    for (const id of this.contexts.keys()) if (this.labelOf(rootOf(id)) === label) return rootOf(id);
    return -1;
  }
}
