// edges.js - sums up the call tree by pairs of caller and callee: for the graph, and for the callers and callees of a
// function where no daemon is available.
//
// Figures of an arrow, recursion included:
//   calls   all calls over it, also those inside another call of the same function
//   ticks   the time of these calls with their callees. A call inside another one over the same arrow is in that
//           call's time already and not added again, so no arrow exceeds the time of either end.
//   outer   the same without calls inside any other call of the callee, so the arrows to a function add up to its
//           time.
// An arrow from a function to itself is its direct recursion. If a target counts arcs and takes samples (gprof),
// calls are those of the arcs, and times are unknown.

import { isPlaceholder } from './placeholder.js';

export const program = -1; // caller of all functions without a caller

/** The children of each row of the tree as linked lists: the first child, and each row's next sibling. */
function chains(tree) {
  const first = new Int32Array(tree.length).fill(-1);
  const beside = new Int32Array(tree.length).fill(-1);
  for (let row = tree.length - 1; row > 0; row--) {
    beside[row] = first[tree.parent[row]];
    first[tree.parent[row]] = row;
  }
  return { first, beside };
}

const columns = ['caller', 'callee', 'calls', 'ticks', 'outer', 'open', 'besideOut', 'besideInto'];

/**
 * Arrows in columns, as there may be as many as tree rows. Objects, { caller, callee, calls, ticks, outer }, are made
 * only for the arrows asked for.
 */
class Graph {
  /** `timed`: ticks are known; `functions`: their number. */
  constructor(functions, timed) {
    this.timed = timed;
    this.count = 0;
    this.caller = new Int32Array(1024);
    this.callee = new Int32Array(1024);
    this.calls = new Float64Array(1024);
    this.ticks = new Float64Array(1024);
    this.outer = new Float64Array(1024);
    this.open = new Int32Array(1024); // how many calls of the arrow are being walked
    this.besideOut = new Int32Array(1024); // the next arrow of the same caller, and (below) of the same callee
    this.besideInto = new Int32Array(1024);
    this.firstOut = new Int32Array(functions + 1).fill(-1); // by function id + 1; 0 is the program
    this.firstInto = new Int32Array(functions + 1).fill(-1);
    this.slots = new Int32Array(2048).fill(-1);
    /** Function -> its arrows in order of creation; undefined if it has none. */
    this.out = { get: (id) => this.#listed(this.firstOut[id + 1], this.besideOut) };
    this.into = { get: (id) => this.#listed(this.firstInto[id + 1], this.besideInto) };
  }

  #grow() {
    for (const name of columns) {
      const wider = new this[name].constructor(2 * this.count);
      wider.set(this[name]);
      this[name] = wider;
    }
    this.slots = new Int32Array(4 * this.count).fill(-1);
    for (let i = 0; i < this.count; i++) this.slots[this.#slot(this.caller[i], this.callee[i])] = i;
  }

  /** The hash slot of the arrow, or the empty slot where it would go. */
  #slot(caller, callee) {
    const mask = this.slots.length - 1;
    let at = (Math.imul(caller + 1, 0x9e3779b1) ^ Math.imul(callee, 0x85ebca6b)) >>> 0;
    at = (at ^ (at >>> 15)) & mask;
    for (;;) {
      const i = this.slots[at];
      if (i < 0 || (this.caller[i] === caller && this.callee[i] === callee)) return at;
      at = (at + 1) & mask;
    }
  }

  /** The number of the arrow, which is added if new. */
  arrow(caller, callee) {
    let slot = this.#slot(caller, callee);
    if (this.slots[slot] >= 0) return this.slots[slot];
    if (this.count === this.caller.length) {
      this.#grow();
      slot = this.#slot(caller, callee);
    }
    const i = this.count++;
    this.slots[slot] = i;
    this.caller[i] = caller;
    this.callee[i] = callee;
    this.besideOut[i] = this.firstOut[caller + 1];
    this.firstOut[caller + 1] = i;
    this.besideInto[i] = this.firstInto[callee + 1];
    this.firstInto[callee + 1] = i;
    return i;
  }

  #at(i) {
    return {
      caller: this.caller[i],
      callee: this.callee[i],
      calls: this.calls[i],
      ticks: this.timed ? this.ticks[i] : null,
      outer: this.timed ? this.outer[i] : null,
    };
  }

  #listed(first, beside) {
    if (first === undefined || first < 0) return undefined;
    const list = [];
    for (let i = first; i >= 0; i = beside[i]) list.push(this.#at(i));
    return list.reverse();
  }

