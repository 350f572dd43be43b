// Rows with responses and waits of tasks, the sizes of their stacks, and sparklines.

import assert from 'node:assert/strict';
import test from 'node:test';

import { sparkPath } from '../../../webroot/js/model/spark.js';
import { readSize, StackSizes } from '../../../webroot/js/model/stacksizes.js';
import { figureColumns, withFigures } from '../../../webroot/js/model/taskfigures.js';

const profile = { contexts: new Map([[0, { id: 0, name: 'io', kind: 'thread' }], [1, { id: 1, name: 'idle', kind: 'idle' }]]), functions: [{ name: 'bus_lock' }], ticksPerSecond: 1e6 };
const rows = [{ id: 0, name: 'io', isIdle: false }, { id: 1, name: 'idle', isIdle: true }];
const split = (start, duration, wait, by = []) => ({ start, duration, ran_ticks: 0, preempted_ticks: 0, blocked_ticks: duration, by, wait });
const task = {
  context: 0, activations: 3, min_ticks: 5, p50_ticks: 6, p99_ticks: 9, max_ticks: 10,
  slowest: split(100, 10, null), work_wait: split(50, 40, { function: null, ran_last: 1 }), call_wait: split(90, 8, { function: 0, ran_last: 0 }), preempted: null, ready_most: { start: 80, duration: 0 },
};
const column = (id) => figureColumns.find((one) => one.id === id);

test('rows have the figures of their context, idle ones have none, and before an answer all are a dash', () => {
  const [io, idle] = withFigures(rows, { tasks: [task, { ...task, context: 1 }] });
  assert.deepEqual([io.activations, io.min, io.p50, io.p99, io.max, io.workWait, io.callWait, io.longestPreempted, io.ready], [3, 5, 6, 9, 10, 40, 8, null, 0]);
  assert.equal(idle.activations, null);
  const runs = (blocked, activations) => withFigures([{ ...rows[0], blocked }], { tasks: [{ ...task, activations }] })[0].activations;
  assert.deepEqual([runs(0, 0), runs(null, 0), runs(null, 2)], [0, null, 2], 'without turns none are known outside of windows');
  assert.equal(column('ready').text(io, 1e6), '≤ 0 µs');
  assert.equal(column('longestPreempted').text(io, 1e6), '–');
  assert.equal(column('max').text(withFigures(rows, null)[0], 1e6), '–');
});

test('below a wait is its function, and the context that ran before its end unless that was idle', () => {
  assert.equal(column('callWait').why(task.call_wait, profile), 'in bus_lock');
  assert.equal(column('workWait').why(task.work_wait, profile), '');
  assert.equal(column('workWait').why(task.call_wait, profile), 'io before its end');
});

test('below the longest response is what took most of it, in lines that tear no figure from its unit', () => {
  const by = [{ context: 0, ticks: 250 }, { context: 2, ticks: 30 }];
  const told = { ...profile, contexts: new Map([...profile.contexts, [2, { id: 2, name: 'tick', kind: 'interrupt' }]]) };
  const why = (ran_ticks, preempted_ticks, blocked_ticks) => column('max').why({ ...task.call_wait, ran_ticks, preempted_ticks, blocked_ticks, by }, told);
  assert.equal(why(20000, 280, 100), 'ran\u00a020.0\u00a0ms');
  assert.equal(why(10, 280, 100), 'by io\u00a0250\u00a0µs, tick\u00a030\u00a0µs');
  assert.equal(why(10, 280, 300), 'in bus_lock');
});

test('sizes are read in bytes and kept even if the browser refuses to store them', () => {
  assert.deepEqual(['1024', '1,024 B', '2 k', '0x400', '', 'many', '0', '-1'].map(readSize), [1024, 1024, 2048, 1024, null, undefined, undefined, undefined]);
  const refusing = { getItem: () => { throw new Error('no'); }, setItem: () => { throw new Error('no'); } };
  const sizes = new StackSizes(() => refusing);
  assert.ok(sizes.set('io', '512'));
  assert.equal(sizes.of('io'), 512);
  const none = new StackSizes(() => { throw new Error('no storage'); });
  assert.ok(none.set('io', '512') && none.of('io') === 512);
  const kept = new Map();
  const store = { getItem: (key) => kept.get(key) ?? null, setItem: (key, text) => kept.set(key, text) };
  new StackSizes(() => store).set('io', '1 k');
  assert.equal(new StackSizes(() => store).of('io'), 1024);
  new StackSizes(() => store).set('io', '');
  assert.equal(new StackSizes(() => store).of('io'), null);
  for (const text of ['{', '{}', '[["io",-1]]', '[[5,5]]']) assert.equal(new StackSizes(() => ({ getItem: () => text, setItem() {} })).of('io'), null);
});

test('a curve has a column for each value, and a gap where none is known', () => {
  assert.equal(sparkPath([1, null, 0.5], 1, 30, 10), 'M0 10V0H10V10ZM20 10V5H30V10Z');
  assert.equal(sparkPath([1e-9], 1, 10, 10), 'M0 10V9.5H10V10Z');
  assert.equal(sparkPath([], 0, 10, 10), '');
});
