// layout.js - which boxes of a flame graph are visible, and where.

export const narrowPx = 2.5; // a narrower frame is not drawn by itself

/**
 * The boxes between the weights `from` and `to` on `width` pixels, row by row (row 0 is the root): rows[r] = { node:
 * [], x: [], w: [], more: [] }, left to right. more = 0 is a frame; more = n is a mark for n adjacent frames too narrow
 * to draw, the first of which is `node`. Only rows firstRow ... lastRow are listed.
 */
export function visibleBoxes(frames, from, to, width, firstRow = 0, lastRow = Infinity) {
  const rows = [];
  const scale = width / (to - from);
  if (!(scale > 0) || !Number.isFinite(scale)) return rows;
  const stack = [0];
  const { start, weight, childFrom, order, depth } = frames;
  const rowOf = (r) => (rows[r] ??= { node: [], x: [], w: [], more: [] });

  function put(node, left, right, more) {
    const r = depth[node];
    if (r < firstRow) return;
    const row = rowOf(r);
    const x = Math.max((left - from) * scale, 0);
    row.node.push(node);
    row.x.push(x);
    row.w.push(Math.min((right - from) * scale, width) - x);
    row.more.push(more);
  }

  put(0, start[0], start[0] + weight[0], 0);
  while (stack.length > 0) {
    const parent = stack.pop();
    if (depth[parent] >= lastRow) continue;
    const end = childFrom[parent + 1];
    let i = firstVisible(frames, childFrom[parent], end, from);
    let run = -1;
    let runLeft = 0;
    let runRight = 0;
    let runCount = 0;
    const wide = [];
    for (; i < end; i++) {
      const node = order[i];
      const left = start[node];
      if (left >= to) break;
      const right = left + weight[node];
      if (weight[node] === 0) continue;
      if (weight[node] * scale < narrowPx) {
        if (run < 0) {
          run = node;
          runLeft = left;
          runCount = 0;
        }
        runRight = right;
        runCount++;
        continue;
      }
      if (run >= 0) put(run, runLeft, runRight, runCount);
      run = -1;
      put(node, left, right, 0);
      if (childFrom[node + 1] > childFrom[node]) wide.push(node);
    }
    if (run >= 0) put(run, runLeft, runRight, runCount);
    // Pushed from the right, so that the boxes of a row are popped from left to right.
    for (let k = wide.length - 1; k >= 0; k--) stack.push(wide[k]);
  }
  return rows;
}

/** The first child that ends right of `from`, by binary search: children adjoin. */
function firstVisible(frames, low, high, from) {
  const { start, weight, order } = frames;
  let a = low;
  let b = high;
  while (a < b) {
    const middle = (a + b) >> 1;
    const node = order[middle];
    if (start[node] + weight[node] <= from) a = middle + 1;
    else b = middle;
  }
  return a;
}

/** The index of the box of a row at x, or -1. */
export function boxAt(row, x) {
  if (row === undefined) return -1;
  let a = 0;
  let b = row.x.length - 1;
  while (a <= b) {
    const middle = (a + b) >> 1;
    // A narrow mark gets at least one pixel for the pointer.
    if (x < row.x[middle]) b = middle - 1;
    else if (x >= row.x[middle] + Math.max(row.w[middle], 1)) a = middle + 1;
    else return middle;
  }
  return -1;
}

const roomyPx = [40, 35, 30, 26]; // row heights in pixels, largest first
const usualPx = 30; // higher rows only where the list below leaves room
const roomyShare = 0.6; // of the window's height: the rest is for new rows

/** The height of each of `rows` rows where they may take `mostPx` together: `leastPx`, or more where there is room. Above 30, they take `sparePx` at most. */
export const roomyRowPx = (rows, mostPx, leastPx, sparePx = 0) =>
  roomyPx.find((px) => px > leastPx && rows * px <= (px > usualPx ? Math.min(sparePx, mostPx) : mostPx)) ?? leastPx;

/** The same in a window of `heightPx`. */
export const rowHeight = (rows, heightPx, leastPx) => roomyRowPx(rows, heightPx * roomyShare, leastPx);

export const rowCount = (frames) => frames.depthMost + 1;

/** The range of weights that shows `node` from edge to edge, or its part `span` = [a, b] (shares of 1). */
export function rangeOf(frames, node, span = [0, 1]) {
  const left = frames.start[node];
  const width = frames.weight[node];
  return [left + span[0] * width, left + span[1] * width];
}

/**
 * Zooms the range by `factor` (below 1: in) about the share `at` of it. A range larger than the zoomed frame moves the
 * zoom to the frame's caller. Returns the new { node, span }.
 */
export function zoomRange(frames, node, span, factor, at) {
  let [from, to] = rangeOf(frames, node, span);
  const all = frames.weight[0];
  const centre = from + (to - from) * at;
  const size = Math.min(Math.max((to - from) * factor, all * 1e-9), all);
  from = Math.min(Math.max(centre - size * at, 0), all - size);
  to = from + size;
  return settle(frames, node, from, to);
}

/** Moves the range sideways by `share` of its width. */
export function panRange(frames, node, span, share) {
  const [from, to] = rangeOf(frames, node, span);
  const size = to - from;
  const left = Math.min(Math.max(from + share * size, 0), frames.weight[0] - size);
  return settle(frames, node, left, left + size);
}

function settle(frames, node, from, to) {
  let at = node;
  const slack = (to - from) * 1e-9;
  while (at > 0 && (from < frames.start[at] - slack || to > frames.start[at] + frames.weight[at] + slack)) {
    at = frames.parent[at];
  }
  const width = frames.weight[at];
  if (width === 0) return { node: at, span: [0, 1] };
  const span = [Math.max((from - frames.start[at]) / width, 0), Math.min((to - frames.start[at]) / width, 1)];
  return { node: at, span: span[1] - span[0] > 1 - 1e-6 ? [0, 1] : span };
}

/**
 * The frame that an arrow key leads to: 'down' the heaviest callee, 'up' the caller, 'left' and 'right' the neighbour
 * of the same caller. The frame itself if there is none.
 */
export function neighbour(frames, node, direction) {
  if (direction === 'up') return Math.max(frames.parent[node], 0);
  if (direction === 'down') {
    let best = -1;
    for (let i = frames.childFrom[node]; i < frames.childFrom[node + 1]; i++) {
      const child = frames.order[i];
      if (best < 0 || frames.weight[child] > frames.weight[best]) best = child;
    }
    return best < 0 ? node : best;
  }
  if (node === 0) return 0;
  const parent = frames.parent[node];
  for (let i = frames.childFrom[parent]; i < frames.childFrom[parent + 1]; i++) {
    if (frames.order[i] !== node) continue;
    const to = direction === 'left' ? i - 1 : i + 1;
    return to >= frames.childFrom[parent] && to < frames.childFrom[parent + 1] ? frames.order[to] : node;
  }
  return node;
}
