// stack.js - the greatest depth seen of each stack, as text and as chains of calls: ≥ marks what is known only in part.

import { bytes } from './format.js';

/** "≥ 240 B": a minimum, if some callees' frame sizes are unknown. */
export const depth = (n, unknown) => `${unknown > 0 ? '≥ ' : ''}${bytes(n)}`;

/** Function `id` as a link of a chain; an unknown frame size is null. */
const link = (functions, id) => ({ id, name: functions[id].name, frame: functions[id].frame_bytes ?? null });

/** The deepest chain of calls that ends at node `node`, outermost first: [{ id, name, frame (bytes) }]. */
export function chainTo({ tree, functions }, node) {
  const chain = [];
  for (let row = (tree.rowOf[node] ?? 0) - 1; row > 0; row = tree.parent[row]) chain.push(link(functions, tree.fn[row]));
  return chain.reverse();
}

/**
 * The deepest observed chain that begins with function `id`. Callees follow their callers in the tree, so one pass
 * suffices.
 */
export function chainFrom({ tree, functions }, id) {
  const { length, parent, fn, calls, total, self } = tree;
  const [below, next, isMet] = [new Float64Array(length), new Int32Array(length), new Uint8Array(length)];
  let [best, most] = [0, 0];
  for (let row = length - 1; row > 0; row--) {
    if (!(isMet[row] || calls[row] > 0 || total[row] > 0 || self[row] > 0)) continue; // emptied by Clear
    const deep = below[row] + (functions[fn[row]].frame_bytes ?? 0);
    if (fn[row] === id && deep >= most) [best, most] = [row, deep];
    const above = parent[row];
    isMet[above] = 1;
    if (next[above] === 0 || deep > below[above]) [below[above], next[above]] = [deep, row];
  }
  const chain = [];
  for (let row = best; row > 0; row = next[row]) chain.push(link(functions, fn[row]));
  return chain;
}