  get arrows() {
    return Array.from({ length: this.count }, (_, i) => this.#at(i));
  }

  find(caller, callee) {
    const i = this.slots[this.#slot(caller, callee)];
    return i < 0 ? undefined : this.#at(i);
  }
}

/**
 * Calls enter(row) for each row of the tree but the first, callers before callees, and leave(row) after its callees.
 * Not recursive, since the tree may be deep.
 */
function walk(tree, enter, leave) {
  const { first, beside } = chains(tree);
  let row = first[0] ?? -1;
  while (row > 0) {
    enter(row);
    if (first[row] >= 0) {
      row = first[row];
      continue;
    }
    leave(row);
    while (row > 0 && beside[row] < 0) {
      row = tree.parent[row];
      if (row > 0) leave(row);
    }
    if (row > 0) row = beside[row];
  }
}

/** The arrows of the call tree. */
export function treeGraph({ tree, functions }) {
  const graph = new Graph(functions.length, true);
  const entered = new Int32Array(tree.length); // the arrow over which each row was called, or -1
  const inside = new Int32Array(functions.length); // how many calls of each function are being walked

  function enter(row) {
    const fn = tree.fn[row];
    const outermost = inside[fn]++ === 0;
    entered[row] = -1;
    // Rows whose calls were moved elsewhere are empty.
    if (!(tree.calls[row] > 0) && !(tree.total[row] > 0)) return;
    // What runs below an unknown caller counts as called by the program.
    const caller = tree.fn[tree.parent[row]];
    const one = graph.arrow(caller >= 0 ? caller : program, fn);
    const ticks = tree.total[row] > 0 ? tree.total[row] : 0;
    entered[row] = one;
    graph.calls[one] += tree.calls[row] > 0 ? tree.calls[row] : 0;
    if (graph.open[one]++ === 0) graph.ticks[one] += ticks;
    if (outermost) graph.outer[one] += ticks;
  }

  function leave(row) {
    inside[tree.fn[row]]--;
    if (entered[row] >= 0) graph.open[entered[row]]--;
  }

  walk(tree, enter, leave);
  addProgram(graph, functions);
  return graph;
}

/** Adds arrows from the program to the callees of placeholders, whose callers are unknown. */
function addProgram(graph, functions) {
  const isReal = functions.map((fn) => fn !== undefined && fn !== null && !isPlaceholder(fn));
  const met = graph.count;
  for (let i = 0; i < met; i++) {
    if (graph.caller[i] < 0 || isReal[graph.caller[i]] || !isReal[graph.callee[i]]) continue;
    const own = graph.arrow(program, graph.callee[i]);
    for (const column of ['calls', 'ticks', 'outer']) graph[column][own] += graph[column][i];
  }
}

function arcsGraph({ arcs, functions }) {
  const graph = new Graph(functions.length, false);
  for (const { caller, callee, calls } of arcs.values()) graph.calls[graph.arrow(caller, callee)] += calls;
  for (const fn of functions) {
    if (!fn || graph.into.get(fn.id) || isPlaceholder(fn)) continue;
    if (graph.out.get(fn.id) || fn.samples > 0) graph.arrow(program, fn.id);
  }
  return graph;
}

/** The arrows of a profile, a Graph; `counted` if they are arcs. */
export function callGraph(profile) {
  const counted = profile.treeEstimated || (profile.tree.length <= 1 && profile.arcs.size > 0);
  const graph = counted ? arcsGraph(profile) : treeGraph(profile);
  graph.counted = counted;
  graph.isPlaceholder = (id) => id >= 0 && isPlaceholder(profile.functions[id]);
  return graph;
}

const sortedRows = (rows) => rows.sort((a, b) => b.total_ticks - a.total_ticks || a.id - b.id);

/**
 * { callers, callees } of function `id`, as the daemon's /functions/ID has them: rows { id, name, calls, total_ticks },
 * the heaviest first.
 */
export function edgesOf(profile, id, graph = treeGraph(profile)) {
  const rows = (list, end, ticks) =>
    sortedRows(
      (list ?? [])
        .filter((one) => one[end] >= 0)
        .map((one) => ({ id: one[end], name: profile.functions[one[end]].name, calls: one.calls, total_ticks: one[ticks] })),
    );
  return { callers: rows(graph.into.get(id), 'caller', 'outer'), callees: rows(graph.out.get(id), 'callee', 'ticks') };
}
