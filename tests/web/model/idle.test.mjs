// Idle time of a profile, and the profile without it, compared with a count over every path.

import assert from 'node:assert/strict';
import test from 'node:test';

import { buildFrames } from '../../../webroot/js/model/frames.js';
import { hasIdleContext, idleShare, withoutIdle } from '../../../webroot/js/model/idle.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { functionRows } from '../../../webroot/js/model/table.js';
import { dice, forSeeds, plain } from './support.mjs';

/**
 * Makes a profile of `rows`, [parent (an index in the list, -1: none), name, context, calls, self ticks], parents first. `kinds` has the
 * kinds of names in brackets. `contexts`: [number, kind, blocked ticks].
 */
const kinds = { '[outside]': 'outside', '[not known]': 'unknown', '[depth 0 running]': 'running' };

function made(rows, contexts) {
  const names = [...new Set(rows.map(([, name]) => name))];
  const tree = { parent: [-1], function: [-1], context: [0], calls: [0], total_ticks: [0], self_ticks: [0] };
  for (const [parent, name, context, calls, own] of rows) {
    tree.parent.push(parent + 1);
    tree.function.push(names.indexOf(name));
    tree.context.push(context);
    tree.calls.push(calls);
    tree.total_ticks.push(own);
    tree.self_ticks.push(own);
  }
  for (let row = rows.length; row > 0; row--) if (tree.parent[row] > 0) tree.total_ticks[tree.parent[row]] += tree.total_ticks[row];
  const above = (row, fn) => row > 0 && (tree.function[row] === fn || above(tree.parent[row], fn));
  const functions = names.map((name, id) => {
    const own = [...rows.keys()].map((i) => i + 1).filter((row) => tree.function[row] === id);
    const sum = (list, cells) => list.reduce((all, row) => all + cells[row], 0);
    const outermost = own.filter((row) => !above(tree.parent[row], id));
    return { id, name, kind: kinds[name] ?? 'function', calls: sum(own, tree.calls), self_ticks: sum(own, tree.self_ticks), total_ticks: sum(outermost, tree.total_ticks), samples: 0 };
  });
  const profile = new Profile();
  profile.load({
    sequence: 1,
    functions,
    call_tree: tree,
    contexts: contexts.map(([id, kind, blocked = 0]) => ({ id, name: `c${id}`, kind, running_ticks: 1, blocked_ticks: blocked })),
  });
  return profile;
}

const selfOf = (profile, name) => profile.functions[profile.idOf(name)]?.self_ticks;
const totalOf = (profile, name) => profile.functions[profile.idOf(name)]?.total_ticks;

test('the self time of a main loop is idle, that of its callees and of interrupts is not', () => {
  const profile = made([[-1, 'main', 0, 0, 970], [0, 'step', 0, 10, 20], [-1, 'tick', 1, 10, 10]], [[0, 'thread'], [1, 'isr']]);
  assert.equal(idleShare(profile), 0.97);
  const busy = withoutIdle(profile);
  assert.deepEqual([selfOf(busy, 'main'), totalOf(busy, 'main'), selfOf(busy, 'step'), totalOf(busy, 'tick')], [0, 20, 20, 10]);
  assert.equal(busy.functions[0].idle_ticks, 970);
  assert.equal(buildFrames(busy, plain).weight[0], 30);
  assert.deepEqual([selfOf(profile, 'main'), totalOf(profile, 'main'), profile.tree.total[1]], [970, 990, 990], 'what was measured stays');
  assert.deepEqual(functionRows(busy).map(({ fn, selfShare }) => [fn.name, selfShare]), [['main', 0], ['step', 2 / 3], ['tick', 1 / 3]]);
});

test('a function whose calls nobody counts is no main loop', () => {
  const profile = made([[-1, 'memcpy', 0, 0, 900], [-1, 'step', 0, 5, 100]], []);
  assert.equal(idleShare(profile), 0.9);
  profile.functions[0] = { ...profile.functions[0], calls: null, self_ticks: null, samples: 900 };
  profile.sequence++;
  assert.equal(idleShare(profile), 0);
});

