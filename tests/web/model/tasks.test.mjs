// The load of a target's contexts: rows, the whole processor, and the last second.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Profile } from '../../../webroot/js/model/profile.js';
import { chainFrom } from '../../../webroot/js/model/stack.js';
import * as tasks from '../../../webroot/js/model/tasks.js';
import { dice, folded, forSeeds } from './support.mjs';

const profileOf = (...rows) =>
  Object.assign(new Profile(), {
    contexts: new Map(
      rows.map(([name, kind, running, preempted = 0, blocked = 0], id) => [
        id,
        { id, name, kind, running_ticks: running, preempted_ticks: preempted, blocked_ticks: blocked },
      ]),
    ),
  });

test('loads are shares of all running time, and the processor load is all time that is not idle', () => {
  const profile = profileOf(['io', 'thread', 10, 1, 2], ['IDLE', 'idle', 30], ['tick', 'isr', 20]);
  const rows = tasks.taskRows(profile, null);
  assert.deepEqual(rows.map(({ load }) => load), [10 / 60, 0.5, 20 / 60]);
  assert.deepEqual([rows[0].preempted, rows[0].blocked, rows[0].now], [1, 2, null]);
  assert.deepEqual(rows.map(({ kind }) => kind), ['thread', 'idle', 'interrupt']);
  assert.deepEqual(tasks.processorLoad(profile, profile, null), { now: null, all: 0.5 });
  const busy = profileOf(['io', 'thread', 10], ['net', 'thread', 30]);
  assert.deepEqual(tasks.processorLoad(busy, busy, null), { now: null, all: null }, 'nobody idles');
});

test('where idle time is left out, that of a main loop is no load of its thread', () => {
  const profile = Object.assign(profileOf(['main', 'thread', 100], ['tick', 'isr', 20]), { loopIdle: { context: 0, ticks: 90 } });
  assert.deepEqual(tasks.taskRows(profile, null).map(({ load }) => load), [10 / 120, 20 / 120]);
  const recent = new tasks.RecentLoads();
  recent.add(0, profile);
  recent.add(1500, Object.assign(profileOf(['main', 'thread', 200], ['tick', 'isr', 20]), { loopIdle: { context: 0, ticks: 170 } }));
  assert.deepEqual([recent.of(0), recent.of(1)], [0.2, 0]);
  recent.add(1600, profileOf(['main', 'thread', 210], ['tick', 'isr', 20]));
  assert.equal(recent.of(0), null, 'with it, all is counted from the start');
});

test('a target that does not report it has no rows, and one in which nothing ran yet no loads', () => {
  const silent = { contexts: new Map([[0, { id: 0, name: 'main', kind: 'thread' }]]) };
  assert.equal(tasks.tellsTasks(silent), false);
  assert.deepEqual(tasks.taskRows(silent, null), []);
  assert.equal(tasks.taskRows(profileOf(['main', 'thread', 0]), null)[0].load, null);
});

test('the recent load is that of the newest stretch of at least a second', () => {
  forSeeds(100, (seed) => {
    const roll = dice(seed);
    const recent = new tasks.RecentLoads();
    const ran = [0, 0];
    const told = []; // { at, ran }
    for (let at = 0; at < 10000; at += 50 + 400 * roll()) {
      ran[0] += 1 + Math.floor(1000 * roll());
      ran[1] += Math.floor(1000 * roll());
      told.push({ at, ran: [...ran] });
      recent.add(at, profileOf(['a', 'thread', ran[0]], ['b', 'thread', ran[1]]));
      const before = told.filter((one) => one.at <= at - 1000).at(-1);
      const want = before && [0, 1].map((id) => ran[id] - before.ran[id]);
      for (const id of [0, 1]) assert.equal(recent.of(id), want ? want[id] / (want[0] + want[1]) : null);
    }
  });
});

test('after a pause or a clear the recent load begins again', () => {
  const recent = new tasks.RecentLoads();
  recent.add(0, profileOf(['a', 'thread', 100]));
  recent.add(1500, profileOf(['a', 'thread', 200]));
  assert.equal(recent.of(0), 1);
  recent.add(60000, profileOf(['a', 'thread', 300]));
  assert.equal(recent.of(0), null);
  recent.add(61500, profileOf(['a', 'thread', 400]));
  assert.equal(recent.of(0), 1);
  recent.add(62000, profileOf(['a', 'thread', 5]));
  assert.equal(recent.of(0), null);
});

