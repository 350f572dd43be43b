// chosen.test.mjs - a filter that matches no browser test ends the run with an error at once.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { missing } from '../chromium.mjs';

const program = fileURLToPath(new URL('../browser.test.mjs', import.meta.url));

/** Runs the browser tests with this filter and these views. Returns { code, stderr }. */
const run = (filter, ...views) =>
  promisify(execFile)(process.execPath, [program, ...views], { env: { ...process.env, NODE_TEST_CONTEXT: '', TEST_FILTER: filter }, timeout: 60000 }).then(
    ({ stderr }) => ({ code: 0, stderr }),
    (error) => error,
  );

const skip = (await missing()) || false;

test('a TEST_FILTER that fits nothing ends the browser tests with an error', { skip }, async () => {
  const { code, stderr } = await run('no such test', 'toy');
  assert.equal(code, 1, stderr);
  assert.match(stderr, /^TEST_FILTER=no such test fits no test\. Give the whole name/);
});

test('a view that has no tests ends them with an error that names those there are', { skip }, async () => {
  const { code, stderr } = await run('*', 'nowhere');
  assert.equal(code, 1, stderr);
  assert.match(stderr, /^There is no browser\/nowhere\.test\.mjs\. There are: answers, /);
});
