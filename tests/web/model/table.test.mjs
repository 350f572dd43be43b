// The Functions table and the figures beside it.

import assert from 'node:assert/strict';
import test from 'node:test';

import { barWords, histogramBars, spreadOf } from '../../../webroot/js/model/histogram.js';
import { better, maxTip, tip, words } from '../../../webroot/js/model/longest.js';
import {
  columnsFor,
  columnsOf,
  filterRows,
  functionRows,
  sortedColumn,
  sortRows,
} from '../../../webroot/js/model/table.js';
import { placeOfCall } from '../../../webroot/js/model/range.js';
import { largest, sidewaysTo, SteadyOrder, windowRows } from '../../../webroot/js/model/rows.js';
import { matcher } from '../../../webroot/js/model/search.js';
import { timeOf } from '../../../webroot/js/model/time.js';
import { periodsOf } from '../mock-histogram.mjs';
import { dice, figures, folded, forSeeds, simulated } from './support.mjs';

const names = (rows) => rows.map((row) => row.fn.name);

test('bars are as wide as their share of the largest figure; unknown ones are ignored', () => {
  const of = (row) => row.x;
  assert.equal(largest([{ x: 0.02 }, { x: null }, { x: 0.4 }], of), 0.4);
  assert.equal(largest([{ x: null }], of), 0);
  assert.equal(largest([], of), 0);
});

test('shares are of all self time, and self shares add up to 1', () => {
  const rows = functionRows(folded('main 25', 'main;a 75'));
  assert.deepEqual(
    rows.map((row) => [row.selfShare, row.totalShare]),
    [
      [0.25, 1],
      [0.75, 0.75],
    ],
  );
  const sum = functionRows(simulated(1)).reduce((all, row) => all + row.selfShare, 0);
  assert.ok(Math.abs(sum - 1) < 1e-9);
});

test('sorting by any column is a permutation in the order asked for, unknown values last', () => {
  forSeeds(5, (seed) => {
    const roll = dice(seed);
    const profile = simulated(seed, 4);
    for (const fn of profile.functions) if (roll() < 0.2) fn.mean_ticks = fn.max_ticks = null;
    const rows = functionRows(profile);
    for (const column of columnsOf(figures)) {
      for (const rising of [true, false]) {
        const sorted = sortRows(rows, column, rising);
        assert.deepEqual(new Set(sorted), new Set(rows));
        if (!column.of) continue;
        const values = sorted.map(column.of);
        const firstUnknown = values.indexOf(null) < 0 ? values.length : values.indexOf(null);
        assert.ok(values.slice(firstUnknown).every((value) => value === null));
        for (let i = 1; i < firstUnknown; i++)
          assert.ok(rising ? values[i - 1] <= values[i] : values[i - 1] >= values[i]);
      }
    }
  });
});

test('functions that have never run are left out', () => {
  const profile = folded('main 5');
  profile.functions.push({ id: 1, name: 'never', calls: 0, total_ticks: 0, self_ticks: 0, samples: 0 });
  assert.deepEqual(names(functionRows(profile)), ['main']);
});

test('the filter keeps rows of functions that match, and all for an empty search', () => {
  const rows = functionRows(folded('main 1', 'a 1', 'b 1'));
  assert.deepEqual(names(filterRows(rows, matcher('a'))), ['main', 'a']);
  assert.equal(filterRows(rows, matcher('')).length, 3);
});

test('a placeholder of which nothing is known is left out, a function whose calls are not known is not', () => {
  const profile = folded('main 5');
  const unknown = { calls: null, total_ticks: null, self_ticks: null, samples: null };
  profile.functions.push({ id: 1, kind: 'running', name: '[depth 0 running]', ...unknown, calls: 0, total_ticks: 0, self_ticks: 0 }, { id: 2, kind: 'function', name: 'f', ...unknown });
  assert.deepEqual(names(functionRows(profile)), ['main', 'f']);
});

