// reader.js - the daemon's stream and snapshots, read by a thread beside the page. What a large profile takes to be read
// is more than a frame may take; so the page gets its call tree as typed arrays, and only keeps it.

import { ApiError } from './api.js';

/**
 * Opens the stream; `on` is what openEvents (api.js) wants. Answers { fetchSnapshot }, which does what that of api.js
 * does.
 */
export function openReader(on) {
  const worker = new Worker(new URL('./worker/reader.js', import.meta.url), {
    type: 'module',
    name: 'reader',
  });
  const waiting = new Map(); // id -> { resolve, reject }
  let lastId = 0;

  worker.onmessage = ({ data: { event, data, id, answer, error } }) => {
    if (event !== undefined) {
      on[event](data);
      return;
    }
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new ApiError(error.status, error.title, error.message));
    else resolve(answer);
  };
  worker.onerror = () => on.down();

  return {
    fetchSnapshot: (range = null, signal = undefined) =>
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        worker.postMessage({ id, range });
        signal?.addEventListener('abort', () => worker.postMessage({ id, stop: true }));
      }),
  };
}
