// frames.js - a thread that makes flame graphs and comparisons, so that the page never waits for one.

import { buffersOf } from '../model/buffers.js';
import { growComparison } from '../model/compare.js';
import { growFrames } from '../model/frames.js';

const tasks = {
  frames: (from, rule) => ({ frames: growFrames(from, rule), unit: rule.unit }),
  comparison: growComparison,
};

onmessage = ({ data: { id, task, from, rule } }) => {
  const { frames, unit } = tasks[task](from, rule);
  postMessage({ id, frames: { ...frames }, unit }, buffersOf(frames)); // of which widths are a column with another name
};
