// The tree of frames: merged, inverted, folded, focused, hidden.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Frames, buildFrames, growFrames, ingredients } from '../../../webroot/js/model/frames.js';
import { rankBelow, rankFunctions } from '../../../webroot/js/model/rank.js';
import { cpuMs, folded, forSeeds, patienceMs, plain, simulated, stacks } from './support.mjs';

const near = (a, b) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)), `${a} is not ${b}`);
const idsOf = (profile, ...names) => new Set(names.map((name) => profile.idOf(name)));

test('weights are self time added up along each path', () => {
  const profile = folded('main 1', 'main;a 10 2', 'main;a;b 5 3', 'main;c 4');
  assert.deepEqual(stacks(profile, buildFrames(profile, plain)), {
    main: 20,
    'main;a': 15,
    'main;a;b': 5,
    'main;c': 4,
  });
});

test('weights by calls count every call on a path', () => {
  const profile = folded('main 1 1', 'main;a 10 2', 'main;a;b 5 3');
  assert.deepEqual(stacks(profile, buildFrames(profile, { ...plain, unit: 'calls' })), {
    main: 6,
    'main;a': 5,
    'main;a;b': 3,
  });
});

test('where contexts are the outermost frames each has its own, and paths lead there with or without it', () => {
  const profile = folded('main 1', 'main;a 2');
  const rule = { ...plain, roots: true };
  assert.deepEqual(stacks(profile, buildFrames(profile, rule)), { main: 3, 'main;a': 2 }, 'one context needs no frame');
  profile.contexts = new Map([
    [0, { id: 0, name: 'main' }],
    [7, { id: 7, name: 'tick' }],
  ]);
  profile.tree.apply({
    index: [3, 4],
    parent: [0, 3],
    function: [0, 1],
    context: [7, 7],
    calls: [1, 1],
    total_ticks: [30, 20],
    self_ticks: [10, 20],
  });
  for (const order of ['heavy', 'name']) {
    const frames = buildFrames(profile, { ...rule, order });
    const [main, a, tick] = ['main', 'a', '[tick]'].map((label) => profile.idOf(label));
    assert.equal(profile.labelOf(tick), '[tick]');
    assert.equal(frames.weight[0], 33);
    assert.equal(frames.weight[frames.find([tick])], 30);
    assert.equal(frames.self[frames.find([tick])], 0, 'all of it is of functions');
    assert.equal(frames.weight[frames.find([tick, main, a])], 20);
    assert.equal(frames.weight[frames.find([profile.idOf('[main]'), main])], 3);
    assert.ok(frames.depth[frames.find([main, a])] === 3, 'a path of before there were several contexts');
    assert.deepEqual(rankFunctions(frames, 0).map(({ fn, weight }) => [fn, weight]), [[a, 22], [main, 11]]);
  }
  const turned = buildFrames(profile, { ...rule, inverted: true });
  const callers = turned.find([profile.idOf('a'), profile.idOf('main'), profile.idOf('[tick]')]);
  assert.equal(turned.weight[callers], 20, 'turned round, contexts are at the end');
  assert.equal(buildFrames(profile, { ...rule, unit: 'calls' }).weight[0], 2 + buildFrames(folded('main 1', 'main;a 2'), { ...rule, unit: 'calls' }).weight[0]);
});

test('without contexts as outermost frames, the same path in two contexts is one frame', () => {
  const profile = folded('main 1', 'main;a 2');
  profile.tree.apply({
    index: [3, 4],
    parent: [0, 3],
    function: [0, 1],
    context: [1, 1],
    calls: [1, 1],
    total_ticks: [30, 20],
    self_ticks: [10, 20],
  });
  assert.deepEqual(stacks(profile, buildFrames(profile, plain)), { main: 33, 'main;a': 22 });
});

test('a caller that has not returned is as wide as its callees', () => {
  const profile = folded('[depth_0_running];a 7', '[depth_0_running];b 3');
  profile.tree.total[1] = 0;
  assert.deepEqual(stacks(profile, buildFrames(profile, plain)), {
    '[depth_0_running]': 10,
    '[depth_0_running];a': 7,
    '[depth_0_running];b': 3,
  });
});

