// frames.js - the frames of a flame graph: the call tree merged, inverted, focused, with parts hidden.
//
// Every row of the call tree has its own weight (self time, calls, samples) and a path. A rule maps each path to
// another, and the weights are added up along the new paths, so one builder serves all modes.

import { dropped, growUp, outside } from './callers.js';
import { rowTimes } from './calltree.js';
import { isRoot, withRoots } from './roots.js';

const capacityLeast = 1024;

/**
 * Weight, ticks and calls of frames in parallel columns. Node 0 is the root; a parent's index is below its children's.
 */
export class Frames {
  /** Allocates space for `expected` frames. */
  constructor(expected = capacityLeast) {
    this.count = 0;
    this.capacity = 2 ** Math.ceil(Math.log2(Math.max(expected, capacityLeast)));
    this.parent = new Int32Array(this.capacity);
    this.fn = new Int32Array(this.capacity);
    this.depth = new Int32Array(this.capacity);
    this.weight = new Float64Array(this.capacity); // including descendants, in the unit chosen
    this.self = new Float64Array(this.capacity); // weight without descendants
    this.ticks = new Float64Array(this.capacity);
    this.calls = new Float64Array(this.capacity);
    this.slots = new Int32Array(2 * this.capacity).fill(-1);
    this.depthMost = 0;
    this.childFrom = null; // children of node i: order[childFrom[i]] ... order[childFrom[i + 1] - 1]
    this.order = null;
    this.start = null; // left edge in units of weight; the root begins at 0
  }

  /** Frames from a message of another thread, which has the properties but not the methods. */
  static revive(sent) {
    return Object.assign(new Frames(), sent);
  }

  #grow() {
    this.capacity *= 2;
    for (const name of ['parent', 'fn', 'depth', 'weight', 'self', 'ticks', 'calls']) {
      const wider = new this[name].constructor(this.capacity);
      wider.set(this[name]);
      this[name] = wider;
    }
    this.slots = new Int32Array(2 * this.capacity).fill(-1);
    for (let node = 1; node < this.count; node++)
      this.slots[this.#slot(this.parent[node], this.fn[node])] = node;
  }

