// rank.js - the functions of a tree of frames by weight, for the list beside the graph.

function repeated(frames, node, root) {
  const fn = frames.fn[node];
  for (let at = node; at > root; ) {
    at = frames.parent[at];
    if (frames.fn[at] === fn) return true;
  }
  return false;
}

/**
 * Functions of the subtree of `root`, heaviest first: { fn, weight, frames, node }; `node` is the function's heaviest
 * frame. By 'self', a weight excludes descendants. By 'total', it includes them, and a frame inside another of the same
 * function counts once. `hits` (one byte per function) filters the list.
 */
export function rankFunctions(frames, root, by = 'self', hits = null) {
  const { count, parent, fn, weight, self } = frames;
  const inside = new Uint8Array(count);
  const rowOf = [];
  const rows = [];
  for (let node = root; node < count; node++) {
    if (node !== root && (parent[node] < root || inside[parent[node]] === 0)) continue;
    inside[node] = 1;
    const id = fn[node];
    if (id < 0 || (hits !== null && hits[id] === 0)) continue;
    let row = rowOf[id];
    if (row === undefined) rows.push((row = rowOf[id] = { fn: id, weight: 0, frames: 0, node }));
    row.frames++;
    if (weight[node] > weight[row.node]) row.node = node;
    if (by === 'self') row.weight += self[node];
    else if (!repeated(frames, node, root)) row.weight += weight[node];
  }
  return rows.sort(heaviest);
}

/**
 * All frames of the listed functions in the order of a search: the heaviest of each function, then the second of each,
 * and so on.
 */
export function placesOf(frames, list) {
  const placesOfFn = new Map(list.map(({ fn }) => [fn, []]));
  for (let node = 0; node < frames.count; node++) placesOfFn.get(frames.fn[node])?.push(node);
  const byWeight = (a, b) => frames.weight[b] - frames.weight[a] || a - b;
  const turns = [...placesOfFn.values()].flatMap((nodes, rank) =>
    nodes.sort(byWeight).map((node, turn) => ({ node, turn, rank })),
  );
  return turns.sort((a, b) => a.turn - b.turn || a.rank - b.rank).map(({ node }) => node);
}

/** The frames directly below `root` in the same form: its callers, in a tree of callers. */
export function rankBelow(frames, root) {
  const below = Array.from(frames.order.subarray(frames.childFrom[root], frames.childFrom[root + 1]));
  return below
    .filter((node) => frames.fn[node] >= 0)
    .map((node) => ({ fn: frames.fn[node], weight: frames.weight[node], frames: 1, node }))
    .sort(heaviest);
}

const heaviest = (a, b) => b.weight - a.weight || a.fn - b.fn;
