// builder.js - has flame graphs made by a thread beside the page.

import { Frames, ingredients } from './model/frames.js';

/** Answers build(profile, rule), which promises the frames that buildFrames (model/frames.js) would make now. */
export function createBuilder() {
  const worker = new Worker(new URL('./worker/frames.js', import.meta.url), {
    type: 'module',
    name: 'frames',
  });
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

  return (profile, rule) =>
    new Promise((resolve, reject) => {
      const { tree, samples, rankOf } = ingredients(profile, rule);
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      const columns = tree.weights();
      worker.postMessage(
        { id, from: { tree: columns, samples, rankOf }, rule },
        Object.values(columns)
          .filter(ArrayBuffer.isView)
          .map((cells) => cells.buffer),
      );
    });
}
