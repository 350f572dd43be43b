// frames.js - a thread that makes flame graphs and comparisons, so that the page never waits for one.

import { growComparison } from '../model/compare.js';
import { growFrames } from '../model/frames.js';

const tasks = {
  frames: (from, rule) => ({ frames: growFrames(from, rule), unit: rule.unit }),
  comparison: growComparison,
};

onmessage = ({ data: { id, task, from, rule } }) => {
  const { frames, unit } = tasks[task](from, rule);
  // Widths are a column that has a name of its own, too, and no buffer may be handed over twice.
  const buffers = new Set(
    Object.values(frames)
      .filter(ArrayBuffer.isView)
      .map((cells) => cells.buffer),
  );
  postMessage({ id, frames: { ...frames }, unit }, [...buffers]);
};
