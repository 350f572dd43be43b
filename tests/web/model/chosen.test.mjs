// chosen.test.mjs - which browser tests run: a filter that matches none ends the run with an error at once.

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

/** Returns the names of those that run of two tests of the view "flame": "plain", and "rare", declared with testOfAll(). */
async function chosenWith(environment) {
  const said = ["import { beginView, isChosen } from './chosen.mjs'; beginView('flame');", "console.log([isChosen('plain') && 'plain', isChosen('rare', { isOfAll: true }) && 'rare'].filter(Boolean).join(' '));"];
  const { TEST_ALL, TEST_FILTER, TEST_MEASURE, ...rest } = process.env;
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', said.join('\n')], { cwd, env: { ...rest, ...environment } });
  return stdout.trim();
}

test('a test of a full run is left out of a usual run, except where it or its view is named', async () => {
  assert.equal(await chosenWith({}), 'plain');
  assert.equal(await chosenWith({ TEST_ALL: '1' }), 'plain rare');
  assert.equal(await chosenWith({ TEST_FILTER: 'flame' }), 'plain rare');
  assert.equal(await chosenWith({ TEST_FILTER: 'rare' }), 'rare');
  assert.equal(await chosenWith({ TEST_FILTER: 'timeline' }), '');
});
