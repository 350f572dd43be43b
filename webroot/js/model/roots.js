// roots.js - makes contexts the outermost frames of a flame graph, if there are several.
//
// Their numbers are below those of functions and below -1, so that they are in no list of functions.

/** Converts a context to the number that it has in place of a function's, and back. */
export const rootOf = (context) => -2 - context;
export const contextOf = (fn) => -2 - fn;
export const isRoot = (fn) => fn <= -2;

/** The contexts of the tree's outermost rows, ascending. */
function contextsIn({ length, parent, context }) {
  const found = new Set();
  for (let row = 1; row < length; row++) if (parent[row] === 0) found.add(context[row]);
  return [...found].sort((a, b) => a - b);
}

/** The tree with a row for each context between root and outermost rows; unchanged if there is only one context. */
export function withRoots(tree) {
  const contexts = contextsIn(tree);
  if (contexts.length < 2) return tree;
  const more = contexts.length;
  const length = tree.length + more;
  const wider = (cells) => {
    const to = new cells.constructor(length);
    to[0] = cells[0];
    to.set(cells.subarray(1, tree.length), 1 + more);
    return to;
  };
  const [parent, fn, calls, total] = [tree.parent, tree.fn, tree.calls, tree.total].map(wider);
  const rowOf = new Map(contexts.map((context, i) => [context, 1 + i]));
  for (const [context, row] of rowOf) fn[row] = rootOf(context);
  for (let row = 1; row < tree.length; row++)
    parent[row + more] = tree.parent[row] === 0 ? rowOf.get(tree.context[row]) : tree.parent[row] + more;
  const made = { length, parent, fn, calls, total };
  return { ...made, weights: () => made };
}
