// The overview: reasons of slow calls, load over time, busiest functions, changes, and one sentence about the connection's health.

import assert from 'node:assert/strict';
import test from 'node:test';

import { busiest, changesSince } from '../../../webroot/js/model/busiest.js';
import { contextColours } from '../../../webroot/js/model/contextcolour.js';
import { healthSentence, pillState } from '../../../webroot/js/model/health.js';
import { columnAt, loadCurve } from '../../../webroot/js/model/loadcurve.js';
import { Picture } from '../../../webroot/js/model/picture.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { partsOf, rankTexts, reasonOf, splitWords } from '../../../webroot/js/model/slowest.js';
import { dice, forSeeds } from './support.mjs';

const profile = new Profile();
profile.load({
  sequence: 1,
  target: { ticks_per_second: 1e6 },
  functions: [{ id: 0, name: 'bus_lock', calls: 1 }],
  contexts: [
    { id: 0, name: 'sampler', kind: 'thread' },
    { id: 1, name: 'reporter', kind: 'thread' },
    { id: 2, name: 'SysTick', kind: 'isr' },
    { id: 3, name: 'idle', kind: 'idle' },
    { id: 4, name: 'TIMER', kind: 'isr' },
  ],
});
const call = { function: 0, context: 0, start: 0, duration: 1000, usual_ticks: 100, usual_is: 'p99' };
const split = (ran, preempted, blocked, by = [], wait = null) => ({ ...call, ran_ticks: ran, preempted_ticks: preempted, blocked_ticks: blocked, by, wait });

test('the reason of a slow call is its longest part, with the context or the function', () => {
  assert.match(reasonOf({ ...call, ...split(1000, 0, 0), usual_is: 'twice p50' }, profile).head, /^ran 10 × twice its p50$/);
  const woken = { start: 0, duration: 700, function: 0, ran_last: 1 };
  assert.deepEqual(reasonOf(split(100, 100, 800, [], woken), profile), { head: 'blocked 80.0 %', rest: 'in bus_lock · reporter ran last before it went on' });
  const by = [{ context: 1, ticks: 300 }, { context: 2, ticks: 100 }, { context: 4, ticks: 1 }];
  const { head, rest } = reasonOf(split(599, 401, 0, by), profile);
  assert.equal(head, 'preempted 40.1 %');
  assert.match(rest, /^by reporter 300 µs, SysTick 100 µs and others$/);
  assert.deepEqual(reasonOf(split(950, 50, 0), profile), { head: 'ran 10 × its p99', rest: '' });
  assert.equal(reasonOf({ ...call, ran_ticks: null }, profile).rest, 'what ran then is unknown');
});

