// Cycles of a periodic function: compares every figure with a brute-force count over the calls of a run.

import assert from 'node:assert/strict';
import test from 'node:test';

import { cyclesMost, cyclesOf, cyclesStretch, limitLines } from '../../../webroot/js/model/cycles.js';
import { readRange } from '../../../webroot/js/model/range.js';
import { dice, forSeeds } from './support.mjs';

const [loop, step, inner, isr] = [1, 2, 3, 4];

/** Makes rounds of `loop` with its callees and some interrupts: [{ fn, start, duration, context, depth }]. */
function runOf(random, rounds) {
  const list = [];
  let now = 1000;
  for (let round = 0; round < rounds; round++) {
    const start = now;
    const below = [];
    for (let i = 0; i < 1 + Math.floor(random() * 3); i++) {
      now += Math.floor(random() * 5);
      const [at, long] = [now, 4 + Math.floor(random() * 20)];
      below.push({ fn: step, start: at, duration: long, context: 0, depth: 2 }, { fn: inner, start: at + 1, duration: 2, context: 0, depth: 3 });
      if (random() < 0.5) list.push({ fn: isr, start: at + 1, duration: 1, context: 7, depth: 0 });
      now += long;
    }
    now += Math.floor(random() * 4);
    list.push({ fn: loop, start, duration: now - start, context: 0, depth: 1 }, ...below);
    if (random() < 0.3) list.push({ fn: isr, start: now + 1, duration: 1, context: 7, depth: 0 }); // between two cycles
    now += 50 + Math.floor(random() * 20);
  }
  return list;
}

const answerOf = (list, more = {}) => ({
  rows: Object.fromEntries([['start', 'start'], ['duration', 'duration'], ['function', 'fn'], ['context', 'context'], ['depth', 'depth']].map(([name, key]) => [name, list.map((call) => call[key])]).concat([['calls', list.map(() => 1)], ['cut', list.map(() => 0)]])),
  gaps: { from: [], to: [], records: [] },
  ...more,
});

test('cycles, their rows and spreads are those of a brute-force count over the calls', () => {
  forSeeds(20, (seed) => {
    const list = runOf(dice(seed), 80);
    const { cycles, worst, rows } = cyclesOf(answerOf([...list].sort((a, b) => b.start - a.start)), loop);
    const loops = list.filter(({ fn }) => fn === loop).slice(-cyclesMost);
    assert.deepEqual(cycles.map(({ start, duration }) => [start, duration]), loops.map(({ start, duration }) => [start, duration]));
    assert.equal(cycles[worst].duration, Math.max(...loops.map(({ duration }) => duration)));
    assert.deepEqual(new Set(rows.map(({ fn }) => fn)), new Set([loop, step, isr]), 'what it calls calls no more');
    for (const row of rows) {
      const [starts, ends] = [[], []];
      let calls = 0;
      for (const { start, duration } of loops) {
        const mine = list.filter((call) => call.fn === row.fn && call.start >= start && call.start < start + duration);
        calls += mine.length;
        if (mine.length === 0) continue;
        starts.push(Math.min(...mine.map((call) => call.start)) - start);
        ends.push(Math.max(...mine.map((call) => call.start + call.duration)) - start);
      }
      assert.equal(row.calls.length, calls);
      assert.deepEqual(row.from, { min: Math.min(...starts), max: Math.max(...starts) });
      assert.deepEqual(row.to, { min: Math.min(...ends), max: Math.max(...ends) });
    }
  });
});

test('a cycle with records missing is left out, and merged calls are asked for again', () => {
  const list = runOf(dice(1), 10);
  const loops = list.filter(({ fn }) => fn === loop);
  const { cycles } = cyclesOf(answerOf(list, { gaps: { from: [loops[3].start + 1], to: [loops[3].start + 2], records: [1] } }), loop);
  assert.deepEqual(cycles.map(({ start }) => start), loops.filter((_, i) => i !== 3).map(({ start }) => start));
  const merged = answerOf(list);
  merged.rows.calls[0] = 2;
  assert.equal(cyclesOf(merged, loop), null);
  assert.deepEqual(cyclesOf(answerOf([]), loop), { cycles: [], worst: -1, rows: [] });
});

test('the stretch has room for the requested cycles, and begins within the timeline', () => {
  const fn = { period_mean_ticks: 100, max_ticks: 10 };
  const { from, to } = readRange(cyclesStretch(fn, 10000, 0));
  assert.ok(Number(to) - Number(from) > 51 * 100);
  assert.equal(readRange(cyclesStretch(fn, 10000, 9000)).from, '9000');
});

test('limits on the time of a call are lines, others are not', () => {
  const limit = (text, figure, fn = loop) => ({ limit: text, figure, function: fn });
  const all = [limit('loop:max<500us', 'max'), limit('loop:p99<1.5ms', 'p99'), limit('loop:rate<50/s', 'rate'), limit('loop:period<21ms', 'period'), limit('step:max<1s', 'max', step)];
  assert.deepEqual(limitLines(all, loop, 1e6), [{ limit: 'loop:max<500us', ticks: 500 }, { limit: 'loop:p99<1.5ms', ticks: 1500 }]);
  assert.deepEqual(limitLines(all, loop, null), []);
});