test('samples are idle in the share of the own time that the tree has for their function', () => {
  const profile = made([[-1, 'idle_task', 0, 0, 75], [-1, 'main', 1, 0, 0], [1, 'step', 1, 10, 20], [1, 'idle_task', 1, 1, 25]], [[0, 'idle'], [1, 'thread']]);
  for (const fn of profile.functions) Object.assign(fn, { self_ticks: null, total_ticks: null, samples: { idle_task: 100, step: 20 }[fn.name] ?? 0 });
  profile.samples = { total: 120 };
  const busy = withoutIdle(profile);
  assert.deepEqual(busy.functions.map(({ name, samples }) => [name, samples]), [['idle_task', 25], ['main', 0], ['step', 20]]);
  assert.equal(busy.samples.total, 45);
});

test('a main loop may be reached by calls that never returned either; one that returned is none', () => {
  const outer = [[-1, '[depth 0 running]', 0, 0, 0], [0, 'main', 0, 0, 5], [1, 'app_run', 0, 0, 900], [2, 'step', 0, 9, 95]];
  assert.equal(idleShare(made(outer, [[0, 'unknown']])), 0.905);
  assert.equal(idleShare(made(outer, [])), 0.905, 'a daemon that sends no contexts');
  const ended = outer.map((row) => (row[1] === 'main' ? [0, 'main', 0, 1, 5] : row));
  assert.equal(idleShare(made(ended, [[0, 'thread']])), 0);
  const first = [[-1, 'main', 0, 0, 900], [0, 'first_call', 0, 0, 100]];
  assert.equal(selfOf(withoutIdle(made(first, [[0, 'thread']])), 'first_call'), 100, 'it has little of the time of its caller');
  const brief = [[-1, 'step', 0, 0, 10], [-1, 'other', 0, 5, 50]];
  assert.equal(idleShare(made(brief, [[0, 'thread']])), 0, 'as has an outermost call that is the first of its function');
});

test('an idle task is idle with all that it ran; then own time of other tasks is work', () => {
  const rows = [[-1, '[outside]', 0, 0, 900], [-1, 'idle_hook', 0, 3, 40], [1, 'log', 0, 3, 10], [-1, 'task', 1, 0, 30], [3, 'log', 1, 2, 20]];
  const profile = made(rows, [[0, 'idle'], [1, 'thread']]);
  assert.equal(idleShare(profile), 0.95);
  assert.ok(hasIdleContext(profile));
  const busy = withoutIdle(profile);
  assert.deepEqual([selfOf(busy, 'task'), totalOf(busy, 'task'), selfOf(busy, 'log'), selfOf(busy, 'idle_hook')], [30, 50, 20, 0]);
  assert.equal(busy.functions[busy.idOf('log')].calls, 5, 'calls are counted wherever they were made');
  assert.equal(buildFrames(busy, plain).weight[0], 50);
});

test('unknown time, and time outside calls in a context that does not idle, stays', () => {
  const rows = [[-1, '[outside]', 0, 0, 500], [-1, '[depth 0 running]', 0, 0, 0], [1, '[not known]', 0, 0, 400], [-1, 'step', 0, 5, 100]];
  for (const contexts of [[[0, 'thread']], [[0, 'thread'], [1, 'thread']]]) {
    const profile = made(rows, contexts);
    assert.equal(idleShare(profile), 0);
    assert.equal(withoutIdle(profile), profile, 'nothing is left out, nothing is made');
  }
});

test('with waiting threads, or with several, no function counts as an idle loop', () => {
  const rows = [[-1, 'task', 0, 0, 100], [-1, 'other', 1, 0, 200]];
  assert.equal(idleShare(made(rows, [[0, 'thread'], [1, 'thread']])), 0);
  assert.equal(idleShare(made(rows.slice(0, 1), [[0, 'thread', 5]])), 0);
});

test('idle functions are found from all time: a range within one call has none of its own', () => {
  const whole = made([[-1, 'job', 0, 3, 100], [-1, 'next', 0, 3, 50]], [[0, 'thread']]);
  const range = made([[-1, 'job', 0, 0, 100]], [[0, 'thread']]);
  assert.equal(idleShare(range), 1);
  assert.equal(withoutIdle(range, whole), range);
  const loop = made([[-1, 'main', 0, 0, 100], [0, 'step', 0, 3, 50]], [[0, 'thread']]);
  const part = made([[-1, 'main', 0, 0, 1], [0, 'step', 0, 0, 50]], [[0, 'thread']]);
  assert.equal(selfOf(withoutIdle(part, loop), 'main'), 0);
  assert.equal(selfOf(withoutIdle(part, loop), 'step'), 50, 'though it has most of the time of the range, and did not end in it');
});

