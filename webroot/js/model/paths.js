// paths.js - two trees of a function, its callers with theirs and its callees with theirs, computed as they are opened.
//
// Below a caller are its own callers on the paths to the function; all figures are of the function's calls and time on
// these paths. Below a callee is what it called on that path. A call inside another one (of the function, among
// callers; on the same path, among callees) is counted, but its time is already in the outer one. So callers add up to
// the function, as in edges.js.

/** The children of each row of the call tree as linked lists: the first child, and each row's next sibling. */
function chains({ length, parent }) {
  const first = new Int32Array(length).fill(-1);
  const beside = new Int32Array(length).fill(-1);
  for (let row = length - 1; row > 0; row--) {
    beside[row] = first[parent[row]];
    first[parent[row]] = row;
  }
  return { first, beside };
}

const positive = (x) => (x > 0 ? x : 0);
const heaviest = (a, b) => b.ticks - a.ticks || b.calls - a.calls || a.id - b.id;

/** True when a row above `row` is one of `held`. */
function isInside({ parent }, row, held) {
  for (let at = parent[row]; at > 0; at = parent[at]) if (held.has(at)) return true;
  return false;
}

/**
 * Parts by function: `rows` are counted, `next` is where the tree continues. Time inside a row of `within`, by default
 * of the part itself, is not counted again.
 */
function parts(tree, groups, within = null) {
  const found = [];
  for (const [id, { rows, next }] of groups) {
    const held = within ?? new Set(rows);
    let [calls, ticks] = [0, 0];
    for (const row of rows) {
      calls += positive(tree.calls[row]);
      if (tree.total[row] > 0 && !isInside(tree, row, held)) ticks += tree.total[row];
    }
    // Rows whose calls were moved elsewhere are empty.
    if (calls > 0 || ticks > 0) found.push({ id, calls, ticks, rows, next });
  }
  return found.sort(heaviest);
}

function add(groups, id, row, next) {
  if (!groups.has(id)) groups.set(id, { rows: [], next: [] });
  const group = groups.get(id);
  group.rows.push(row);
  group.next.push(next);
}

/**
 * The two trees of function `id`. A part is { id, calls, ticks, rows, next }; `callers(part)` and `callees(part)`
 * return the parts below it, the heaviest first; without a part, those of the function. Row numbers are valid until the
 * tree changes.
 */
export function pathsOf({ tree }, id) {
  const own = [];
  for (let row = 1; row < tree.length; row++) if (tree.fn[row] === id) own.push(row);
  const start = { rows: own, next: own };
  const all = new Set(own);
  let below = null;

  function callers({ rows, next } = start) {
    const groups = new Map();
    rows.forEach((row, i) => {
      const up = tree.parent[next[i]];
      if (up > 0) add(groups, tree.fn[up], row, up);
    });
    return parts(tree, groups, all);
  }

  function callees({ next } = start) {
    below ??= chains(tree);
    const groups = new Map();
    for (const above of next)
      for (let row = below.first[above]; row >= 0; row = below.beside[row]) add(groups, tree.fn[row], row, row);
    return parts(tree, groups);
  }

  return { callers, callees };
}

/**
 * The callees of function `id`, [{ id, ticks, ... }], of which its calls of itself have no time: that is the time of its
 * own code and its other callees, so that all of them add up to its time.
 */
export const withoutRecursion = (callees, id) => callees.map((one) => (one.id === id && one.ticks !== null ? { ...one, ticks: 0 } : one));

/**
 * The visible rows of a tree: `roots` are { id, name, calls, ticks, own }; `below(part)` returns parts or [], also for
 * the `part` of a root; `opened` has the keys of open rows. Each is { ...root, key, depth, isOpen, canOpen }.
 */
export function openedRows(roots, below, opened, nameOf) {
  const shown = [];
  const left = roots.map((root) => ({ ...root, key: root.own ? 'own' : String(root.id), depth: 1 })).reverse();
  while (left.length > 0) {
    const row = left.pop();
    const under = row.part === undefined ? [] : below(row.part);
    const isOpen = under.length > 0 && opened.has(row.key);
    shown.push({ ...row, isOpen, canOpen: under.length > 0 });
    if (!isOpen) continue;
    for (const part of [...under].reverse())
      left.push({ id: part.id, name: nameOf(part.id), calls: part.calls, ticks: part.ticks, part, key: `${row.key}/${part.id}`, depth: row.depth + 1 });
  }
  return shown;
}
