// paths.test.mjs - callers and callees of a function as trees.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { edgesOf } from '../../../webroot/js/model/edges.js';
import { openedRows, pathsOf, withoutRecursion } from '../../../webroot/js/model/paths.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { Program } from '../mock-program.mjs';

/** Makes a profile of rows [parent, function, calls, total]. */
function profileOf(rows, names) {
  const column = (at) => [-1, ...rows.map((row) => row[at])];
  const profile = new Profile();
  profile.load({
    sequence: 1,
    functions: names.map((name, id) => ({ id, name, calls: 1 })),
    call_tree: { parent: column(0), function: column(1), calls: [0, ...rows.map((row) => row[2])], total_ticks: [0, ...rows.map((row) => row[3])], self_ticks: [0, ...rows.map(() => 0)] },
  });
  return profile;
}
const names = ['main', 'a', 'b', 'leaf', 'deep'];
const brief = (parts) => parts.map(({ id, calls, ticks }) => [names[id], calls, ticks]);

test('callees and own code add up to the time of a function that calls itself', () => {
  // main calls a, which calls itself, which calls a leaf; 50 of the 60 ticks of a are of its own code.
  const profile = profileOf([[0, 0, 1, 100], [1, 1, 1, 60], [2, 1, 1, 40], [3, 3, 1, 10]], names);
  const callees = withoutRecursion(pathsOf(profile, 1).callees(), 1);
  assert.deepEqual(brief(callees).sort(), [['a', 1, 0], ['leaf', 1, 10]]);
  assert.deepEqual(withoutRecursion([{ id: 1, ticks: null }], 1), [{ id: 1, ticks: null }], 'unknown stays unknown');
});

test('below a caller stand its callers on the ways to the function, and only those', () => {
  // main calls a and b, a calls b; a and b call leaf.
  const profile = profileOf([[0, 0, 1, 100], [1, 1, 2, 60], [2, 3, 5, 30], [2, 2, 1, 20], [4, 3, 2, 15], [1, 2, 9, 40], [6, 3, 1, 5], [3, 4, 7, 11]], names);
  const { callers, callees } = pathsOf(profile, 3);
  assert.deepEqual(brief(callers()), [['a', 5, 30], ['b', 3, 20]]);
  const [a, b] = callers();
  assert.deepEqual(brief(callers(b)), [['a', 2, 15], ['main', 1, 5]]);
  assert.deepEqual(brief(callers(a)), [['main', 5, 30]]);
  assert.deepEqual(callers(callers(a)[0]), [], 'main is called by nobody');
  assert.deepEqual(brief(callees()), [['deep', 7, 11]]);
  const main = pathsOf(profile, 0);
  assert.deepEqual(brief(main.callees()), [['a', 2, 60], ['b', 9, 40]]);
  assert.deepEqual(brief(main.callees(main.callees()[0])), [['leaf', 5, 30], ['b', 1, 20]]);
});

test('a call inside another one on the same way counts, its time does not', () => {
  const profile = profileOf([[0, 0, 1, 100], [1, 1, 2, 80], [2, 1, 3, 50], [3, 1, 1, 20], [2, 2, 1, 10]], names);
  const { callers, callees } = pathsOf(profile, 1);
  assert.deepEqual(brief(callers()), [['main', 2, 80], ['a', 4, 0]]);
  assert.deepEqual(brief(callers(callers()[1])), [['main', 3, 0], ['a', 1, 0]]);
  assert.deepEqual(brief(callees()), [['a', 4, 50], ['b', 1, 10]]);
  assert.deepEqual(brief(callees(callees()[0])), [['a', 1, 20]]);
});

test('the first level agrees with the arrows of the call graph', () => {
  const program = new Program({ seed: 3 });
  program.run(20);
  const profile = new Profile();
  profile.load({ sequence: 1, ...program.rows() });
  let compared = 0;
  for (const { id } of profile.functions) {
    const { callers, callees } = pathsOf(profile, id);
    const told = edgesOf(profile, id);
    const figures = (list) => list.map((one) => [one.id, one.calls, one.ticks ?? one.total_ticks]).sort((a, b) => a[0] - b[0]);
    assert.deepEqual(figures(callers()), figures(told.callers));
    assert.deepEqual(figures(callees()), figures(told.callees));
    compared += callers().length;
  }
  assert.ok(compared > 50);
});

test('rows are shown as far as they are opened, each with its way as its key', () => {
  const profile = profileOf([[0, 0, 1, 100], [1, 1, 2, 60], [2, 3, 5, 30]], names);
  const { callers } = pathsOf(profile, 3);
  const roots = [...callers().map((part) => ({ ...part, name: names[part.id], part })), { id: -1, name: 'its own code', calls: null, ticks: 3, own: true }];
  const rows = (...opened) => openedRows(roots, callers, new Set(opened), (id) => names[id]).map(({ key, depth, isOpen, canOpen, name }) => [key, depth, isOpen, canOpen, name]);
  assert.deepEqual(rows('1/0', 'gone'), [['1', 1, false, true, 'a'], ['own', 1, false, false, 'its own code']]);
  assert.deepEqual(rows('1', '1/0'), [['1', 1, true, true, 'a'], ['1/0', 2, false, false, 'main'], ['own', 1, false, false, 'its own code']]);
});

test('a tree of 100,000 rows is opened to its end in little time', () => {
  const rows = Array.from({ length: 100000 }, (_, i) => [i === 0 ? 0 : Math.floor((i - 1) / 3) + 1, i % 400, 1, 100000 - i]);
  const profile = profileOf(rows, Array.from({ length: 400 }, (_, i) => `f${i}`));
  const begun = performance.now();
  const { callers } = pathsOf(profile, 7);
  let deepest = 0;
  for (let level = callers(); level.length > 0; level = callers(level[0])) deepest++;
  assert.ok(deepest > 5);
  assert.ok(performance.now() - begun < 1000, `${performance.now() - begun} ms`);
});
