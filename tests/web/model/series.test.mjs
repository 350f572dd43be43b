// The plots of the connection panel: the daemon's history, and its gaps.

import assert from 'node:assert/strict';
import test from 'node:test';

import { agoText, outagesOf, pointsOf, roundUp, runsOf } from '../../../webroot/js/model/series.js';

const history = { from: 10000, step: 1000, now: 17900, bytes: [5, 7, null, null, 0, 3, 4, 9] };

test('an outage cuts the curve, silence does not', () => {
  const points = pointsOf(history, 'bytes');
  assert.deepEqual(
    runsOf(points).map((run) => run.map(({ value }) => value)),
    [
      [5, 7],
      [0, 3, 4, 9],
    ],
  );
  assert.deepEqual(outagesOf(points), [{ from: 11500, to: 14500 }]);
  assert.deepEqual(outagesOf(pointsOf({ ...history, bytes: [null, 1, null], now: 12900 }, 'bytes')), [
    { from: 10500, to: 11500 },
    { from: 11500, to: 12500 },
  ]);
  assert.deepEqual(outagesOf(pointsOf({ ...history, bytes: [1, 2] }, 'bytes')), []);
});

test('a step that has just begun is not shown yet', () => {
  assert.equal(pointsOf(history, 'bytes').length, 8);
  assert.equal(pointsOf({ ...history, now: 17100 }, 'bytes').length, 7);
  assert.equal(pointsOf({ ...history, bytes: [4], now: 10100 }, 'bytes').length, 1, 'unless there is no other');
});

test('times ago are short', () => {
  assert.deepEqual([-5, 400, 90000, 600000, 9e6, 3e8].map(agoText), ['0 s', '0 s', '90 s', '10 min', '2.5 h', '3 d']);
});

test('the top of an axis is round and no lower than the value', () => {
  for (const x of [0.0013, 0.9, 1, 4.2, 57, 5000, 123456]) {
    assert.ok(roundUp(x) >= x && roundUp(x) <= 2 * x, String(x));
  }
  assert.equal(roundUp(0), 1);
});
