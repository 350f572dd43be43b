// Callers and callees: arrows summed from the call tree, and the callers and callees of a function.

import assert from 'node:assert/strict';
import test from 'node:test';

import { callGraph, edgesOf, program, treeGraph } from '../../../webroot/js/model/edges.js';
import { folded, forSeeds, simulated } from './support.mjs';

const id = (profile, name) => profile.functions.findIndex((fn) => fn.name === name);
const arrow = (profile, from, to) => callGraph(profile).find(id(profile, from), id(profile, to));
const plain = ({ calls, ticks }) => ({ calls, ticks });

test('an arrow sums the calls and times of all paths it is on', () => {
  const profile = folded('main 1', 'main;a 2', 'main;a;c 10 4', 'main;b 3', 'main;b;c 20 5', 'main;b;c;d 7');
  assert.deepEqual(plain(arrow(profile, 'a', 'c')), { calls: 4, ticks: 10 });
  assert.deepEqual(plain(arrow(profile, 'b', 'c')), { calls: 5, ticks: 27 });
  assert.deepEqual(plain(arrow(profile, 'c', 'd')), { calls: 1, ticks: 7 });
  assert.equal(arrow(profile, 'd', 'c'), undefined);
});

test('recursion counts every call, and time once', () => {
  const direct = folded('f 1', 'f;f 2', 'f;f;f 4');
  assert.deepEqual(plain(arrow(direct, 'f', 'f')), { calls: 2, ticks: 6 });
  const mutual = folded('a 1', 'a;b 2', 'a;b;a 4', 'a;b;a;b 8');
  assert.deepEqual(plain(arrow(mutual, 'a', 'b')), { calls: 2, ticks: 14 });
  assert.deepEqual(plain(arrow(mutual, 'b', 'a')), { calls: 1, ticks: 12 });
});

/** Returns the same as edgesOf, counted row by row: slow, and too simple to be wrong. */
function counted(profile, id) {
  const { length, parent, fn, calls, total } = profile.tree;
  const sides = { callers: new Map(), callees: new Map() };
  const isInside = (node, same) => {
    for (let at = parent[node]; at > 0; at = parent[at]) if (same(at)) return true;
    return false;
  };
  const add = (side, other, node, inside) => {
    const row = sides[side].get(other) ?? { id: other, name: profile.functions[other].name, calls: 0, total_ticks: 0 };
    row.calls += calls[node];
    row.total_ticks += inside ? 0 : total[node];
    sides[side].set(other, row);
  };
  for (let node = 1; node < length; node++) {
    if (!(calls[node] > 0) && !(total[node] > 0)) continue;
    const caller = fn[parent[node]];
    if (fn[node] === id && caller >= 0) add('callers', caller, node, isInside(node, (at) => fn[at] === id));
    if (caller === id) add('callees', fn[node], node, isInside(node, (at) => fn[at] === fn[node] && fn[parent[at]] === id));
  }
  const heaviest = (rows) => [...rows.values()].sort((a, b) => b.total_ticks - a.total_ticks || a.id - b.id);
  return { callers: heaviest(sides.callers), callees: heaviest(sides.callees) };
}

test('callers and callees match a row-by-row count', () => {
  const profiles = [folded('a 1', 'a;b 2', 'a;b;a 4', 'a;b;a;b 8', 'a;b;b 16', 'c 1', 'c;b;a;c 3')];
  forSeeds(5, (seed) => profiles.push(simulated(seed, 20)));
  for (const profile of profiles) {
    const graph = treeGraph(profile);
    for (const fn of profile.functions) assert.deepEqual(edgesOf(profile, fn.id, graph), counted(profile, fn.id), fn.name);
  }
});

test('an arrow never weighs more than its ends; those to a function have all its calls', () => {
  forSeeds(5, (seed) => {
    const profile = simulated(seed, 20);
    const graph = callGraph(profile);
    for (const one of graph.arrows) {
      if (one.caller < 0) continue;
      const { name, total_ticks: below } = profile.functions[one.callee];
      assert.ok(one.ticks <= below, name);
      assert.ok(one.outer <= one.ticks, name);
    }
    for (const fn of profile.functions) {
      const { callers } = edgesOf(profile, fn.id);
      if (fn.calls > 0) assert.equal(callers.reduce((sum, edge) => sum + edge.calls, 0), fn.calls, fn.name);
    }
  });
});

test('below an unknown caller, the program itself is the caller', () => {
  const profile = folded('[depth_0_running] 0 0', '[depth_0_running];a 5 2', 'b 3');
  const graph = callGraph(profile);
  assert.deepEqual(plain(graph.find(program, id(profile, 'a'))), { calls: 2, ticks: 5 });
  assert.deepEqual(plain(graph.find(program, id(profile, 'b'))), { calls: 1, ticks: 3 });
});

test('arcs are taken as they are, without times', () => {
  const profile = folded('main 1', 'a 1', 'b 1');
  profile.treeEstimated = true;
  profile.arcs = new Map([['0 1', { caller: 0, callee: 1, calls: 7 }]]);
  const graph = callGraph(profile);
  assert.ok(graph.counted);
  assert.deepEqual(plain(graph.find(0, 1)), { calls: 7, ticks: null });
  assert.deepEqual(graph.out.get(program).map((one) => one.callee), [0]);
});
