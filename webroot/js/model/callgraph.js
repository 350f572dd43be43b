// callgraph.js - who calls whom, summed up over the whole call tree, and the part of it around one function.
//
// What an arrow says, recursion included:
//   calls   every call over it, also those inside another call of the same function
//   ticks   the time of these calls with all they call; a call inside another one over the same arrow is in that
//           one's time already and not counted again. So no arrow weighs more than either of its ends.
// An arrow from a function to itself is its direct recursion. Where a target counts arcs and takes samples (gprof),
// calls are those of the arcs, and times are not known.

import { isPlaceholder } from './placeholder.js';

export const program = -1; // stands for all that nobody calls, as if the program called it

/** Children of each row of the tree as chains: the first one, and the next beside each. */
function chains(tree) {
  const first = new Int32Array(tree.length).fill(-1);
  const beside = new Int32Array(tree.length).fill(-1);
  for (let row = tree.length - 1; row > 0; row--) {
    beside[row] = first[tree.parent[row]];
    first[tree.parent[row]] = row;
  }
  return { first, beside };
}

const columns = ['caller', 'callee', 'calls', 'ticks', 'open', 'besideOut', 'besideInto'];

/**
 * Arrows in columns, as there may be as many as the tree has rows; objects, { caller, callee, calls, ticks }, are made
 * only of those asked for.
 */