test('rows that have moved elsewhere and stayed behind empty are not drawn', () => {
  const profile = folded('old;a 5', 'new;a 5');
  for (const row of [1, 2]) profile.tree.calls[row] = profile.tree.total[row] = profile.tree.self[row] = 0;
  assert.deepEqual(Object.keys(stacks(profile, buildFrames(profile, plain))), ['new', 'new;a']);
});

test('in the inverted graph each function has its self time, divided among its callers', () => {
  const profile = folded('main 1', 'main;a 10', 'main;a;b 5', 'main;b 7');
  assert.deepEqual(stacks(profile, buildFrames(profile, { ...plain, inverted: true })), {
    main: 1,
    a: 10,
    'a;main': 10,
    b: 12,
    'b;a': 5,
    'b;a;main': 5,
    'b;main': 7,
  });
});

test('recursion folds into the outermost frame of the function, indirect recursion too', () => {
  const profile = folded('main;f 1', 'main;f;f 2', 'main;f;f;f 4', 'main;f;g;f 8', 'main;f;g;f;g 16');
  const frames = buildFrames(profile, { ...plain, collapse: true });
  assert.deepEqual(stacks(profile, frames), { main: 31, 'main;f': 31, 'main;f;g': 16 });
  assert.equal(stacks(profile, frames, 'calls')['main;f'], 4);
});

test('focus keeps only the calls inside a function, from any caller', () => {
  const profile = folded('main;a;f 1', 'main;a;f;x 2', 'main;b;f;x 4', 'main;b 8');
  assert.deepEqual(stacks(profile, buildFrames(profile, { ...plain, focus: idsOf(profile, 'f') })), {
    f: 7,
    'f;x': 6,
  });
  assert.deepEqual(
    stacks(profile, buildFrames(profile, { ...plain, inverted: true, focus: idsOf(profile, 'f') })),
    { f: 1, x: 6, 'x;f': 6 },
  );
});

test('hide leaves out a function with all it calls, in both directions', () => {
  const profile = folded('main 1', 'main;f;x 2', 'main;x 4');
  assert.deepEqual(stacks(profile, buildFrames(profile, { ...plain, hide: idsOf(profile, 'f') })), {
    main: 5,
    'main;x': 4,
  });
  assert.deepEqual(
    stacks(profile, buildFrames(profile, { ...plain, inverted: true, hide: idsOf(profile, 'f') })),
    { main: 1, x: 4, 'x;main': 4 },
  );
});

test('samples of a function are shared among its paths as its self time is', () => {
  const profile = folded('main;a;f 30', 'main;b;f 10');
  profile.functions[profile.idOf('f')].samples = 8;
  const frames = buildFrames(profile, { ...plain, unit: 'samples' });
  assert.deepEqual(stacks(profile, frames), {
    main: 8,
    'main;a': 6,
    'main;a;f': 6,
    'main;b': 2,
    'main;b;f': 2,
  });
});

test('left-heavy sorts the heaviest first, A–Z by name in any case', () => {
  const profile = folded('m;b 1', 'm;C 5', 'm;a 3');
  const names = (frames) =>
    Array.from(
      frames.order.subarray(frames.childFrom[1], frames.childFrom[2]),
      (node) => profile.functions[frames.fn[node]].name,
    );
  assert.deepEqual(names(buildFrames(profile, plain)), ['C', 'a', 'b']);
  assert.deepEqual(names(buildFrames(profile, { ...plain, order: 'name' })), ['a', 'b', 'C']);
});

