// frames.js - a worker thread that builds flame graphs and comparisons, so that they never block the page.

import { buffersOf } from '../model/buffers.js';
import { growComparison } from '../model/compare.js';
import { growFrames } from '../model/frames.js';

const tasks = {
  frames: (from, rule) => ({ frames: growFrames(from, rule), unit: rule.unit }),
  comparison: growComparison,
};

onmessage = ({ data: { id, task, from, rule } }) => {
  const { frames, unit } = tasks[task](from, rule);
  postMessage({ id, frames: { ...frames }, unit }, buffersOf(frames)); // widths are the same array as another column
};
