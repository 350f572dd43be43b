// within.test.mjs - a promise that never settles ends with an error.

import assert from 'node:assert/strict';
import test from 'node:test';

import { within } from '../within.mjs';

test('a promise is waited for, and its error is passed on', async () => {
  assert.equal(await within(100000, Promise.resolve(7)), 7);
  await assert.rejects(within(100000, Promise.reject(new Error('broken'))), /^Error: broken$/);
});

test('a promise that never settles gives an error', async () => {
  await assert.rejects(within(20, new Promise(() => {})), /It has not ended after 0\.02 s\./);
});