test('with any order children fit into their parent without gaps, in that order', () => {
  forSeeds(6, (seed) => {
    const profile = simulated(seed, 5);
    for (const unit of ['time', 'calls']) {
      for (const inverted of [false, true]) {
        for (const collapse of [false, true]) {
          const frames = buildFrames(profile, { ...plain, unit, inverted, collapse });
          for (let node = 0; node < frames.count; node++) {
            let edge = frames.start[node];
            let before = Infinity;
            for (let i = frames.childFrom[node]; i < frames.childFrom[node + 1]; i++) {
              const child = frames.order[i];
              assert.equal(frames.parent[child], node);
              assert.ok(child > node);
              near(frames.start[child], edge);
              edge += frames.weight[child];
              assert.ok(frames.weight[child] <= before);
              before = frames.weight[child];
            }
            assert.ok(edge <= frames.start[node] + frames.weight[node] + 1e-6);
            if (node === 0) near(edge, frames.weight[0]);
          }
        }
      }
    }
  });
});

test("no rule but hide and focus changes the whole, and turning round keeps each function's self time", () => {
  forSeeds(6, (seed) => {
    const profile = simulated(seed, 5);
    const whole = profile.functions.reduce((sum, fn) => sum + fn.self_ticks, 0);
    for (const rule of [
      {},
      { inverted: true },
      { collapse: true },
      { inverted: true, collapse: true },
      { order: 'name' },
    ]) {
      near(buildFrames(profile, { ...plain, ...rule }).weight[0], whole);
    }
    const callers = buildFrames(profile, { ...plain, inverted: true });
    for (const { fn, weight } of rankBelow(callers, 0)) near(weight, profile.functions[fn].self_ticks);
  });
});

test('the whole counts every call that is drawn, whichever way round', () => {
  const profile = folded('main 1 1', 'main;f 0 7', 'main;f;x 2 3', 'main;x 4 5');
  const calls = (rule) => buildFrames(profile, { ...plain, ...rule }).calls[0];
  assert.equal(calls({}), 16);
  assert.equal(calls({ inverted: true }), 16);
  assert.equal(calls({ hide: idsOf(profile, 'f') }), 6);
  assert.equal(calls({ inverted: true, focus: idsOf(profile, 'f') }), 10);
});

test('ranking counts a recursive function once and sums the figures of the daemon', () => {
  const profile = folded('main;f 1', 'main;f;f 2', 'main;g;f 4');
  const ranked = rankFunctions(buildFrames(profile, plain), 0, 'total');
  const f = ranked.find((row) => row.fn === profile.idOf('f'));
  assert.deepEqual([f.weight, f.frames], [7, 3]);
  forSeeds(3, (seed) => {
    const run = simulated(seed, 5);
    for (const { fn, weight } of rankFunctions(buildFrames(run, plain), 0))
      near(weight, run.functions[fn].self_ticks);
  });
});

test('ranking a subtree leaves everything outside it out', () => {
  const profile = folded('main;a;x 1', 'main;b;x 2', 'main;b 4');
  const frames = buildFrames(profile, plain);
  const b = frames.find([profile.idOf('main'), profile.idOf('b')]);
  const rows = (by) =>
    rankFunctions(frames, b, by).map((row) => [profile.functions[row.fn].name, row.weight]);
  assert.deepEqual(rows('self'), [
    ['b', 4],
    ['x', 2],
  ]);
  assert.deepEqual(rows('total'), [
    ['b', 6],
    ['x', 2],
  ]);
});

test('a path finds its frame again, or the deepest part of it that there is', () => {
  const profile = folded('main;a;b 1', 'main;c 1');
  const frames = buildFrames(profile, plain);
  for (let node = 0; node < frames.count; node++) assert.equal(frames.find(frames.path(node)), node);
  const [main, a, , c] = ['main', 'a', 'b', 'c'].map((name) => profile.idOf(name));
  assert.deepEqual(frames.path(frames.find([main, a, c])), [main, a]);
  assert.equal(frames.find([c]), 0);
});