test('columns without any value are left out, and sorting falls back to another', () => {
  const profile = folded('main 1');
  const ids = () => columnsFor(figures, functionRows(profile)).map((column) => column.id);
  const by = (wanted) => sortedColumn(columnsFor(figures, functionRows(profile)), wanted).id;
  for (const there of ['self', 'selfShare', 'total', 'calls']) assert.ok(ids().includes(there), there);
  for (const absent of ['samples', 'sampleShare', 'p50', 'p99']) assert.ok(!ids().includes(absent), absent);
  assert.equal(by('self'), 'self');
  assert.equal(by('p99'), 'self');
  const unknown = { calls: 3, total_ticks: null, self_ticks: null };
  profile.samples = { hz: 1000, total: 8 };
  profile.functions = [
    { id: 0, name: 'main', ...unknown, samples: 6 },
    { id: 1, name: 'leaf', ...unknown, samples: 2 },
  ];
  assert.deepEqual(ids(), ['name', 'samples', 'sampleShare', 'calls']);
  assert.equal(by('self'), 'samples');
  assert.deepEqual(
    functionRows(profile).map((row) => row.sampleShare),
    [0.75, 0.25],
  );
});

test('an order rests for its time, but not when something else is asked for', () => {
  const order = new SteadyOrder((row) => row.id, 1000);
  const by = (list) => [...list].sort((a, b) => b.n - a.n);
  const a = { id: 'a', n: 1 };
  const b = { id: 'b', n: 2 };
  const ids = (rows, key, at) => order.arrange(rows, key, at, by).map((row) => row.id);
  assert.deepEqual(ids([a, b], 'k', 0), ['b', 'a']);
  a.n = 3;
  assert.deepEqual(ids([a, b], 'k', 900), ['b', 'a']);
  assert.deepEqual(ids([a, b], 'other', 950), ['a', 'b']);
  b.n = 4;
  assert.deepEqual(ids([a, b], 'other', 2000), ['b', 'a']);
  assert.deepEqual(ids([a, b, { id: 'c', n: 9 }], 'other', 2001), ['c', 'b', 'a']);
});

test('the window of a long table has the visible rows and few more', () => {
  assert.deepEqual(windowRows(5000, 20, 2000, 400), { first: 92, last: 128 });
  assert.deepEqual(windowRows(5, 20, 0, 400), { first: 0, last: 5 });
  assert.deepEqual(windowRows(0, 20, 900, 400), { first: 0, last: 0 });
  const { first, last } = windowRows(10, 20, 99999, 400);
  assert.ok(first <= last && last === 10);
});

test('histogram bars hold every call and cover the range without a gap', () => {
  forSeeds(50, (seed) => {
    const roll = dice(seed);
    const histogram = { low: [], high: [], count: [] };
    let edge = Math.floor(roll() * 1000);
    for (let i = 0; i < 1 + roll() * 60; i++) {
      edge += Math.floor(roll() * 50);
      histogram.low.push(edge);
      edge += Math.floor(edge * 0.02 * roll());
      histogram.high.push(edge++);
      histogram.count.push(1 + Math.floor(roll() * 100));
    }
    const bars = histogramBars(histogram, 40);
    const sum = (list) => list.reduce((all, x) => all + x, 0);
    assert.ok(Math.abs(sum(bars.map((bar) => bar.count)) - sum(histogram.count)) < 1e-6);
    for (let i = 1; i < bars.length; i++) assert.equal(bars[i].low, bars[i - 1].high);
    assert.ok(bars.length <= 40);
    assert.equal(bars[0].low, histogram.low[0]);
    assert.equal(bars.at(-1).high, histogram.high.at(-1) + 1);
  });
  assert.deepEqual(histogramBars({ low: [], high: [], count: [] }, 10), []);
});

