// frames.js - a thread that makes flame graphs, so that the page never waits for one.

import { growFrames } from '../model/frames.js';

onmessage = ({ data: { id, from, rule } }) => {
  const frames = growFrames(from, rule);
  const buffers = Object.values(frames)
    .filter(ArrayBuffer.isView)
    .map((cells) => cells.buffer);
  postMessage({ id, frames: { ...frames } }, buffers);
};
