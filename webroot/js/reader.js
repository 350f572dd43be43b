// reader.js - has a worker thread read the daemon's stream, snapshots and timeline calls. Parsing a large profile takes
// longer than a frame, so the page receives columns of numbers as typed arrays.
//
// The thread starts when this file is loaded, which index.html does first, so that the snapshot is on its way while the
// page is put together. Events wait until openReader() is called.

import { ApiError } from './api.js';
import { withPieces } from './model/pieces.js';

const worker = new Worker(new URL('./worker/reader.js', import.meta.url), { type: 'module', name: 'reader' });
const early = [];
worker.onmessage = ({ data }) => early.push(data);

/**
 * Hands what the stream sends to `on`, which is what openEvents (api.js) wants. Answers { fetchSnapshot,
 * fetchTimeline }, which do what those of api.js do, and more(), which takes another delta: until then they join. To be called once.
 */
export function openReader(on) {
  const waiting = new Map(); // id -> { resolve, reject }
  let lastId = 0;
  let isOwed = false; // true: a delta came, and more() was not called since
  let pieces = []; // rows of the next delta

  function take({ rows, event, data, id, answer, error }) {
    if (rows !== undefined) {
      pieces.push(rows);
      return;
    }
    if (event !== undefined) {
      isOwed ||= event === 'delta';
      const whole = withPieces(pieces, data);
      pieces = [];
      on[event](whole);
      return;
    }
    const { resolve, reject } = waiting.get(id);
    waiting.delete(id);
    if (error) reject(new ApiError(error.status, error.title, error.message));
    else resolve(answer);
  }

  worker.onmessage = ({ data }) => take(data);
  worker.onerror = () => on.down();
  early.splice(0).forEach(take);

  function fetchBeside(ask, about, signal) {
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, ask, about });
      signal?.addEventListener('abort', () => worker.postMessage({ id, stop: true }));
    });
  }

  return {
    more() {
      if (isOwed) worker.postMessage({ more: true });
      isOwed = false;
    },
    fetchSnapshot: (range = null, signal = undefined) => fetchBeside('snapshot', [range], signal),
    fetchTimeline: (range, max, signal = undefined, columns = 0) => fetchBeside('timeline', [range, max, columns], signal),
  };
}
