// Pinned functions and their figures.

import assert from 'node:assert/strict';
import test from 'node:test';

import { callOf, longestOver, pinnedRows, togglePin } from '../../../webroot/js/model/pinned.js';
import { formatPlace, parsePlace } from '../../../webroot/js/model/place.js';

test('a label is pinned and let go, eight at most, and the address has them', () => {
  assert.deepEqual(togglePin(['a'], 'b'), ['a', 'b']);
  assert.deepEqual(togglePin(['a', 'b'], 'a'), ['b']);
  assert.deepEqual(togglePin([...'abcdefgh'], 'i'), [...'bcdefghi']);
  const place = parsePlace('#overview?pinned=a%2Cb,c&strip=1');
  assert.deepEqual([place.pinned, place.strip], [['a,b', 'c'], true]);
  assert.equal(formatPlace(place), '#overview?pinned=a%2Cb,c&strip=1');
});

test('rows have figures and limits of their function; missing and never called functions have none', () => {
  const functions = [{ calls: 4, p50_ticks: 5, p99_ticks: 9, max_ticks: 10 }, { calls: 0, p50_ticks: 0, p99_ticks: 0, max_ticks: 0 }];
  const profile = { functions, idOf: (label) => ['a', 'b'].indexOf(label) };
  const limits = [{ function: 0, breaches: 0 }, { function: 0, breaches: 2 }, { function: null, breaches: 1 }];
  const [a, b, gone] = pinnedRows(['a', 'b', 'c'], profile, limits);
  assert.deepEqual([a.p50, a.p99, a.max, a.limits.length, a.isBroken], [5, 9, 10, 2, true]);
  assert.deepEqual([b.p50, b.max, b.isBroken], [null, null, false]);
  assert.deepEqual([gone.id, gone.p50, gone.limits.length], [-1, null, 0]);
});

test('over time there is the longest call of each column, and nothing where there was none', () => {
  const answer = { from: 100, to: 199, step: 25, rows: { column: [0, 2], max: [7, 9], start: [101, 160], context: [0, 1], depth: [2, 0] } };
  assert.deepEqual(longestOver(answer), [7, null, 9, null]);
  assert.deepEqual(callOf(answer, 9), { start: 160, duration: 9, context: 1, depth: 0 });
  assert.equal(callOf(answer, 8), null);
});