test('an answer follows its profile, and stays the same object', () => {
  const profile = made([[-1, 'main', 0, 0, 970], [0, 'step', 0, 10, 30]], [[0, 'thread']]);
  const busy = withoutIdle(profile);
  const { functions } = busy;
  profile.apply({ since: 1, sequence: 2, functions: [], call_tree: { index: [1, 2], parent: [0, 1], function: [0, 1], context: [0, 0], calls: [0, 20], total_ticks: [2000, 60], self_ticks: [1940, 60] } });
  profile.applyStatus({ source: { state: 'lost' } });
  assert.equal(withoutIdle(profile), busy);
  assert.equal(busy.functions, functions);
  assert.deepEqual([busy.source.state, busy.tree.total[1], idleShare(profile)], ['lost', 60, 0.97]);
  const frozen = withoutIdle(profile.freeze());
  assert.notEqual(frozen, busy);
  assert.deepEqual([frozen.tree.total[1], frozen.idOf('step'), frozen.labelOf(1)], [60, 1, 'step']);
});

/** Makes random rows: an idle task or a loop of calls that never return, recursion, interrupts, and unknown time. */
function random(roll) {
  const hasIdle = roll() < 0.5;
  const contexts = [[0, hasIdle ? 'idle' : 'thread'], [1, 'isr'], ...(hasIdle ? [[2, 'thread', 9]] : [])];
  const names = ['a', 'b', 'c', 'd', '[not known]'];
  const rows = [[-1, 'main', 0, 0, 100000]];
  const used = new Set(['-1 main 0']);
  for (let i = 0; i < 60; i++) {
    const parent = Math.floor(roll() * (rows.length + 2)) - 2;
    const context = parent < 0 ? contexts[Math.floor(roll() * contexts.length)][0] : rows[parent][2];
    const name = names[Math.floor(roll() * names.length)];
    const key = `${Math.max(parent, -1)} ${name} ${context}`;
    if (used.has(key) || rows[parent]?.[1] === '[not known]') continue;
    used.add(key);
    rows.push([Math.max(parent, -1), name, context, name === '[not known]' ? 0 : 1 + Math.floor(roll() * 9), Math.floor(roll() * 1000)]);
  }
  return { rows, contexts, hasIdle };
}

test('figures without idle time are those of a count that goes through every path', () => {
  forSeeds(60, (seed) => {
    const { rows, contexts, hasIdle } = random(dice(seed));
    const profile = made(rows, contexts);
    const busy = withoutIdle(profile);
    const isIdle = (i) => (hasIdle ? rows[i][2] === 0 : i === 0);
    const path = (i) => (i < 0 ? [] : [...path(rows[i][0]), i]);
    const [self, total, weights] = [new Map(), new Map(), new Map()];
    const add = (map, key, ticks) => map.set(key, (map.get(key) ?? 0) + ticks);
    let all = 0;
    rows.forEach(([, name, , , own], i) => {
      if (isIdle(i)) return;
      all += own;
      add(self, name, own);
      for (const one of new Set(path(i).map((at) => rows[at][1]))) add(total, one, own);
      path(i).forEach((_, depth, steps) => add(weights, steps.slice(0, depth + 1).map((at) => rows[at][1]).join(), own));
    });
    for (const fn of busy.functions) {
      assert.equal(fn.self_ticks, self.get(fn.name) ?? 0, fn.name);
      assert.equal(fn.total_ticks, total.get(fn.name) ?? 0, fn.name);
    }
    const frames = buildFrames(busy, plain);
    assert.equal(frames.weight[0], all);
    for (let node = 1; node < frames.count; node++) {
      const name = frames.path(node).map((fn) => busy.functions[fn].name).join();
      assert.equal(frames.weight[node], weights.get(name) ?? 0, name);
    }
    const sum = rows.reduce((ticks, row) => ticks + row[4], 0);
    assert.ok(Math.abs(idleShare(profile) - (sum - all) / sum) < 1e-12);
    const shares = functionRows(busy);
    assert.ok(Math.abs(shares.reduce((ticks, { selfShare }) => ticks + selfShare, 0) - 1) < 1e-9);
    for (const { fn, selfShare } of shares) assert.ok(Math.abs(selfShare - (self.get(fn.name) ?? 0) / all) < 1e-12, fn.name);
  });
});
