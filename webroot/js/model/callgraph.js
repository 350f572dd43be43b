// callgraph.js - the part of the call graph around one function: its boxes, and the arrows between them (edges.js).

import { program } from './edges.js';
import { isPlaceholder } from './placeholder.js';

/** Ids of the functions with most self time, highest first: where the graph begins. */
export function hottest(profile, most = 3) {
  const cost = (fn) => fn.self_ticks ?? fn.samples ?? 0;
  return profile.functions
    .filter((fn) => fn && !isPlaceholder(fn) && cost(fn) > 0)
    .sort((a, b) => cost(b) - cost(a) || a.id - b.id)
    .slice(0, most)
    .map((fn) => fn.id);
}

export const boxesMost = [0, 8, 7, 6]; // in a column of level 1, 2, 3
export const moreStep = 20;
const staysWhile = 1.5; // a box gives way only to one that weighs this many times more

/** The weight of each hidden function's calls to or from the boxes of `column`. */
function candidates(graph, column, side, shown) {
  const found = new Map();
  for (const box of column) {
    if (box.more) continue;
    for (const one of (side < 0 ? graph.into : graph.out).get(box.id) ?? []) {
      const id = side < 0 ? one.caller : one.callee;
      // What runs below an unknown caller is counted as called by the program, so that caller need not be shown.
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
 *           callees; a box with `more` stands for that many functions that weigh too little.
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
    // A function that both calls and is called goes to the side with the greater weight.
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
      // A box for the rest must stand for at least two functions.
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
    // Only the column next to it: its calls to and from others are too few to be shown.
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
