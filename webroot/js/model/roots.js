// roots.js - the contexts as the outermost frames of a flame graph, where the tree is of more than one.
//
// Their rows have numbers below those of functions and that of the whole (-1), so that no list of functions holds them.

/** The number that stands for a context where functions have theirs, and the context of such a number. */
export const rootOf = (context) => -2 - context;
export const contextOf = (fn) => -2 - fn;
export const isRoot = (fn) => fn <= -2;

/** Which contexts the outermost rows of the tree belong to, ascending. */
function contextsIn({ length, parent, context }) {
  const found = new Set();
  for (let row = 1; row < length; row++) if (parent[row] === 0) found.add(context[row]);
  return [...found].sort((a, b) => a - b);
}

/** The tree with a row for each context between the whole and its outermost rows; as it is when there is but one. */
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
