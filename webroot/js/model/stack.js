// stack.js - how deep stacks were seen to go, in words: what is known only in part is marked with ≥.

import { bytes } from './format.js';

/** "≥ 240 B": so much at least, where frames of what was called are not known. */
export const depth = (n, unknown) => `${unknown > 0 ? '≥ ' : ''}${bytes(n)}`;

/** The functions of the deepest chain of calls that ends at node `node`, outermost first, each with its frame. */
export function chainText({ tree, functions }, node) {
  const names = [];
  for (let row = (tree.rowOf[node] ?? 0) - 1; row > 0; row = tree.parent[row]) {
    const { name, frame_bytes: frame } = functions[tree.fn[row]];
    names.push(`${name} ${frame === null || frame === undefined ? '?' : frame}`);
  }
  return names.reverse().join(' › ');
}