test('a frozen profile has no column for the present; search and order use the shown values', () => {
  const rows = tasks.taskRows(profileOf(['io', 'thread', 10], ['Tick', 'isr', 20]), null);
  assert.ok(!tasks.taskColumns(rows).some(({ id }) => id === 'now'));
  const now = tasks.taskColumns(rows, true).find(({ id }) => id === 'now');
  assert.equal(now.text(rows[0]), '–', 'of a live one it has its place before it is known');
  const load = tasks.columns.find(({ id }) => id === 'load');
  assert.deepEqual(tasks.sortTasks(rows, load, false).map(({ name }) => name), ['Tick', 'io']);
  const match = { empty: false, test: (text) => /interrupt/.test(text) };
  assert.deepEqual(tasks.filterTasks(rows, match).map(({ name }) => name), ['Tick']);
});

test('if only running time is known, no reasons for waiting are shown', () => {
  const counted = { contexts: new Map([[0, { id: 0, name: 'main', kind: 'thread', running_ticks: 7 }]]) };
  const rows = tasks.taskRows(counted, null);
  assert.deepEqual([rows[0].running, rows[0].preempted, rows[0].blocked], [7, null, null]);
  assert.deepEqual(tasks.taskColumns(rows).map(({ id }) => id), ['name', 'kind', 'load', 'running']);
  assert.equal(tasks.tellsWaits(rows), false);
  assert.equal(tasks.tellsWaits(tasks.taskRows(profileOf(['main', 'thread', 7]), null)), true);
});

test('the deepest stack of a context lists its calls, and says if it is only a lower limit', () => {
  const profile = folded('main 1', 'main;parse 2', 'main;parse;walk 3');
  const of = (name) => profile.functions.find((fn) => fn.name === name);
  Object.assign(of('main'), { frame_bytes: 100 });
  Object.assign(of('parse'), { frame_bytes: null });
  Object.assign(of('walk'), { frame_bytes: 16 });
  const walk = profile.tree.fn.indexOf(of('walk').id);
  const context = { id: 0, name: 'main', kind: 'thread', running_ticks: 6, stack_bytes: 124, stack_unknown: 1 };
  profile.contexts = new Map([[0, { ...context, stack_node: profile.tree.rowOf.indexOf(walk + 1) }]]);
  const rows = tasks.taskRows(profile, null);
  const shown = tasks.taskColumns(rows);
  assert.equal(shown.find(({ id }) => id === 'stack').text(rows[0]), '≥ 124 B');
  assert.deepEqual(
    rows[0].chain.map(({ name, frame }) => [name, frame]),
    [['main', 100], ['parse', null], ['walk', 16]],
  );
  profile.contexts = new Map([[0, { ...context, stack_bytes: null, stack_unknown: null, stack_node: null }]]);
  const ids = tasks.taskColumns(tasks.taskRows(profile, null)).map(({ id }) => id);
  assert.ok(!ids.includes('stack'), 'without frames there is no column');
});

test('from a function on the deepest calls are those of the largest sum of frames, wherever it was called', () => {
  const profile = folded('main;a;deep 2', 'main;a;b;c 2', 'isr;a;deep;c 1', 'main;a;gone 0');
  const frames = { main: 8, a: 16, deep: 100, b: 8, c: 24, gone: 900, isr: 4 };
  for (const fn of profile.functions) fn.frame_bytes = frames[fn.name];
  const { tree } = profile;
  tree.fn.forEach((fn, row) => {
    if (profile.functions[fn]?.name === 'gone') tree.calls[row] = tree.total[row] = tree.self[row] = 0;
  });
  const from = (name) => chainFrom(profile, profile.functions.find((fn) => fn.name === name).id).map((one) => one.name);
  assert.deepEqual(from('a'), ['a', 'deep', 'c']);
  assert.deepEqual(from('main'), ['main', 'a', 'deep']);
  assert.deepEqual(from('b'), ['b', 'c']);
  assert.deepEqual(from('c'), ['c']);
});
