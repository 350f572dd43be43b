// Work that is requested more often than it can be done.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Latest } from '../../../webroot/js/model/latest.js';

/** Makes a Latest whose work and pauses end when the test `t` ends them; `begun` and `told` list started and finished work. */
function bench(t) {
  const rests = new Map();
  let lastRest = 0;
  t.mock.method(globalThis, 'setTimeout', (over) => {
    rests.set(++lastRest, over);
    return lastRest;
  });
  t.mock.method(globalThis, 'clearTimeout', (rest) => rests.delete(rest));
  const begun = [];
  const told = [];
  let finish = null;
  const latest = new Latest(
    (name) =>
      new Promise((resolve) => {
        begun.push(name);
        finish = () => resolve(name);
      }),
    (name) => told.push(name),
  );
  return {
    begun,
    told,
    behind: () => latest.behind,
    want: (what, data) => latest.want(what, data, () => [`${what}${data}`]),
    async finish() {
      finish();
      await new Promise((resolve) => setImmediate(resolve));
    },
    rested() {
      for (const [rest, over] of [...rests]) {
        rests.delete(rest);
        over();
      }
    },
  };
}

test('the first piece begins at once, and the same is not done twice', async (t) => {
  const { want, finish, rested, begun, told } = bench(t);
  want('a', 1);
  want('a', 1);
  assert.deepEqual(begun, ['a1']);
  await finish();
  rested();
  want('a', 1);
  assert.deepEqual(begun, ['a1']);
  assert.deepEqual(told, ['a1']);
});

test('of several requests made while one runs, only the last is executed', async (t) => {
  const { want, finish, begun, told } = bench(t);
  want('a', 1);
  want('b', 1);
  want('c', 2);
  assert.deepEqual(begun, ['a1']);
  await finish();
  assert.deepEqual(begun, ['a1', 'c2']);
  await finish();
  assert.deepEqual(told, ['a1', 'c2']);
});

test('new data waits for a rest, something else does not', async (t) => {
  const { want, finish, rested, begun } = bench(t);
  want('a', 1);
  await finish();
  want('a', 2);
  assert.deepEqual(begun, ['a1'], 'resting');
  want('b', 2);
  assert.deepEqual(begun, ['a1', 'b2']);
  await finish();
  want('b', 3);
  rested();
  assert.deepEqual(begun, ['a1', 'b2', 'b3'], 'begun by itself after the rest');
});

test('it is behind until the last that was wanted is there', async (t) => {
  const { want, finish, rested, behind } = bench(t);
  assert.equal(behind(), false);
  want('a', 1);
  assert.equal(behind(), true);
  want('a', 2);
  await finish();
  assert.equal(behind(), true, 'new data rests first');
  rested();
  await finish();
  assert.equal(behind(), false);
});
