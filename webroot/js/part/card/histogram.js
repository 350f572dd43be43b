// histogram.js - the durations or periods of a function as bars, which link to a call, and its longest calls.

import { el, setAttr, setText } from '../../dom.js';
import { duration } from '../../model/format.js';
import { barWords, histogramBars, spreadOf } from '../../model/histogram.js';
import { isHeld, tip, words as callWords } from '../../model/longest.js';
import { createChoice } from '../choice.js';

const [bars, longestMost] = [44, 8];
const percentiles = ['p50', 'p90', 'p99'];
const [labelPx, labelRowPx] = [26, 14]; // the size of a percentile's label

/**
 * `switched()` is called when durations or periods are selected, null if there are no periods; `lead(call)` goes to a
 * call on the timeline; `nameOf(id)` is a function's name.
 */
export function createHistogram(switched, lead, nameOf) {
  const plot = el('div', { class: 'histogram-plot', role: 'group' });
  const columns = Array.from({ length: bars }, () => {
    const fill = el('span');
    const column = { fill, call: null };
    const go = () => column.call !== null && isHeld(column.call) && lead(column.call);
    column.bar = el('button', { type: 'button', class: 'histogram-bar', tabindex: '-1', onclick: go }, fill);
    plot.append(column.bar);
    return column;
  });
  const marks = percentiles.map((name) => {
    const mark = el('span', { class: 'histogram-mark' }, el('span', {}, name));
    plot.append(mark);
    return mark;
  });
  const low = el('span');
  const high = el('span');
  const none = el('p', { class: 'edges-none' });
  const tallest = el('span');
  const axis = el('div', { class: 'histogram-axis', 'aria-hidden': 'true' }, low, tallest, high);
  const longest = el('ul', { class: 'longest-calls' });
  const parts = { plot, columns, marks, low, high, tallest, none, axis, longest, lead, nameOf, linear: false, of: 'duration', shown: null };
  const scale = createChoice('Axis', [['log', 'Log', 'Each bar is wider than the one before'], ['linear', 'Linear', 'All bars are as wide']], (value) => {
    parts.linear = value === 'linear';
    scale.show(value);
    if (parts.shown !== null) show(parts, ...parts.shown);
  });
  scale.show('log');
  const of = createChoice('What is counted', [['duration', 'Duration', 'How long each call took'], ['period', 'Period', 'From the start of a call to that of the next']], (value) => choose(value));
  const choose = (value) => {
    parts.of = value;
    of.show(value);
    switched();
    if (parts.shown !== null) show(parts, ...parts.shown);
  };
  of.show('duration');
  of.root.hidden = switched === null;
  parts.title = el('h2', { class: 'part-title' });
  const title = el('div', { class: 'histogram-head' }, parts.title, of.root, scale.root);
  return {
    /** True when `periodSpread`, the daemon's answer on periods, is to be shown. */
    get wantsPeriods() {
      return parts.of === 'period';
    },
    /** Switches between durations and periods; false if there are no periods. */
    turn: () => (switched === null ? false : choose(parts.of === 'period' ? 'duration' : 'period')),
    root: el('section', { class: 'histogram' }, title, plot, axis, longest, none),
    /** fn: { histogram, examples, longest (as the daemon sends them), p50_ticks, p90_ticks, p99_ticks, periodSpread (null: not known yet), isOfRange }; `moments` as model/time.js has them */
    show: (fn, moments) => show(parts, fn, moments),
  };
}

function show(parts, fn, moments) {
  const { plot, axis, none, low, high } = parts;
  parts.shown = [fn, moments];
  const { ticksPerSecond } = moments;
  const { linear } = parts;
  const spread = spreadOf(fn, parts.of, ticksPerSecond);
  const list = histogramBars(spread.histogram, bars, { linear, examples: spread.examples });
  setText(parts.title, spread.title);
  setText(none, spread.note);
  showLongest(parts, spread, moments);
  plot.hidden = axis.hidden = list.length === 0;
  none.hidden = spread.note === '';
  if (list.length === 0) return;
  const time = (ticks) => duration(ticks, ticksPerSecond);
  const [least, most] = [time(list[0].low), time(list.at(-1).high - 1)];
  showBars(parts.columns, list, spread, moments);
  showMarks(parts, list, spread, time);
  setText(parts.tallest, `tallest: ${spread.many(Math.max(...list.map((bar) => bar.count)))}`);
  setText(low, least);
  setText(high, most);
  setAttr(
    plot,
    'aria-label',
    `${spread.title} from ${least} to ${most}; half of the ${spread.those} ` +
      `${time(spread.p50_ticks)} or less, 99 of 100 ${time(spread.p99_ticks)} or less.`,
  );
}

function showBars(columns, list, spread, moments) {
  columns.forEach((column, i) => {
    column.bar.hidden = i >= list.length;
  });
  const most = Math.max(...list.map((bar) => bar.count));
  list.forEach((bar, i) => {
    // A bar with few calls is at least two pixels high.
    const { fill, bar: button } = columns[i];
    columns[i].call = bar.call;
    fill.style.height = bar.count > 0 ? `max(2px, ${((bar.count / most) * 100).toFixed(1)}%)` : '0';
    const [words, more] = barWords(bar, spread, moments);
    setAttr(button, 'title', words + more);
    setAttr(button, 'aria-label', words);
    setAttr(button, 'disabled', bar.call !== null && isHeld(bar.call) ? null : '');
  });
}

/** Lists the longest calls or periods, with links to those on the timeline. */
function showLongest({ longest, lead, nameOf }, { listed, longest: calls }, moments) {
  const key = JSON.stringify([listed, calls, moments.ticksPerSecond, moments.zero, moments.isClock]);
  if (longest.dataset.key === key) return;
  longest.dataset.key = key;
  const entry = (call) => {
    const [words, title] = [callWords(call, moments), tip(call, nameOf)];
    if (!isHeld(call)) return el('li', { class: 'longest-gone', title }, `${words}, no longer buffered`);
    return el('li', {}, el('button', { type: 'button', class: 'button small', title, onclick: () => lead(call) }, words));
  };
  longest.replaceChildren(...(calls.length > 0 ? [el('li', {}, listed)] : []), ...calls.slice(0, longestMost).map(entry));
}

function showMarks({ marks, plot, linear }, list, fn, time) {
  const to = linear ? (x) => x : Math.log1p;
  const first = to(list[0].low);
  const all = to(list.at(-1).high) - first;
  let before = { end: -Infinity, row: 0 }; // the last label drawn: its right end in px, and its row
  percentiles.forEach((name, i) => {
    const ticks = fn[`${name}_ticks`];
    const at = ticks === null || ticks === undefined ? NaN : (to(ticks) - first) / all;
    marks[i].hidden = !(at >= 0 && at <= 1);
    marks[i].style.left = `${(at * 100).toFixed(2)}%`;
    const x = Math.min(at * plot.clientWidth, plot.clientWidth - labelPx); // the last label stays inside
    marks[i].firstChild.style.left = `${x - at * plot.clientWidth + 3}px`;
    const row = x < before.end ? before.row + 1 : 0; // labels do not overlap
    marks[i].firstChild.style.top = `${row * labelRowPx - 1}px`;
    if (!marks[i].hidden) before = { end: x + labelPx, row };
    setAttr(marks[i], 'title', `${name}: ${time(ticks)}`);
  });
}
