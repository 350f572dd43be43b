// figures.js - what is known about one function in numbers, each with its term.

import { el, setAttr, setText } from '../../dom.js';
import { count, duration } from '../../model/format.js';
import { isAllIdle } from '../../model/idle.js';
import { isHeld, maxTip } from '../../model/longest.js';
import { depth } from '../../model/stack.js';

const timed = true;
/** By the figure's key: its term and meaning, and whether it is a time. */
const figures = {
  total_ticks: ['Total', 'With everything it calls', timed],
  self_ticks: ['Self', 'Without its callees', timed],
  corrected_total_ticks: ['≈ Total', 'Without the known cost of measuring', timed],
  corrected_self_ticks: ['≈ Self', 'Without the known cost of measuring', timed],
  samples: ['Samples', 'Times the sampling interrupt met the function'],
  calls: ['Calls', 'Completed calls'],
  mean_ticks: ['Mean', 'Of one call', timed],
  min_ticks: ['Min', 'Shortest call', timed],
  p50_ticks: ['p50', 'Half of the calls took no longer', timed],
  p99_ticks: ['p99', '99 of 100 calls took no longer', timed],
  max_ticks: ['Max', 'Longest call', timed],
  stddev_ticks: ['Std dev', 'Standard deviation of the times of calls, as near as the histogram allows', timed],
  period_mean_ticks: ['Period', 'From the start of a call to that of the next in the same context, on average', timed],
  period_jitter_ticks: ['Jitter', 'Standard deviation of these times', timed],
  period_min_ticks: ['Period, min', 'Shortest time from start to start', timed],
  period_max_ticks: ['Period, max', 'Longest time from start to start; none is across a loss, a reset or a stop', timed],
  frame_bytes: ['Frame', 'Bytes of the stack that a call takes, from the ELF'],
  stack_bytes: ['Stack', 'Bytes of the deepest stack seen from here on, own frame included; ≥ where not all frames are known'],
};

/** `lead()` goes to the longest call. */
export function createFigures(lead) {
  const root = el('dl', { class: 'stats' });
  const shown = Object.entries(figures).map(([key, [term, tip, isTime]]) => {
    const isMax = key === 'max_ticks';
    const go = { type: 'button', class: 'button small', onclick: lead };
    const value = isMax ? el('button', go) : el('dd');
    const figure = el('div', { title: tip }, el('dt', {}, term), isMax ? el('dd', {}, value) : value);
    root.append(figure);
    return { key, isTime, figure, value };
  });
  return {
    root,
    /** `fn` is a row of functions; what it lacks is left out; `time` as model/time.js has it; `longest`: its longest call, null: not known. */
    show(fn, time, longest = null) {
      const { ticksPerSecond } = time;
      for (const { key, isTime, figure, value } of shown) {
        figure.hidden = fn[key] === null || fn[key] === undefined;
        if (key === 'max_ticks') {
          value.disabled = longest === null || !isHeld(longest);
          setAttr(value, 'title', maxTip(longest, time));
        }
        const words = key.endsWith('_bytes') ? depth(fn[key], key === 'stack_bytes' ? fn.stack_unknown : 0) : count(fn[key]);
        const isIdle = key.endsWith('self_ticks') && isAllIdle(fn);
        setText(value, isIdle ? 'idle' : isTime ? duration(fn[key], ticksPerSecond) : words);
      }
    },
  };
}
