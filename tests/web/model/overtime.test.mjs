// A function over time: columns, their positions, movement by keys, and texts.

import assert from 'node:assert/strict';
import test from 'node:test';

import { columnsOf, columnWords, heightOf, nearest, overTimeNote, periodExtremes, rateText, shapesOf, stepTo } from '../../../webroot/js/model/overtime.js';
import { overTime } from '../mock-histogram.mjs';
import { timeOf } from '../../../webroot/js/model/time.js';
import { dice, forSeeds } from './support.mjs';

const told = (more = {}) => ({
  ...{ from: 1000, to: 1999, step: 300, excerpts: false, gaps: [] },
  rows: {
    ...{ column: [0, 3], calls: [3, 1], min: [10, 70], p50: [20, 70], p99: [40, 70], max: [40, 70] },
    ...{ periods: [2, 0], period_ticks: [200, 0], period_min: [80, 0], period_max: [120, 0], period_jitter: [20, 0], start: [1100, 1950], context: [1, 1], depth: [2, 2] },
  },
  ...more,
});

test('columns have their time, rate and period, and lead to their longest call', () => {
  const [first, last] = columnsOf(told(), 1000);
  assert.deepEqual([first.from, first.to, first.calls, first.period, first.rate], [1000, 1300, 3, 100, 10]);
  assert.deepEqual(first.call, { start: 1100, duration: 40, context: 1, depth: 2 });
  assert.deepEqual([last.from, last.to, last.period, last.rate], [1900, 2000, null, 10], 'the last is as wide as what is left');
  assert.equal(columnsOf(told(), null)[0].rate, 0.01);
});

test('the calls of all columns are those of the stretch, and extremes enclose percentiles', () => {
  forSeeds(20, (seed) => {
    const random = dice(seed);
    const list = Array.from({ length: 200 }, (_, i) => ({ fn: random() < 0.5 ? 1 : 2, start: i * 10, duration: Math.floor(random() * 9), context: 0, depth: 0 }));
    const columns = columnsOf(overTime(list, 1, null, null, 1 + Math.floor(random() * 50)), 1000);
    assert.equal(columns.reduce((sum, { calls }) => sum + calls, 0), list.filter(({ fn }) => fn === 1).length);
    const { at } = heightOf(columns);
    for (const { min, p50, p99, max, from, to, call } of columns) {
      assert.ok(min <= p50 && p50 <= p99 && p99 <= max);
      for (const ticks of [min, p50, p99, max]) assert.ok(at(ticks) >= 0 && at(ticks) <= 1);
      assert.ok(call.start >= from && call.start < to);
    }
  });
});

test('periods are drawn with their jitter where some were measured, and said', () => {
  const columns = columnsOf(told(), 1000);
  const shapes = shapesOf(columns, 'period');
  assert.deepEqual(shapes, [{ from: 1000, to: 1300, low: 80, middle: 100, high: 120, dots: [80, 120] }]);
  assert.deepEqual(periodExtremes(shapes), [{ min: 80, max: 120 }]);
  assert.deepEqual(shapesOf(columns, 'duration').map(({ middle, high, dots }) => [middle, high, ...dots]), [[20, 40, 40], [70, 70, 70]]);
  assert.match(columnWords(columns[0], timeOf('', { first: 0, reset: null, held: null, wall: null, ticksPerSecond: 1000 }), 'period'), /3 calls · every 100 ms, jitter 20 ms, 80 ms to 120 ms$/);
  const older = told();
  for (const key of ['period_min', 'period_max', 'period_jitter']) delete older.rows[key];
  assert.deepEqual(shapesOf(columnsOf(older, 1000), 'period')[0].dots, [], 'what is unknown is not drawn');
});

test('a single length stands in the middle', () => {
  const { low, high, at } = heightOf([{ min: 7, max: 7 }]);
  assert.deepEqual([low, high, at(7)], [7, 7, 0.5]);
});

test('the nearest column is found, and keys go from one to the next and no further', () => {
  const columns = columnsOf(told(), 1000);
  assert.deepEqual([0, 1299, 1500, 1700, 9999].map((tick) => nearest(columns, tick)), [0, 0, 0, 1, 1]);
  assert.equal(nearest([], 5), -1);
  const steps = [['ArrowRight', -1, 0], ['ArrowRight', 1, 1], ['ArrowLeft', -1, 1], ['ArrowLeft', 0, 0], ['Home', 1, 0], ['End', 0, 1], ['x', 0, null]];
  for (const [key, at, wanted] of steps) assert.equal(stepTo(key, at, 2), wanted, `${key} from ${at}`);
  assert.equal(stepTo('Home', -1, 0), null);
});

test('a column is shown as text', () => {
  const [first, last] = columnsOf(told(), 1000);
  const time = (first) => timeOf('', { first, reset: null, held: null, wall: null, ticksPerSecond: 1000 });
  assert.equal(columnWords(first, time(null)), '1.000 s: 3 calls (10/s) · p50 20 ms, p99 40 ms, 10 ms to 40 ms · every 100 ms');
  assert.equal(columnWords(last, time(null)), '1.900 s: 1 call (10/s) · 70 ms');
  assert.match(columnWords(last, time(1000)), /^0\.900 s: /, 'by what moments are counted from');
  assert.equal(rateText(12345.6, 1000), '12,346/s');
  assert.equal(rateText(0.01, null), '0.01 a tick');
});

test('missing data is reported', () => {
  const nothing = { rows: { column: [] }, excerpts: false };
  assert.equal(overTimeNote(told()), '');
  assert.match(overTimeNote(nothing), /has no call/);
  assert.match(overTimeNote(told({ excerpts: true })), /inside of windows only/);
});
