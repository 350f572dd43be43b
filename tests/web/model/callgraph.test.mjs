// The call graph: the boxes around a function and their positions.

import assert from 'node:assert/strict';
import test from 'node:test';

import { boxesMost, hottest, neighbourhood } from '../../../webroot/js/model/callgraph.js';
import { callGraph } from '../../../webroot/js/model/edges.js';
import { arrange, crossings, routes, sizes } from '../../../webroot/js/model/graphlayout.js';
import { cellDuration, duration } from '../../../webroot/js/model/format.js';
import { callsOf, weight } from '../../../webroot/js/view/graph/words.js';
import { cpuMs, dice, folded, forSeeds, patienceMs, simulated } from './support.mjs';

const id = (profile, name) => profile.functions.findIndex((fn) => fn.name === name);
function wide(n) {
  return folded('main 1', ...Array.from({ length: n }, (_, i) => `main;f${i} ${n - i}`));
}

test('the hottest rows are functions, never placeholders', () => {
  const profile = folded('[depth_0_running] 9 0', '[depth_0_running];a 5 2', 'b 3');
  assert.deepEqual(hottest(profile).map((one) => profile.functions[one].name), ['a', 'b']);
});

test('small functions share one box, which can be opened', () => {
  const profile = wide(30);
  const graph = callGraph(profile);
  const part = neighbourhood(graph, 0, { depth: 1 });
  const column = part.columns.find(({ level }) => level === 1).boxes;
  assert.equal(column.length, boxesMost[1] + 1);
  const rest = column.at(-1);
  assert.equal(rest.more, 30 - boxesMost[1]);
  const sums = part.arrows.filter((one) => one.from === 0).reduce((sum, one) => sum + one.ticks, 0);
  assert.equal(sums, profile.functions[0].total_ticks - 1, 'nothing is left out of the sum');
  const opened = neighbourhood(graph, 0, { depth: 1, more: new Map([[1, 20]]) });
  assert.equal(opened.columns.at(-1).boxes.at(-1).more, 30 - boxesMost[1] - 20);
  const all = neighbourhood(graph, 0, { depth: 1, more: new Map([[1, 40]]) });
  assert.ok(all.columns.at(-1).boxes.every((box) => !box.more));
});

test('each function is one box; depth limits how far calls are followed', () => {
  const profile = folded('a 1', 'a;b 1', 'a;b;c 1', 'a;b;c;d 1', 'a;b;c;d;e 1', 'a;b;c;b 1');
  const graph = callGraph(profile);
  const levels = (depth) =>
    Object.fromEntries(
      neighbourhood(graph, id(profile, 'b'), { depth }).columns.flatMap(({ level, boxes }) =>
        boxes.map((box) => [profile.functions[box.id].name, level]),
      ),
    );
  assert.deepEqual(levels(1), { a: -1, b: 0, c: 1 });
  assert.deepEqual(levels(2), { a: -1, b: 0, c: 1, d: 2 });
  assert.deepEqual(levels(3), { a: -1, b: 0, c: 1, d: 2, e: 3 });
});

test('a box gives way only to one that is much heavier', () => {
  const before = neighbourhood(callGraph(wide(30)), 0, { depth: 1 });
  const changed = (weight) => {
    const profile = wide(30);
    const last = id(profile, 'f29');
    for (let row = 1; row < profile.tree.length; row++) if (profile.tree.fn[row] === last) profile.tree.total[row] = weight;
    const part = neighbourhood(callGraph(profile), 0, { depth: 1 }, before);
    return part.columns.at(-1).boxes.some((box) => box.id === last);
  };
  assert.equal(changed(25), false);
  assert.equal(changed(60), true);
});

test('in a narrow window the heaviest callers and callees are nearest to the function', () => {
  const lines = Array.from({ length: 5 }, (_, i) => [`top;c${i};m ${10 + i}`, `top;c0;m;k${i} ${20 + i}`]).flat();
  const profile = folded(...lines);
  const centre = id(profile, 'm');
  const layout = arrange(neighbourhood(callGraph(profile), centre, { depth: 1 }), null, true);
  const away = (name) => Math.abs(layout.at.get(id(profile, name)).y - layout.at.get(centre).y);
  assert.ok(away('k4') < away('k2') && away('k2') < away('k0'));
  assert.ok(away('c0') < away('c1'), 'c0 has the most calls below it');
});

test('boxes keep their places while figures change', () => {
  const profile = simulated(1, 20);
  const centre = id(profile, 'tcp_output');
  const part = neighbourhood(callGraph(profile), centre, { depth: 2 });
  const layout = arrange(part);
  assert.equal(arrange({ ...part, arrows: part.arrows.slice(3) }, layout), layout);
  assert.notEqual(arrange(neighbourhood(callGraph(profile), centre, { depth: 1 }), layout), layout);
});

