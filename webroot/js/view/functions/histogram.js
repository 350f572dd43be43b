// histogram.js - how long the calls of a function took, as bars on a logarithmic axis.

import { el, setAttr, setText } from '../../dom.js';
import { duration, plural } from '../../model/format.js';
import { histogramBars } from '../../model/histogram.js';

const bars = 44;
const percentiles = ['p50', 'p90', 'p99'];
const [labelPx, labelRowPx] = [26, 14]; // what the label of a percentile takes

export function createHistogram() {
  const plot = el('div', { class: 'histogram-plot', role: 'img' });
  const columns = Array.from({ length: bars }, () => {
    const fill = el('span');
    plot.append(el('span', { class: 'histogram-bar' }, fill));
    return fill;
  });
  const marks = percentiles.map((name) => {
    const mark = el('span', { class: 'histogram-mark' }, el('span', {}, name));
    plot.append(mark);
    return mark;
  });
  const low = el('span');
  const high = el('span');
  const none = el('p', { class: 'edges-none' }, 'No completed call has been timed.');
  const axis = el('div', { class: 'histogram-axis', 'aria-hidden': 'true' }, low, high);
  const parts = { plot, columns, marks, low, high, none, axis };
  const title = el('h2', { class: 'part-title' }, 'Durations');
  return {
    root: el('section', { class: 'histogram' }, title, plot, axis, none),
    /** fn: { histogram (as the daemon tells it), p50_ticks, p90_ticks, p99_ticks } */
    show: (fn, ticksPerSecond) => show(parts, fn, ticksPerSecond),
  };
}

function show(parts, fn, ticksPerSecond) {
  const { plot, axis, none, low, high } = parts;
  const list = histogramBars(fn.histogram, bars);
  plot.hidden = axis.hidden = list.length === 0;
  none.hidden = list.length > 0;
  if (list.length === 0) return;
  const time = (ticks) => duration(ticks, ticksPerSecond);
  const [least, most] = [time(list[0].low), time(list.at(-1).high - 1)];
  showBars(parts.columns, list, time);
  showMarks(parts, list, fn, time);
  setText(low, least);
  setText(high, most);
  setAttr(
    plot,
    'aria-label',
    `Durations from ${least} to ${most}; half of the calls took ` +
      `${time(fn.p50_ticks)} or less, 99 of 100 took ${time(fn.p99_ticks)} or less.`,
  );
}

function showBars(columns, list, time) {
  columns.forEach((column, i) => {
    column.parentElement.hidden = i >= list.length;
  });
  const most = Math.max(...list.map((bar) => bar.count));
  list.forEach((bar, i) => {
    // Few calls are still calls: what is not nothing is at least a pixel or two high.
    columns[i].style.height = bar.count > 0 ? `max(2px, ${((bar.count / most) * 100).toFixed(1)}%)` : '0';
    const words = `${time(bar.low)} to ${time(bar.high)}: ${plural(Math.round(bar.count), 'call')}`;
    setAttr(columns[i].parentElement, 'title', words);
  });
}

function showMarks({ marks, plot }, list, fn, time) {
  const first = Math.log1p(list[0].low);
  const all = Math.log1p(list.at(-1).high) - first;
  let before = { end: -Infinity, row: 0 }; // of the label drawn last: where it ends in px, and its row
  percentiles.forEach((name, i) => {
    const ticks = fn[`${name}_ticks`];
    const at = ticks === null || ticks === undefined ? NaN : (Math.log1p(ticks) - first) / all;
    marks[i].hidden = !(at >= 0 && at <= 1);
    marks[i].style.left = `${(at * 100).toFixed(2)}%`;
    const x = at * plot.clientWidth;
    const row = x < before.end ? before.row + 1 : 0; // a label does not cover the one before
    marks[i].firstChild.style.top = `${row * labelRowPx - 1}px`;
    if (!marks[i].hidden) before = { end: x + labelPx, row };
    setAttr(marks[i], 'title', `${name}: ${time(ticks)}`);
  });
}