test('the parts of a call add up to it, each with the context that ran', () => {
  const parts = partsOf(split(500, 300, 200, [{ context: 1, ticks: 250 }]));
  assert.deepEqual(parts.map(({ kind, context }) => [kind, context]), [['ran', 0], ['preempted', 1], ['preempted', null], ['blocked', null]]);
  assert.ok(Math.abs(parts.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-12);
  assert.deepEqual(partsOf({ ...call, ran_ticks: null }), []);
});

test('contexts have six colours in their order, and idle ones none', () => {
  assert.deepEqual([...contextColours(profile)], [[0, 1], [1, 2], [2, 3], [4, 4]]);
});

test('the load is that of each context in each column; idle contexts have none', () => {
  const column = (...values) => values;
  const picture = new Picture({ sequence: 1, from: 0, to: 100, oldest: 0, newest: 100, rows: { start: column(0, 50, 60), duration: column(20, 25, 40), function: column(0, 0, 0), context: column(0, 1, 3), depth: column(0, 0, 0), calls: column(1, 1, 1) } });
  const curve = loadCurve(picture, 4, profile);
  assert.deepEqual(curve.bands.map(({ context, ran }) => [context, ...ran.map((one) => Math.round(100 * one))]), [[1, 0, 0, 100, 0], [0, 80, 0, 0, 0]]);
  assert.deepEqual([curve.from, curve.to, curve.most, curve.mostAt], [0, 100, 1, 50]);
  assert.ok([0, 1, 2, 3].every((i) => !curve.isOver(i)), 'the scale fits all');
  assert.deepEqual(columnAt(curve, 4, 0.1).parts.map(({ context }) => context), [0]);
  assert.deepEqual([columnAt(curve, 4, 0.6).from, columnAt(curve, 4, 0.6).total], [50, 1]);
  assert.equal(loadCurve(new Picture({ sequence: 1, oldest: null, newest: null, rows: null }), 4, profile), null);
});

test('a burst is higher than the scale of the load, which fits the other columns', () => {
  const every = Array.from({ length: 200 }, (_, i) => i);
  const picture = new Picture({ sequence: 1, from: 0, to: 20000, oldest: 0, newest: 20000, rows: { start: every.map((i) => 100 * i), duration: every.map((i) => (i === 150 ? 90 : 2)), function: every.map(() => 0), context: every.map(() => 0), depth: every.map(() => 0), calls: every.map(() => 1) } });
  const curve = loadCurve(picture, 200, profile);
  assert.deepEqual(every.filter(curve.isOver), [150]);
  assert.deepEqual([curve.mostAt, Math.round(100 * curve.most)], [15000, 90]);
  assert.ok(curve.top >= 0.02 && curve.top < 0.9, curve.top);
});

test('the busiest functions are those with most time of their own, and placeholders are none', () => {
  const some = new Profile();
  const row = (id, name, self_ticks, kind = 'function') => ({ id, name, kind, calls: 1, self_ticks });
  some.load({ sequence: 1, functions: [row(0, '[depth 0 running]', 0, 'running'), row(1, 'c', 10), row(2, 'a', 60), row(3, 'b', 30)] });
  const list = busiest(some, 2);
  assert.deepEqual(list.map(({ fn, share }) => [fn.name, share]), [['a', 0.6], ['b', 0.3]]);
});

test('where no time is known, the busiest functions are those with most samples', () => {
  const some = new Profile();
  const row = (id, name, samples) => ({ id, name, kind: 'function', calls: 1, self_ticks: null, samples });
  some.load({ sequence: 1, functions: [row(0, 'a', 10), row(1, 'b', 30), row(2, 'c', 0)] });
  assert.deepEqual(busiest(some, 9).map(({ fn, share }) => [fn.name, share]), [['b', 0.75], ['a', 0.25]]);
});

test('changes since a mark are changes of the time per call of more than three percent', () => {
  const of = (ticks) => ({ id: 0, kind: 'function', name: 'a', calls: 100, total_ticks: 100 * ticks, self_ticks: 100 * ticks, mean_ticks: ticks, stddev_ticks: 1 });
  const load = (...functions) => {
    const one = new Profile();
    one.load({ sequence: 1, target: { ticks_per_second: 1e6 }, functions });
    return one;
  };
  const before = load(of(50), { ...of(80), id: 1, name: 'b' });
  const after = load(of(75), { ...of(80), id: 1, name: 'b' });
  const { rows, others } = changesSince(before, after, 0.03, false);
  assert.deepEqual(rows.map(({ name, ratio }) => [name, ratio]), [['a', 1.5]]);
  assert.equal(others, 1);
});

test('health is one sentence: the connection first, then missing data, then the worst finding', () => {
  const live = new Profile();
  live.load({ sequence: 1, source: { state: 'connected', port: '/dev/ttyACM0' }, link: { records: 1234 } });
  const findings = [{ verdict: 'ok', text: 'Fine.' }, { verdict: 'warn', text: 'Slow line.' }, { verdict: 'fail', text: 'Wrong ELF.' }];
  assert.deepEqual(healthSentence(live, true, []), { level: 'ok', text: 'Nothing is known to be missing in 1,234 records.' });
  assert.deepEqual(healthSentence(live, true, findings.slice(0, 1)), { level: 'ok', text: 'The only check passed. Nothing is known to be missing in 1,234 records.' });
  assert.deepEqual(healthSentence(live, true, findings), { level: 'bad', text: 'Wrong ELF.' });
  live.incompleteBecause = ['5 records were lost.'];
  assert.deepEqual(healthSentence(live, true, findings), { level: 'warn', text: '5 records were lost.' });
  assert.equal(pillState(live, true).title, 'Data is missing');
  live.source = { ...live.source, detail: 'the device does not answer' };
  assert.deepEqual([pillState(live, true).title, pillState(live, true).level], ['Check the device', 'warn']);
  assert.equal(healthSentence(live, false, []).level, 'bad');
});

test('a call in a line: its running time, the preempting context, where it was blocked', () => {
  const woken = { start: 0, duration: 700, function: 0, ran_last: 2 };
  const idle = reasonOf(split(100, 0, 900, [], { ...woken, ran_last: 3 }), profile);
  assert.equal(idle.rest, 'in bus_lock');
  const words = splitWords(split(100, 100, 800, [{ context: 1, ticks: 100 }], woken), profile);
  assert.match(words, /^Ran 100 µs · preempted 100 µs by reporter · blocked 800 µs in bus_lock, SysTick ran last before it went on$/);
  assert.equal(splitWords(split(1000, 0, 0), profile), 'Ran 1.00 ms');
  assert.equal(splitWords({ ...call, ran_ticks: null }, profile), '');
});

test('ranks above the load never overlap, are all there once, and stay within the plot', () => {
  const widthOf = (text) => 7 * text.length;
  forSeeds(60, (seed) => {
    const random = dice(seed);
    const right = 60 + Math.floor(random() * 900);
    const marks = Array.from({ length: 5 }, (_, i) => ({ x: 48 + random() * (right - 48), rank: i + 1 }));
    const texts = rankTexts(marks, right, widthOf);
    assert.deepEqual(texts.flatMap(({ text }) => text.split(', ').map(Number)).sort(), [1, 2, 3, 4, 5]);
    texts.forEach(({ text, x }, i) => {
      assert.ok(x + widthOf(text) <= right, `${text} at ${x}`);
      if (i > 0) assert.ok(x >= texts[i - 1].x + widthOf(texts[i - 1].text), `${texts[i - 1].text} at ${texts[i - 1].x}, ${text} at ${x}`);
    });
  });
  const near = [{ x: 100, rank: 2 }, { x: 300, rank: 1 }, { x: 104, rank: 3 }];
  assert.deepEqual(rankTexts(near, 400, widthOf), [{ text: '2', x: 85 }, { text: '3', x: 112 }, { text: '1', x: 308 }]);
  assert.deepEqual(rankTexts([...near, { x: 102, rank: 4 }], 400, widthOf), [{ text: '2', x: 85 }, { text: '3, 4', x: 112 }, { text: '1', x: 308 }]);
  // Crowded at the right edge, the others keep their own.
  const crowded = [[100, 1], [250, 4], [370, 2], [371, 5]].map(([x, rank]) => ({ x, rank }));
  assert.deepEqual(rankTexts(crowded, 380, widthOf), [{ text: '1', x: 108 }, { text: '4', x: 258 }, { text: '2, 5', x: 334 }]);
});
