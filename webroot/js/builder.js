// builder.js - has flame graphs made by a thread beside the page, which starts when this file is loaded.

import { Frames, ingredients } from './model/frames.js';

const worker = new Worker(new URL('./worker/frames.js', import.meta.url), { type: 'module', name: 'frames' });
const waiting = new Map(); // id -> { resolve, reject }
let lastId = 0;

worker.onmessage = ({ data: { id, frames } }) => {
  waiting.get(id).resolve(Frames.revive(frames));
  waiting.delete(id);
};
worker.onerror = (event) => {
  for (const { reject } of waiting.values()) reject(new Error(event.message ?? 'The thread did not start.'));
  waiting.clear();
};

/** Promises the frames that buildFrames (model/frames.js) would make of the profile now. */
export function buildBeside(profile, rule) {
  return new Promise((resolve, reject) => {
    const { tree, samples, rankOf } = ingredients(profile, rule);
    const id = ++lastId;
    waiting.set(id, { resolve, reject });
    const columns = tree.weights();
    const buffers = Object.values(columns).filter(ArrayBuffer.isView);
    worker.postMessage(
      { id, from: { tree: columns, samples, rankOf }, rule },
      buffers.map((cells) => cells.buffer),
    );
  });
}