class Graph {
  /** `timed` says whether ticks are known, `functions` how many there are. */
  constructor(functions, timed) {
    this.timed = timed;
    this.count = 0;
    this.caller = new Int32Array(1024);
    this.callee = new Int32Array(1024);
    this.calls = new Float64Array(1024);
    this.ticks = new Float64Array(1024);
    this.open = new Int32Array(1024); // how many calls of the arrow are being walked
    this.besideOut = new Int32Array(1024); // the next arrow of the same caller, of the same callee
    this.besideInto = new Int32Array(1024);
    this.firstOut = new Int32Array(functions + 1).fill(-1); // by function, the program first
    this.firstInto = new Int32Array(functions + 1).fill(-1);
    this.slots = new Int32Array(2048).fill(-1);
    /** Function -> its arrows, in the order in which they were met; undefined where there are none. */
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

  /** Where the arrow is in the hash table, or the free place where it would go. */
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

  /** The number of the arrow, which is there from now on. */
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

function fromTree({ tree, functions }) {
  const graph = new Graph(functions.length, true);
  const { first, beside } = chains(tree);

  /** The arrow over which the row was called, or -1. */
  function enter(row) {
    const caller = tree.fn[tree.parent[row]];
    // Rows that have moved elsewhere stay behind empty.
    if (!(tree.calls[row] > 0) && !(tree.total[row] > 0)) return -1;
    // What runs below a caller that is not known is the program's own.
    const one = graph.arrow(caller >= 0 ? caller : program, tree.fn[row]);
    graph.calls[one] += tree.calls[row] > 0 ? tree.calls[row] : 0;
    if (graph.open[one]++ === 0) graph.ticks[one] += tree.total[row] > 0 ? tree.total[row] : 0;
    return one;
  }

  // The tree is walked without recursion of ours, for it may be deep; an arrow is open while one of its calls is.
  const entered = new Int32Array(tree.length);
  for (let row = first[0] ?? -1; row >= 0; ) {
    entered[row] = enter(row);
    if (first[row] >= 0) {
      row = first[row];
      continue;
    }
    for (;;) {
      if (entered[row] >= 0) graph.open[entered[row]]--;
      if (beside[row] >= 0) {
        row = beside[row];
        break;
      }
      row = tree.parent[row];
      if (row <= 0) break;
    }
    if (row <= 0) break;
  }

  // Below a placeholder the program itself goes on: who called is not known.
  const isReal = functions.map((fn) => fn !== undefined && fn !== null && !isPlaceholder(fn.name));
  const met = graph.count;
  for (let i = 0; i < met; i++) {
    if (graph.caller[i] < 0 || isReal[graph.caller[i]] || !isReal[graph.callee[i]]) continue;
    const own = graph.arrow(program, graph.callee[i]);
    graph.calls[own] += graph.calls[i];
    graph.ticks[own] += graph.ticks[i];
  }
  return graph;
}

function fromArcs({ arcs, functions }) {
  const graph = new Graph(functions.length, false);
  for (const { caller, callee, calls } of arcs.values()) graph.calls[graph.arrow(caller, callee)] += calls;
  for (const fn of functions) {
    if (!fn || graph.into.get(fn.id) || isPlaceholder(fn.name)) continue;
    if (graph.out.get(fn.id) || fn.samples > 0) graph.arrow(program, fn.id);
  }
  return graph;
}

/** The arrows of a profile, a Graph; `counted` when they are arcs. */
export function callGraph(profile) {
  const counted = profile.treeEstimated || (profile.tree.length <= 1 && profile.arcs.size > 0);
  const graph = counted ? fromArcs(profile) : fromTree(profile);
  graph.counted = counted;
  graph.isPlaceholder = (id) => id >= 0 && isPlaceholder(profile.functions[id]?.name ?? '');
  return graph;
}

const heavier = (a, b) => (b.ticks ?? 0) - (a.ticks ?? 0) || b.calls - a.calls || a.id - b.id;

/** Functions by how much they cost themselves, to begin with: ids, the hottest first. */
export function hottest(profile, most = 3) {
  const cost = (fn) => fn.self_ticks ?? fn.samples ?? 0;
  return profile.functions
    .filter((fn) => fn && !isPlaceholder(fn.name) && cost(fn) > 0)
    .sort((a, b) => cost(b) - cost(a) || a.id - b.id)
    .slice(0, most)
    .map((fn) => fn.id);
}

export const boxesMost = [0, 8, 7, 6]; // a column of the first, second, third level
export const moreStep = 20;
const staysWhile = 1.5; // a box gives way only to one that weighs so many times more

/** How much each function that is not shown yet has to do with the boxes of `column`. */
function candidates(graph, column, side, shown) {
  const found = new Map();
  for (const box of column) {
    if (box.more) continue;
    for (const one of (side < 0 ? graph.into : graph.out).get(box.id) ?? []) {
      const id = side < 0 ? one.caller : one.callee;
      // The program calls what runs below a caller that is not known, so that caller need not be shown.
      if (id < 0 || shown.has(id) || (box.id === program && graph.isPlaceholder(id))) continue;
      const sum = found.get(id) ?? { id, calls: 0, ticks: 0 };
      sum.calls += one.calls;
      sum.ticks += one.ticks ?? 0;
      found.set(id, sum);
    }
  }
  return [...found.values()];
}

/**
 * The boxes and arrows around `centre` (a function, or `program`): { columns, arrows }.
 *
 * columns   [{ level, boxes: [{ id, level, more? }] }] from the outermost callers (level < 0) to the innermost
 *           callees; a box with `more` stands for so many functions that weigh too little.
 * arrows    [{ from, to, caller, callee, calls, ticks }] between boxes; to and from boxes of `more` summed up.
 * options   { depth: 1 … 3, more: Map of level to how many boxes are wanted on top }; `before` is the answer of
 *           the last time: what is shown stays unless something much heavier comes.
 */
export function neighbourhood(graph, centre, { depth, more = new Map() }, before = null) {
  const middle = { id: centre, level: 0 };
  const shown = new Map([[centre, middle]]);
  const columns = new Map([[0, [middle]]]);
  const stood = new Map();
  for (const column of before?.columns ?? []) for (const box of column.boxes) if (!box.more) stood.set(box.id, box.level);

  for (let distance = 1; distance <= depth; distance++) {
    // Whoever both calls and is called goes to the side where there is more to tell.
    const sides = [1, -1].map((side) => {
      const level = side * distance;
      const column = columns.get(side * (distance - 1)) ?? [];
      const list = candidates(graph, column, side, shown).map((one) => ({
        ...one,
        level,
        rank: (one.ticks || one.calls * 1e-9) * (stood.get(one.id) === level ? staysWhile : 1),
      }));
      return list;
    });
    const rankOf = sides.map((list) => new Map(list.map((one) => [one.id, one.rank])));
    sides.forEach((list, i) => {
      const other = rankOf[1 - i];
      const own = list
        .filter(({ id, rank }) => !other.has(id) || rank > other.get(id) || (rank === other.get(id) && i === 0))
        .sort((a, b) => b.rank - a.rank || a.id - b.id);
      if (own.length === 0) return;
      const { level } = own[0];
      const room = boxesMost[distance] + (more.get(level) ?? 0);
      // One box for the rest has to stand for at least two.
      const kept = own.length <= room + 1 ? own : own.slice(0, room);
      const boxes = kept.map(({ id }) => ({ id, level }));
      for (const box of boxes) shown.set(box.id, box);
      const rest = own.slice(kept.length);
      if (rest.length > 0) boxes.push({ id: `more${level}`, level, more: rest.length, of: new Set(rest.map(({ id }) => id)) });
      columns.set(level, boxes);
    });
  }

  const sorted = [...columns].sort(([a], [b]) => a - b).map(([level, boxes]) => ({ level, boxes }));
  return { centre, columns: sorted, arrows: arrowsBetween(graph, sorted, shown) };
}

function arrowsBetween(graph, columns, shown) {
  const arrows = [];
  for (const { id } of shown.values()) {
    for (const one of graph.out.get(id) ?? []) {
      if (!shown.has(one.callee)) continue;
      arrows.push({ from: id, to: one.callee, ...one });
    }
  }
  for (const { boxes } of columns) {
    const rest = boxes.find((box) => box.more);
    if (rest === undefined) continue;
    // Only the column next to it: what it has to do with others is too little to be told.
    const near = columns.find(({ level }) => level === rest.level - Math.sign(rest.level)).boxes;
    for (const box of near) {
      if (box.more) continue;
      let calls = 0;
      let ticks = null;
      for (const one of (rest.level < 0 ? graph.into : graph.out).get(box.id) ?? []) {
        if (!rest.of.has(rest.level < 0 ? one.caller : one.callee)) continue;
        calls += one.calls;
        if (one.ticks !== null) ticks = (ticks ?? 0) + one.ticks;
      }
      if (calls === 0 && !(ticks > 0)) continue;
      const [from, to] = rest.level < 0 ? [rest.id, box.id] : [box.id, rest.id];
      arrows.push({ from, to, calls, ticks });
    }
  }
  return arrows;
}

/** Arrows of a function to either side, the heaviest first, each with the other end as `id`. */
export function neighbours(graph, id) {
  const side = (list, end) => (list ?? []).map((one) => ({ ...one, id: one[end] })).sort(heavier);
  return { callers: side(graph.into.get(id), 'caller'), callees: side(graph.out.get(id), 'callee') };
}
