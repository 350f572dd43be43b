// edges.js - who calls a function and whom it calls, from the call tree: what the daemon's
// /api/v1/functions/ID answers to the live page.

const sortedRows = (rows) => [...rows.values()].sort((a, b) => b.total_ticks - a.total_ticks || a.id - b.id);

/**
 * { callers, callees } of function `id`: rows { id, name, calls, total_ticks }. The time of a call inside
 * another one over the same edge is in that one already, and not counted again.
 */
export function edgesOf(profile, id) {
  const { length, parent, fn, calls, total } = profile.tree;
  const callers = new Map();
  const callees = new Map();

  function add(rows, other, count, ticks) {
    const row = rows.get(other) ?? { id: other, name: profile.functions[other].name, calls: 0, total_ticks: 0 };
    row.calls += count;
    row.total_ticks += ticks;
    rows.set(other, row);
  }

  function isInside(node, same) {
    for (let at = parent[node]; at > 0; at = parent[at]) if (same(at)) return true;
    return false;
  }

  for (let node = 1; node < length; node++) {
    if (!(calls[node] > 0) && !(total[node] > 0)) continue;
    const caller = fn[parent[node]];
    if (fn[node] === id && caller >= 0)
      add(callers, caller, calls[node], isInside(node, (at) => fn[at] === id) ? 0 : total[node]);
    if (caller === id) {
      const inner = isInside(node, (at) => fn[at] === fn[node] && fn[parent[at]] === id);
      add(callees, fn[node], calls[node], inner ? 0 : total[node]);
    }
  }
  return { callers: sortedRows(callers), callees: sortedRows(callees) };
}
