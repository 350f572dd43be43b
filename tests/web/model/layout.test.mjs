// The visible boxes and their positions.

import assert from 'node:assert/strict';
import test from 'node:test';

import { buildFrames } from '../../../webroot/js/model/frames.js';
import {
  boxAt,
  narrowPx,
  neighbour,
  panRange,
  rangeOf,
  roomyRowPx,
  rowHeight,
  visibleBoxes,
  zoomRange,
} from '../../../webroot/js/model/layout.js';
import { dice, folded, forSeeds, plain, simulated } from './support.mjs';

const width = 1000;
const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a} is not ${b}`);

test('boxes of a row lie side by side inside the picture, and stand for all there is', () => {
  forSeeds(8, (seed) => {
    const roll = dice(seed);
    const frames = buildFrames(simulated(seed, 5), { ...plain, order: seed % 2 ? 'heavy' : 'name' });
    for (let round = 0; round < 10; round++) {
      const node = Math.floor(roll() * frames.count);
      if (frames.weight[node] === 0) continue;
      const [from, to] = rangeOf(frames, node, [roll() * 0.4, 0.6 + roll() * 0.4]);
      const rows = visibleBoxes(frames, from, to, width);
      rows.forEach((row, r) => {
        let edge = -1e-6;
        row.x.forEach((x, i) => {
          assert.ok(x >= edge - 1e-6 && row.w[i] >= 0 && x + row.w[i] <= width + 1e-6);
          edge = x + row.w[i];
          assert.equal(frames.depth[row.node[i]], r);
          const whole = (frames.weight[row.node[i]] / (to - from)) * width;
          if (row.more[i] === 0 && r > 0) assert.ok(whole >= narrowPx);
          if (row.more[i] > 0) assert.ok(whole < narrowPx);
        });
      });
      // Row 1 covers the whole range, since the root has no self time.
      const covered = rows[1]?.w.reduce((sum, w) => sum + w, 0) ?? 0;
      close(covered, width);
    }
  });
});

test('children of a box are as wide together as the box without its self time', () => {
  const profile = folded('main 10', 'main;a 60', 'main;b 30');
  const rows = visibleBoxes(buildFrames(profile, plain), 0, 100, width);
  assert.deepEqual(rows[2].x, [0, 600]);
  assert.deepEqual(rows[2].w, [600, 300]);
});

test('neighbours too narrow to draw become one mark with their number', () => {
  const profile = folded('m;wide 996', 'm;a 1', 'm;b 1', 'm;c 1', 'm;d 1');
  const [, , row] = visibleBoxes(buildFrames(profile, plain), 0, 1000, width);
  assert.deepEqual(row.more, [0, 4]);
  assert.deepEqual(row.w, [996, 4]);
});

test('zoomed in, callers fill the width and frames beside the range are not listed', () => {
  const profile = folded('m;a;x 50', 'm;b;y 50');
  const frames = buildFrames(profile, plain);
  const b = frames.find(['m', 'b'].map((name) => profile.idOf(name)));
  const rows = visibleBoxes(frames, ...rangeOf(frames, b), width);
  assert.deepEqual(
    rows.map((row) => row.node.map((node) => profile.functions[frames.fn[node]]?.name)),
    [[undefined], ['m'], ['b'], ['y']],
  );
  assert.ok(rows.every((row) => row.x[0] === 0 && row.w[0] === width));
});

test('the box under a point is found; gaps have none', () => {
  const row = { node: [7, 8], x: [0, 600], w: [500, 0.3], more: [0, 2] };
  assert.deepEqual(
    [
      boxAt(row, 0),
      boxAt(row, 499),
      boxAt(row, 550),
      boxAt(row, 600.5),
      boxAt(row, 700),
      boxAt(undefined, 3),
    ],
    [0, 0, -1, 1, -1, -1],
  );
});

test('wheel zoom keeps the point under the pointer, and beyond a frame it continues in its caller', () => {
  const profile = folded('m;a 40', 'm;b 60');
  const frames = buildFrames(profile, plain);
  const b = frames.find(['m', 'b'].map((name) => profile.idOf(name)));
  const near = zoomRange(frames, b, [0, 1], 0.5, 0.25);
  assert.equal(near.node, b);
  const [from, to] = rangeOf(frames, near.node, near.span);
  close(from + (to - from) * 0.25, frames.start[b] + 60 * 0.25);
  close(to - from, 30);
  const far = zoomRange(frames, b, [0, 1], 2, 0.5);
  close(rangeOf(frames, far.node, far.span)[1] - rangeOf(frames, far.node, far.span)[0], 100);
  assert.ok(frames.depth[far.node] < frames.depth[b]);
});

test('no amount of zooming and panning leaves the whole', () => {
  forSeeds(10, (seed) => {
    const roll = dice(seed);
    const frames = buildFrames(simulated(seed, 3), plain);
    let at = { node: 0, span: [0, 1] };
    for (let i = 0; i < 200; i++) {
      at =
        roll() < 0.5
          ? zoomRange(frames, at.node, at.span, 0.3 + roll() * 2, roll())
          : panRange(frames, at.node, at.span, roll() * 2 - 1);
      const [from, to] = rangeOf(frames, at.node, at.span);
      assert.ok(from >= -1e-6 && to <= frames.weight[0] * (1 + 1e-9) && to > from, `${from} ${to}`);
    }
  });
});

test('arrow keys go to the heaviest callee, back to the caller, and to the neighbours', () => {
  const profile = folded('m;a 10', 'm;b 60', 'm;c 30');
  const frames = buildFrames(profile, { ...plain, order: 'name' });
  const at = (...names) => frames.find(names.map((name) => profile.idOf(name)));
  assert.equal(neighbour(frames, at('m'), 'down'), at('m', 'b'));
  assert.equal(neighbour(frames, at('m', 'b'), 'up'), at('m'));
  assert.equal(neighbour(frames, at('m', 'b'), 'left'), at('m', 'a'));
  assert.equal(neighbour(frames, at('m', 'a'), 'left'), at('m', 'a'));
  assert.equal(neighbour(frames, at('m', 'b'), 'right'), at('m', 'c'));
  assert.equal(neighbour(frames, at('m', 'c'), 'down'), at('m', 'c'));
  assert.equal(neighbour(frames, 0, 'up'), 0);
});

test('rows are higher where much of the window would stay empty, and never lower than asked', () => {
  assert.equal(rowHeight(8, 700, 22), 30);
  assert.equal(rowHeight(15, 700, 22), 26);
  assert.equal(rowHeight(40, 700, 22), 22);
  assert.equal(rowHeight(400, 700, 26), 26);
  assert.equal(roomyRowPx(8, 600, 22), 30);
  assert.equal(roomyRowPx(8, 600, 22, 600), 40);
  assert.equal(roomyRowPx(8, 600, 22, 300), 35);
  assert.equal(roomyRowPx(8, 600, 22, -50), 30, 'the list below has no room to spare');
  for (let rows = 1; rows < 60; rows++) assert.ok(rowHeight(rows + 1, 500, 22) <= rowHeight(rows, 500, 22), 'more rows are never higher');
});
