// callers.js - builds the inverted tree: each function with its self time, and its callers below.
//
// Each row of the call tree adds its own weight along its path, innermost function first. In a deep tree that would
// make many more frames than rows, most too thin to see. Frames are therefore expanded level by level, and only if they
// have enough weight: a share of the whole, or, below the zoomed frame, of that frame.

export const outside = -2; // a row above every function in focus
export const dropped = -1; // a row that is hidden, or below something hidden

/** The number of frames in the path of each row, without hidden parts and the callers of the focus. */
function pathLengths(tree, rule) {
  const length = new Int32Array(tree.length);
  length[0] = rule.focus.size > 0 ? outside : 0;
  for (let row = 1; row < tree.length; row++) {
    const above = length[tree.parent[row]];
    const fn = tree.fn[row];
    if (above === dropped || rule.hide.has(fn)) length[row] = dropped;
    else if (above === outside) length[row] = rule.focus.has(fn) ? 1 : outside;
    else length[row] = above + 1;
  }
  return length;
}

const aside = 0; // neither on the way to the zoomed frame nor below it
const onTheWay = 1;
const zoomed = 2; // the zoomed frame and everything below it

/**
 * Fills `frames`, which has only the root. `own` and `ticks` are the weight and time of each row of `tree` itself.
 * rule: { hide, merge, focus, collapse, zoom: path of the zoomed frame, least: share of the whole, or of the zoomed
 * frame, below which a frame's callers are not computed; 0 computes all }.
 */
export function growUp(frames, tree, own, ticks, rule) {
  const left = pathLengths(tree, rule); // frames left to add, per row
  const at = Int32Array.from({ length: tree.length }, (_, row) => row); // the row each row's path has reached
  const next = new Int32Array(tree.length).fill(-1); // the rows at a frame, as a chain
  const first = [-1];
  const side = [rule.zoom.length === 0 ? zoomed : onTheWay];

  const callsOf = (row) => (tree.calls[row] > 0 && !rule.merge.has(tree.fn[row]) ? tree.calls[row] : 0);

  function pass(row, node) {
    next[row] = first[node];
    first[node] = row;
    frames.weight[node] += own[row];
    frames.ticks[node] += ticks[row];
    frames.calls[node] += callsOf(row);
  }

  function sideOf(node) {
    const above = side[frames.parent[node]];
    const depth = frames.depth[node];
    if (above !== onTheWay) return above;
    if (frames.fn[node] !== rule.zoom[depth - 1]) return aside;
    return depth === rule.zoom.length ? zoomed : onTheWay;
  }

  for (let row = 1; row < tree.length; row++) {
    if (left[row] <= 0) continue;
    if (own[row] > 0) pass(row, 0);
    else frames.calls[0] += callsOf(row); // takes no time, but is counted
  }
  let zoomWeight = frames.weight[0];
  // Frames come after their callee, so a frame's weight is complete before its callers are computed.
  for (let node = 0; node < frames.count; node++) {
    if (side[node] === zoomed && frames.depth[node] === rule.zoom.length) zoomWeight = frames.weight[node];
    const measure = side[node] === zoomed ? zoomWeight : frames.weight[0];
    if (side[node] !== onTheWay && frames.weight[node] < rule.least * measure) continue;
    for (let row = first[node]; row >= 0; ) {
      const following = next[row];
      for (; left[row] > 0; left[row]--, at[row] = tree.parent[at[row]]) {
        const fn = tree.fn[at[row]];
        if (rule.merge.has(fn) || (rule.collapse && frames.above(node, fn) >= 0)) continue;
        const above = frames.add(node, fn);
        if (above === first.length) {
          first.push(-1);
          side.push(sideOf(above));
        }
        left[row]--;
        at[row] = tree.parent[at[row]];
        pass(row, above);
        break;
      }
      row = following;
    }
  }
}
