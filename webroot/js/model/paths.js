// paths.js - who called a function and who called those, and what it called and what that called: two trees, worked out
// as far as they are opened.
//
// Below a caller stand its callers on the ways that led to the function, and the figures are the function's own: of its calls,
// and of the time in which they ran. Below a callee stands what it called when the function had called it. Recursion: a call
// inside another one (of the function, among callers; on the same way, among callees) is in that one's time already, and counts
// as a call only. So callers add up to the function, as in edges.js.

/** Children of each row of the call tree as chains: the first one, and the next beside each. */
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

/** Parts found by function: what of `rows` counts, and `next`, from where it goes on. Time inside a row of `within`, else of the part, is left out. */
function parts(tree, groups, within = null) {
  const found = [];
  for (const [id, { rows, next }] of groups) {
    const held = within ?? new Set(rows);
    let [calls, ticks] = [0, 0];
    for (const row of rows) {
      calls += positive(tree.calls[row]);
      if (tree.total[row] > 0 && !isInside(tree, row, held)) ticks += tree.total[row];
    }
    // Rows that have moved elsewhere stay behind empty.
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
 * The two trees of function `id`. A part is { id, calls, ticks, rows, next }; `callers(part)` and `callees(part)` answer the
 * parts below it, the heaviest first, those of the function itself without one. Rows are the tree's as it is now.
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
 * The rows of a tree that are shown: `roots` are { id, name, calls, ticks, own }, `below(part)` answers parts or [], the roots' for
 * their `part`; `opened` has the keys of those that are open. Each is { ...root, key, depth, isOpen, canOpen }.
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