  /** The hash slot of the child, or the empty slot where it would go. */
  #slot(parent, fn) {
    const mask = this.slots.length - 1;
    let at = (Math.imul(parent, 0x9e3779b1) ^ Math.imul(fn, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & mask;
    for (;;) {
      const node = this.slots[at];
      if (node < 0 || (this.parent[node] === parent && this.fn[node] === fn)) return at;
      at = (at + 1) & mask;
    }
  }

  /** The child of `parent` for the function, or -1. */
  child(parent, fn) {
    return this.slots[this.#slot(parent, fn)];
  }

  /** The nearest frame of the function among `node` and its ancestors, or -1. */
  above(node, fn) {
    for (let at = node; at > 0; at = this.parent[at]) if (this.fn[at] === fn) return at;
    return -1;
  }

  add(parent, fn) {
    let slot = 0;
    if (parent >= 0) {
      slot = this.#slot(parent, fn);
      if (this.slots[slot] >= 0) return this.slots[slot];
      if (this.count === this.capacity) {
        this.#grow();
        slot = this.#slot(parent, fn);
      }
    }
    const node = this.count++;
    this.parent[node] = parent;
    this.fn[node] = fn;
    this.depth[node] = parent < 0 ? 0 : this.depth[parent] + 1;
    if (this.depth[node] > this.depthMost) this.depthMost = this.depth[node];
    if (parent >= 0) this.slots[slot] = node;
    return node;
  }

  /** Functions from the outermost frame down to the node; empty for the root. */
  path(node) {
    const fns = [];
    for (let at = node; at > 0; at = this.parent[at]) fns.push(this.fn[at]);
    return fns.reverse();
  }

  /** The root frame of the context below which the function is outermost, or node 0. */
  #rootAbove(fn) {
    for (let i = this.childFrom?.[0] ?? 0; i < (this.childFrom?.[1] ?? 0); i++)
      if (isRoot(this.fn[this.order[i]]) && this.child(this.order[i], fn) >= 0) return this.order[i];
    return 0;
  }

  /** The node of a path, or the deepest one on it that still exists; a path may leave out the context. */
  find(path) {
    let node = path.length > 0 && this.child(0, path[0]) < 0 ? this.#rootAbove(path[0]) : 0;
    for (const fn of path) {
      const next = this.child(node, fn);
      if (next < 0) break;
      node = next;
    }
    return node;
  }

  /** True when `above` is `node` or one of its callers. */
  contains(above, node) {
    let at = node;
    while (at > above) at = this.parent[at];
    return at === above;
  }
}

/** The weight of each row of the call tree without its callees; the first argument is `ingredients`. */
export function ownWeights({ tree, samples }, unit) {
  const { length, fn, calls } = tree;
  if (unit === 'calls') return Float64Array.from({ length }, (_, i) => (i > 0 && calls[i] > 0 ? calls[i] : 0));
  const own = rowTimes(tree).own.subarray(0, length);
  if (unit !== 'samples') return own;
  // Samples are known per function; its paths share them in proportion to their self time.
  const selfOf = new Float64Array(samples.length);
  const rowsOf = new Int32Array(samples.length);
  for (let i = 1; i < length; i++) {
    if (isRoot(fn[i])) continue;
    selfOf[fn[i]] += own[i];
    rowsOf[fn[i]]++;
  }
  for (let i = 1; i < length; i++) {
    if (isRoot(fn[i])) continue;
    const met = samples[fn[i]];
    own[i] = selfOf[fn[i]] > 0 ? (met * own[i]) / selfOf[fn[i]] : met / rowsOf[fn[i]];
  }
  return own;
}

/** Adds each row to its frame, below the frame of its parent. */
function growDown(frames, tree, own, ticks, rule) {
  const at = new Int32Array(tree.length);
  at[0] = rule.focus.size > 0 ? outside : 0;
  for (let row = 1; row < tree.length; row++) {
    const above = at[tree.parent[row]];
    const fn = tree.fn[row];
    const calls = tree.calls[row] > 0 ? tree.calls[row] : 0;
    if (rule.merge.has(fn) && above !== dropped) {
      at[row] = above;
      if (above === outside) continue;
      frames.self[above] += own[row];
      frames.ticks[above] += ticks[row];
    } else if (above === dropped || rule.hide.has(fn)) {
      at[row] = dropped;
    } else if (above === outside && !rule.focus.has(fn)) {
      at[row] = outside;
    } else {
      const parent = above === outside ? 0 : above;
      const seen = rule.collapse ? frames.above(parent, fn) : -1;
      const known = seen >= 0 ? seen : frames.child(parent, fn);
      // Rows whose calls were moved elsewhere are empty and get no frame.
      if (known < 0 && rule.holding[row] === 0) {
        at[row] = dropped;
        continue;
      }
      const node = known >= 0 ? known : frames.add(parent, fn);
      at[row] = node;
      frames.self[node] += own[row];
      frames.ticks[node] += ticks[row];
      frames.calls[node] += calls;
      frames.calls[0] += calls;
    }
  }
}

/** One byte per row: 1 if the row or a descendant has calls or time. */
export function holdingRows(tree, own) {
  const holding = new Uint8Array(tree.length);
  for (let row = tree.length - 1; row > 0; row--) {
    if (own[row] > 0 || tree.calls[row] > 0 || tree.total[row] > 0) holding[row] = 1;
    if (holding[row]) holding[tree.parent[row]] = 1;
  }
  return holding;
}

/** Sorts the children of each node, and sets the left edge of every frame. */
export function arrange(frames, rankOf) {
  const { count, parent, fn, weight } = frames;
  const from = new Int32Array(count + 1);
  for (let node = 1; node < count; node++) from[parent[node] + 1]++;
  for (let node = 0; node < count; node++) from[node + 1] += from[node];
  const order = new Int32Array(Math.max(count - 1, 0));
  const next = from.slice(0, count);
  for (let node = 1; node < count; node++) order[next[parent[node]]++] = node;
  const rank = (id) => (isRoot(id) ? id : rankOf[id]);
  const before =
    rankOf === null
      ? (a, b) => weight[b] - weight[a] || fn[a] - fn[b]
      : (a, b) => rank(fn[a]) - rank(fn[b]) || fn[a] - fn[b];
  const start = new Float64Array(count);
  for (let node = 0; node < count; node++) {
    if (from[node + 1] - from[node] > 1) order.subarray(from[node], from[node + 1]).sort(before);
    let edge = start[node];
    for (let i = from[node]; i < from[node + 1]; i++) {
      start[order[i]] = edge;
      edge += weight[order[i]];
    }
  }
  frames.childFrom = from;
  frames.order = order;
  frames.start = start;
}

const ranks = new WeakMap();

/** The alphabetical rank of each function; recomputed only after a name was added or changed. */
export function nameRanks(functions, named) {
  const kept = ranks.get(functions);
  if (kept?.named === named && kept.rankOf.length === functions.length) return kept.rankOf;
  const ids = functions.map((_, id) => id);
  const names = functions.map((f) => (f?.name ?? '').toLowerCase());
  ids.sort((a, b) => (names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b));
  const rankOf = new Int32Array(functions.length);
  ids.forEach((id, rank) => {
    rankOf[id] = rank;
  });
  ranks.set(functions, { named, rankOf });
  return rankOf;
}

/**
 * The data that frames are made from, for a profile and a rule (see growFrames): { tree, samples (by function), rankOf
 * (alphabetical rank by function) }; the last two are null if the rule needs none.
 */
export function ingredients(profile, rule) {
  return {
    tree: rule.roots ? withRoots(profile.tree) : profile.tree,
    samples:
      rule.unit === 'samples' ? Float64Array.from(profile.functions, (fn) => fn?.samples ?? 0) : null,
    rankOf: rule.order === 'name' ? nameRanks(profile.functions, profile.named) : null,
  };
}

/**
 * Makes frames from `ingredients`.
 *
 * rule: { unit: 'time'|'calls'|'samples', inverted, collapse, order: 'heavy'|'name', hide, focus, merge (sets of
 * function ids; merge is optional), zoom and least as in callers.js, roots: contexts are the outermost frames
 * (roots.js) }. Hiding drops a function with its callees. Merging drops only the function: its weight and callees go to
 * its callers, its calls are dropped. Focus keeps only what runs inside the functions named.
 */
export function growFrames(from, rule) {
  const { tree } = from;
  const own = ownWeights(from, rule.unit);
  const holding = rule.inverted ? null : holdingRows(tree, own);
  const frames = new Frames(holding?.reduce((sum, one) => sum + one, 1));
  frames.add(-1, -1);
  const ticks = rule.unit === 'time' ? own : ownWeights(from, 'time');
  if (rule.inverted) {
    growUp(frames, tree, own, ticks, { zoom: [], least: 0, merge: new Set(), ...rule });
  } else {
    growDown(frames, tree, own, ticks, { merge: new Set(), ...rule, holding });
    for (let node = 0; node < frames.count; node++) frames.weight[node] = frames.self[node];
    for (let node = frames.count - 1; node > 0; node--) {
      frames.weight[frames.parent[node]] += frames.weight[node];
      frames.ticks[frames.parent[node]] += frames.ticks[node];
    }
  }
  arrange(frames, from.rankOf);
  // In an inverted tree, only the outermost frames have self time; the frames below them are callers.
  if (rule.inverted)
    for (let node = 0; node < frames.count; node++)
      frames.self[node] = frames.depth[node] === 1 ? frames.weight[node] : NaN;
  return frames;
}

/** The frames of a profile, made at once; a large profile would block the page. */
export const buildFrames = (profile, rule) => growFrames(ingredients(profile, rule), rule);