test('a table scrolls sideways no further than it must to make a column visible beside the names', () => {
  const window = { at: 0, width: 390, covered: 168 };
  assert.equal(sidewaysTo({ left: 168, width: 78 }, window), 0);
  assert.equal(sidewaysTo({ left: 900, width: 78 }, window), 588);
  assert.equal(sidewaysTo({ left: 246, width: 78 }, { ...window, at: 588 }), 78, 'it is not below the names');
  assert.equal(sidewaysTo({ left: 700, width: 78 }, { ...window, at: 500 }), 500, 'it is visible');
  assert.equal(sidewaysTo({ left: 0, width: 168 }, { ...window, at: 500, covered: 0 }), 0);
  assert.equal(sidewaysTo({ left: 500, width: 300 }, window), 332, 'its beginning, where it is too wide');
  const edges = [0, 168, 268, 368, 468, 568, 668];
  assert.equal(sidewaysTo({ left: 568, width: 100 }, { ...window, edges }), 300, 'the one beside the names is whole: 278 would cover a part of it');
  assert.equal(sidewaysTo({ left: 568, width: 200 }, { ...window, edges }), 400, 'also where only it itself has room');
  assert.equal(sidewaysTo({ left: 268, width: 100 }, { ...window, edges, at: 20 }), 20, 'nothing moves that need not');
});

test('bars of either axis hold all calls, and lead to the longest of theirs that is held', () => {
  const histogram = { low: [10, 20, 900], high: [19, 29, 999], count: [4, 6, 1] };
  const call = (duration) => ({ start: 5, duration, context: 0, depth: 1 });
  const examples = [call(12), null, call(950)];
  for (const linear of [false, true]) {
    const bars = histogramBars(histogram, 10, { linear, examples });
    assert.ok(Math.abs(bars.reduce((sum, bar) => sum + bar.count, 0) - 11) < 1e-9);
    assert.equal(bars[0].call.duration, 12);
    assert.equal(bars.at(-1).call.duration, 950);
    const widths = bars.map(({ low, high }) => high - low);
    assert.equal(Math.max(...widths) - Math.min(...widths) < 1e-6, linear);
  }
});

test('there are no more bars than buckets can tell apart: one call is one bar', () => {
  for (const linear of [false, true]) {
    assert.deepEqual(histogramBars({ low: [65536], high: [67583], count: [1] }, 44, { linear }).map(({ low, high, count }) => [low, high, count]), [[65536, 67584, 1]]);
    assert.deepEqual(histogramBars({ low: [1024, 1056], high: [1055, 1087], count: [3, 1] }, 44, { linear }).map(({ count }) => Math.round(count)), [3, 1]);
    assert.equal(histogramBars({ low: [5, 65536], high: [5, 67583], count: [3, 1] }, 44, { linear }).length, 44);
  }
});

test('a range has a note that calls count with their part inside', () => {
  const note = (more) => spreadOf({ histogram: { low: [1], high: [1], count: [1] }, ...more }, 'duration', 1000).note;
  assert.match(note({ isOfRange: true }), /the part inside counts/);
  assert.equal(note({ isOfRange: false }), '');
  assert.match(note({ isOfRange: true, histogram: null }), /^No completed call/);
});