test('a tree of 100,000 rows is built in well under a second', () => {
  const rows = 100000;
  const tree = { parent: [-1], function: [-1], context: [0], calls: [0], total_ticks: [0], self_ticks: [0] };
  for (let i = 1; i < rows; i++) {
    tree.parent.push(Math.floor((i - 1) / 4));
    tree.function.push(i % 997);
    for (const [column, cell] of Object.entries({ context: 0, calls: 1, total_ticks: 1, self_ticks: 1 }))
      tree[column].push(cell);
  }
  const profile = folded('main 1');
  profile.load({
    sequence: 2,
    functions: Array.from({ length: 997 }, (_, id) => ({ id, name: `f${id}` })),
    call_tree: tree,
  });
  let frames = null;
  const spent = cpuMs(() => {
    frames = buildFrames(profile, plain);
  });
  assert.ok(spent < patienceMs, `${spent} ms`);
  assert.ok(frames.count > 90000);
});

test('only callers of enough weight are computed, and more of them below the zoomed frame', () => {
  const profile = folded('m;a;leaf 900', 'm;b;leaf 90', 'm;c;leaf 9', 'm;c;twig 1');
  const of = (rule) =>
    stacks(profile, buildFrames(profile, { ...plain, inverted: true, least: 0.05, ...rule }));
  assert.deepEqual(of({}), {
    leaf: 999,
    'leaf;a': 900,
    'leaf;a;m': 900,
    'leaf;b': 90,
    'leaf;b;m': 90,
    'leaf;c': 9,
    twig: 1,
  });
  const zoom = ['leaf', 'c'].map((name) => profile.idOf(name));
  assert.equal(of({ zoom })['leaf;c;m'], 9);
  assert.equal(of({ zoom: [profile.idOf('twig')] })['twig;c;m'], 1);
});

test('leaving thin callers out changes no weight of the frames that stay', () => {
  forSeeds(4, (seed) => {
    const profile = simulated(seed, 5);
    for (const collapse of [false, true]) {
      const all = stacks(profile, buildFrames(profile, { ...plain, inverted: true, collapse }));
      const some = stacks(profile, buildFrames(profile, { ...plain, inverted: true, collapse, least: 0.01 }));
      assert.ok(Object.keys(some).length < Object.keys(all).length);
      for (const [path, weight] of Object.entries(some)) near(weight, all[path]);
    }
  });
});

test('frames made from a copy in another thread are those made here', () => {
  const rules = [{}, { inverted: true, least: 0 }, { unit: 'calls', order: 'name' }, { unit: 'samples' }];
  forSeeds(4, (seed) => {
    const profile = simulated(seed, 5);
    profile.functions.forEach((fn, id) => {
      fn.samples = (id * 7) % 5;
    });
    for (const change of rules) {
      const rule = { ...plain, ...change, collapse: seed % 2 === 0, hide: new Set([3]) };
      const from = { ...ingredients(profile, rule), tree: profile.tree.weights() };
      const there = structuredClone({ from, rule });
      const back = Frames.revive(structuredClone({ ...growFrames(there.from, there.rule) }));
      const here = buildFrames(profile, rule);
      assert.deepEqual({ ...back }, { ...here });
      for (let node = 0; node < here.count; node++) assert.equal(back.find(here.path(node)), node);
    }
  });
});

test('merging removes only the function: its caller gets its weight and its callees', () => {
  const profile = folded('main 1 1', 'main;a 10 2', 'main;a;b 5 3', 'main;a;b;a 7 1', 'main;c 4 1', 'a 2 1');
  const merge = idsOf(profile, 'a');
  assert.deepEqual(stacks(profile, buildFrames(profile, { ...plain, merge })), { main: 27, 'main;b': 12, 'main;c': 4 });
  const merged = buildFrames(profile, { ...plain, merge });
  assert.equal(merged.weight[0], buildFrames(profile, plain).weight[0], 'nothing is lost, also of what nobody calls');
  assert.equal(merged.self[merged.find([profile.idOf('main')])], 11);
  assert.equal(merged.calls[merged.find([profile.idOf('main'), profile.idOf('b')])], 3, 'calls of the function are not those of its caller');
  const turned = buildFrames(profile, { ...plain, inverted: true, merge });
  const weightOf = (...names) => turned.weight[turned.find(names.map((name) => profile.idOf(name)))];
  assert.deepEqual([weightOf('main'), weightOf('b'), weightOf('b', 'main'), weightOf('c')], [11, 12, 12, 4]);
});