/** The height of an arrow's curve at `t`, from 0 to 1. */
const heightAt = ([[, a], [, b], [, c], [, d]], t) => (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t * t * c + t ** 3 * d;

test('boxes do not overlap; callers stand left or above, callees right or below', () => {
  forSeeds(40, (seed) => {
    const narrow = seed % 2 === 0;
    const profile = simulated(seed, 10);
    const roll = dice(seed);
    const graph = callGraph(profile);
    const centre = graph.arrows[Math.floor(roll() * graph.arrows.length)].callee;
    const part = neighbourhood(graph, centre, { depth: 1 + Math.floor(roll() * 3) });
    const layout = arrange(part, null, narrow);
    const { width, height } = layout.box;
    const boxes = [...layout.at.values()];
    boxes.forEach((a, i) => {
      assert.ok(a.x >= 0 && a.y >= 0 && a.x + width <= layout.width && a.y + height <= layout.height);
      for (const b of boxes.slice(0, i))
        assert.ok(Math.abs(a.x - b.x) >= width || Math.abs(a.y - b.y) >= height);
      const along = narrow ? 'y' : 'x';
      assert.equal(Math.sign(a[along] - layout.at.get(centre)[along]), Math.sign(a.level));
    });
    if (narrow) assert.ok(layout.width <= 2 * width + 22, `${layout.width} is wider than two boxes`);
    const ways = routes(part.arrows, layout, () => '12.3 ms · 1,234 ×');
    assert.equal(ways.length, part.arrows.length);
    for (const { arrow, points, heading } of ways) {
      const [from, to] = [arrow.from, arrow.to].map((one) => layout.at.get(one));
      const [start, , , end] = points;
      const near = ([x, y], box) => x >= box.x - 3 && x <= box.x + width + 3 && y >= box.y - 3 && y <= box.y + height + 3;
      assert.ok(near(start, from) && near(end, to), 'from box to box');
      assert.equal(Math.abs(heading[0]) + Math.abs(heading[1]), 1);
    }
    for (const { points } of ways) for (const [x, y] of points) assert.ok(Number.isFinite(x) && Number.isFinite(y));
    for (const { kind, points, label } of ways.filter((way) => way.label !== null && way.kind !== 'self')) {
      const heights = Array.from({ length: 101 }, (_, i) => heightAt(points, i / 100));
      assert.ok(heights.some((y) => Math.abs(y - label.y) < 0.5), `the label of an arrow (${kind}) is on its line`);
    }
    const labels = ways.filter(({ label }) => label).map(({ label }) => label);
    labels.forEach((a, i) => {
      for (const b of labels.slice(0, i))
        assert.ok(Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 1e-6 || Math.abs(a.y - b.y) >= sizes.labelHeight - 1e-6);
    });
  });
});

test('direct recursion is a loop above the box that keeps clear of the box above', () => {
  const profile = folded('m 1', 'm;a 9', 'm;b 5', 'm;b;b 5 3');
  const part = neighbourhood(callGraph(profile), 0, { depth: 1 });
  const layout = arrange(part);
  const loop = routes(part.arrows, layout, () => '5 ms · 3 ×').find(({ kind }) => kind === 'self');
  assert.equal(loop.arrow.from, id(profile, 'b'));
  assert.notEqual(loop.label, null);
  const peak = Math.min(...loop.points.map(([, y]) => y)) * 0.75 + loop.points[0][1] * 0.25;
  assert.ok(loop.points[0][1] - peak < layout.size.gapY);
});

test('the order of boxes avoids crossings that can be avoided', () => {
  assert.equal(crossings([[0, 1], [1, 0]]), 1);
  // Two callees whose own callees would cross in the order of their weight.
  const profile = folded('m 1', 'm;a 90', 'm;b 80', 'm;a;x 1', 'm;b;y 50', 'm;c 70', 'm;c;z 60');
  const part = neighbourhood(callGraph(profile), 0, { depth: 2 });
  const { at } = arrange(part);
  const y = (name) => at.get(id(profile, name)).y;
  for (const [p, q, r, s] of [
    ['a', 'b', 'x', 'y'],
    ['b', 'c', 'y', 'z'],
    ['a', 'c', 'x', 'z'],
  ])
    assert.ok((y(p) - y(q)) * (y(r) - y(s)) > 0, `${p} ${q}`);
});

test('5,000 functions are laid out quickly', () => {
  const profile = simulated(1, 60, 5000);
  let part = null;
  const spent = cpuMs(() => {
    part = neighbourhood(callGraph(profile), id(profile, 'app_loop'), { depth: 3 });
    arrange(part);
  });
  assert.ok(spent < patienceMs, `${spent} ms`);
  assert.ok(part.columns.every(({ boxes }) => boxes.length <= boxesMost[1] + 1));
});

test('an arrow with time but no counted call does not show 0 calls', () => {
  assert.deepEqual(weight({ calls: 0, ticks: 2000 }, 1000000), { text: cellDuration(2000, 1000000), words: duration(2000, 1000000) });
  assert.deepEqual(weight({ calls: 0, ticks: null }, 1000000), { text: '', words: 'not counted' });
  assert.match(weight({ calls: 3, ticks: 2000 }, 1000000).text, /· 3 ×$/);
});

test('a function that runs and has never returned was not called 0 times', () => {
  assert.deepEqual(callsOf({ calls: 0, running: 1 }), { text: 'running', words: 'still runs' });
  assert.deepEqual(callsOf({ calls: 3, running: 1 }), { text: '3 ×', words: '3 calls that returned, and it still runs' });
  assert.deepEqual(callsOf({ calls: 1, running: 0 }), { text: '1 ×', words: '1 call' });
  assert.deepEqual(callsOf({ calls: 0, running: 0 }), { text: '0 ×', words: '0 calls' });
  assert.deepEqual(callsOf({ kind: 'running', number: 0, calls: 0 }), { text: '', words: '' });
});