test('durations and periods are shown by the same bars, each in its words', () => {
  const histogram = { low: [10, 20], high: [19, 29], count: [4, 6] };
  const longest = [{ start: 1, duration: 29, context: 0, depth: 0 }];
  const fn = { histogram, examples: [null, null], longest, p50_ticks: 21, p99_ticks: 29, calls: 10, periods: 3, periodSpread: null };
  const durations = spreadOf(fn, 'duration', 1000);
  assert.deepEqual([durations.title, durations.note, durations.p50_ticks, durations.longest], ['Durations', '', 21, longest]);
  assert.equal(durations.many(1.2), '1 call');
  assert.match(spreadOf({ ...fn, histogram: null }, 'duration', 1000).note, /No completed call/);
  assert.deepEqual(spreadOf(fn, 'period', 1000).histogram, null, 'they are on their way');

  const list = [0, 100, 200, 350].map((start) => ({ fn: 1, start, duration: 7, context: 2, depth: 1 }));
  const told = spreadOf({ ...fn, periodSpread: periodsOf(list, 1, null, null) }, 'period', 1000);
  assert.deepEqual([told.title, told.p50_ticks, told.listed], ['Periods', 100, 'Among the longest']);
  assert.deepEqual(told.longest.map(({ start, duration }) => [start, duration]), [[200, 150], [100, 100]], 'each as long as its period');
  assert.match(told.note, /calls available: every 117 ms, jitter 23\.6 ms/);
  const bars = histogramBars(told.histogram, 20, { examples: told.examples });
  assert.equal(bars.reduce((sum, bar) => sum + bar.count, 0), 3);
  assert.deepEqual([bars[0].call.start, bars.at(-1).call.start], [100, 200], 'the call that began the period');
  const time = { ticksPerSecond: 1000, moment: (tick) => `${tick}` };
  assert.match(barWords(bars[0], told, time).join(''), /: 2 periods; a click shows the call that began one$/);
  assert.deepEqual(barWords({ ...bars[0], call: null }, told, time)[1], '');
  const none = periodsOf(list.slice(0, 1), 1, null, null);
  assert.match(spreadOf({ ...fn, periodSpread: none }, 'period', 1000).note, /no two calls/);
  assert.match(spreadOf({ ...fn, periodSpread: { ...none, recursive: true } }, 'period', 1000).note, /may call itself/);
  assert.match(spreadOf({ ...fn, periodSpread: { ...none, excerpts: true } }, 'period', 1000).note, /windows only/);
});

test('a bar leads to a call that is held rather than to a longer one that is not', () => {
  const [kept, held, none] = [{ duration: 14, held: false }, { duration: 12, held: true }, null];
  for (const [a, b, wanted] of [[kept, held, held], [held, kept, held], [none, kept, kept], [held, none, held], [none, none, null]])
    assert.equal(better(a, b), wanted);
  assert.equal(better(held, { duration: 13, held: true }).duration, 13);
});

test('the text on a call tells whether the timeline has it, and names its caller', () => {
  const call = { start: 2000, duration: 300, context: 0, depth: 1, caller: 7, held: true };
  const gone = { ...call, held: false };
  const nameOf = (id) => `f${id}`;
  const time = timeOf('counter', { first: 0, reset: null, held: null, wall: null, ticksPerSecond: 1000 });
  assert.equal(words(call, time), '300 ms at 2.000 s');
  const fine = timeOf('counter', { first: 0, reset: null, held: null, wall: null, ticksPerSecond: 1e8 });
  const times = { 500000000: '5.00 s at 12.346 s', 20000: '200 µs at 12.3457 s', 5: '50 ns at 12.34567892 s', 0: '0 µs at 12.34567892 s' };
  for (const [duration, text] of Object.entries(times)) assert.equal(words({ ...call, start: 1234567892, duration: Number(duration) }, fine), text);
  assert.equal(tip(call, nameOf), 'Called by f7. Show this call on the timeline');
  assert.equal(tip(gone, nameOf), 'Called by f7. This time is no longer on the timeline');
  assert.match(tip({ ...call, caller: null }, nameOf), /^Show/);
  assert.match(maxTip(gone, time), /^It began at 2\.000 s, which is no longer on the timeline/);
  assert.match(maxTip(call, time), /^Show/);
  assert.match(maxTip(null, time), /not known/);
});

test('a call has a place on the timeline', () => {
  assert.deepEqual(placeOfCall({ start: 1000, duration: 343, context: 2, depth: 3 }), {
    view: 'timeline',
    at: '657-1686',
    call: '2-3-1000',
  });
});

test('a stack of which not every frame is known is shown as the least', () => {
  const profile = folded('main 25', 'main;a 75');
  Object.assign(profile.functions[0], { frame_bytes: 8, stack_bytes: 48, stack_unknown: 0 });
  Object.assign(profile.functions[1], { frame_bytes: null, stack_bytes: 40, stack_unknown: 2 });
  const rows = functionRows(profile);
  const shown = columnsFor(figures, rows).filter(({ id }) => id === 'frame_bytes' || id === 'stack_bytes');
  assert.deepEqual(rows.map((row) => shown.map(({ text }) => text(row, null))), [
    ['8 B', '48 B'],
    ['–', '≥ 40 B'],
  ]);
});
