// builder.js - has a worker thread build flame graphs and comparisons; the thread starts when this file is loaded.

import { buffersOf } from './model/buffers.js';
import { comparisonIngredients } from './model/compare.js';
import { Frames, ingredients } from './model/frames.js';

const worker = new Worker(new URL('./worker/frames.js', import.meta.url), { type: 'module', name: 'frames' });
const waiting = new Map(); // id -> { resolve, reject }
let lastId = 0;

worker.onmessage = ({ data: { id, frames, unit } }) => {
  waiting.get(id).resolve({ frames: Frames.revive(frames), unit });
  waiting.delete(id);
};
worker.onerror = (event) => {
  for (const { reject } of waiting.values()) reject(new Error(event.message ?? 'The thread did not start.'));
  waiting.clear();
};

/** The ingredients with a copy of the tree, since buffers transferred to the thread are lost here. */
const withCopy = (from) => ({ ...from, tree: from.tree.weights() });

function order(task, from, rule, buffers) {
  return new Promise((resolve, reject) => {
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, task, from, rule }, buffers);
  });
}

/** Promises the frames of the present profile, as of buildFrames (model/frames.js). */
export async function buildBeside(profile, rule) {
  const from = withCopy(ingredients(profile, rule));
  return (await order('frames', from, rule, buffersOf(from.tree))).frames;
}

/** Promises the result of growComparison (model/compare.js) for the present profiles: { frames, unit }. */
export function compareBeside(aligned, before, after, rule) {
  const from = comparisonIngredients(aligned, before, after, rule);
  const sides = { before: withCopy(from.before), after: withCopy(from.after) };
  return order('comparison', { ...from, ...sides }, rule, [...buffersOf(sides.before.tree), ...buffersOf(sides.after.tree)]);
}
