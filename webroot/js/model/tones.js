// tones.js - the colours of a flame graph's frames: each has its function's hue, and where neighbours have the same
// hue, another tone of it than they.

import { placeIn, toneBeside } from './colour.js';
import { isPlaceholder } from './placeholder.js';

/**
 * Places in the palette, one for each of `frames`: never that of the caller or of the frame on the left. What has no colour of its own (the whole,
 * contexts, placeholders) has -1. `by` is as in colourOf().
 */
export function tonesOf(frames, functions, by) {
  const own = functions.map((fn) => (fn && !isPlaceholder(fn) ? placeIn(fn, by) : -1));
  const tones = new Int8Array(frames.count).fill(-1);
  const lastOf = []; // by depth: the frame of that row that is furthest right so far
  const stack = [0];
  while (stack.length > 0) {
    const node = stack.pop();
    const { parent, depth, fn, start, weight, childFrom, order } = frames;
    const place = own[fn[node]] ?? -1;
    const left = lastOf[depth[node]];
    const touches = left !== undefined && start[left] + weight[left] >= start[node];
    if (place >= 0) tones[node] = toneBeside(place, tones[parent[node]] ?? -1, touches ? tones[left] : -1);
    lastOf[depth[node]] = node;
    for (let i = childFrom[node + 1] - 1; i >= childFrom[node]; i--) if (weight[order[i]] > 0) stack.push(order[i]);
  }
  return tones;
}
