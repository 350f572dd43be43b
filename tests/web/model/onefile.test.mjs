// The page as one file: it is complete, no text in it can end a script, and it answers requests from its stored calls.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

import { answerFrom, sizeOf } from '../../../webroot/js/model/heldcalls.js';
import { fillPage, isWhole, scriptJson } from '../../../webroot/js/model/onefile.js';
import { Calls } from '../mock-timeline.mjs';

test('a page that refers to files is distinguished from a complete one', async () => {
  const apart = await readFile(new URL('../../../webroot/report/report.html', import.meta.url), 'utf8');
  assert.ok(!isWhole(apart));
  assert.ok(isWhole('<link rel="icon" href="data:image/svg+xml,"><style></style><script type="module">import.meta</script><a href="x">'));
  for (const one of ['<link rel="stylesheet" href="a.css">', '<script type="module" src="a.js"></script>', '<script src="a.js">']) assert.ok(!isWhole(one), one);
});

test('no name ends the script that it lies in, nor is taken for a place of the page', () => {
  const names = ['</script><script>alert(1)</script>', '<!--<script>', '%SNAPSHOT%', '$&$1', '\u2028', '🔥'];
  const page = fillPage('<script>%FIGURES%</script><script>%SNAPSHOT%</script>', { FIGURES: names, SNAPSHOT: { at: Float64Array.of(1, 2) } });
  assert.equal(page.split('<').length, 5);
  const [first, second] = [...page.matchAll(/<script>(.*?)<\/script>/g)].map(([, json]) => JSON.parse(json));
  assert.deepEqual(first, names);
  assert.deepEqual(second, { at: [1, 2] });
  assert.doesNotMatch(scriptJson(names), /[<\u2028]/);
});

/** Makes `n` calls of 10 ticks, one every 20 ticks, inside one long call. */
function program(n) {
  const calls = new Calls();
  for (let i = 0; i < n; i++) calls.list.push({ start: 20 * i, duration: 10, fn: 1, depth: 1, context: 0, row: 2 });
  calls.list.push({ start: 0, duration: 20 * n, fn: 0, depth: 0, context: 0, row: 1 });
  calls.now = 20 * n;
  return calls;
}

test('a stretch is answered call by call where the file has each, merged beside it, and counted once', () => {
  const calls = program(5000);
  const [whole, part] = [calls.answer(1, null, null, 400), calls.answer(1, 40000, 60000, 50000)];
  assert.ok(sizeOf(whole).merged > 0 && sizeOf(part).merged === 0);
  const inside = answerFrom({ whole, part }, { from: '45000', to: '46000' });
  assert.deepEqual(inside.rows.calls, inside.rows.calls.map(() => 1));
  assert.equal(inside.rows.start.filter((start, i) => inside.rows.depth[i] === 1 && start > 45000 && start < 46000).length, 49);
  const all = answerFrom({ whole, part }, null);
  assert.equal(all.rows.depth.filter((depth) => depth === 0).length, 1); // the long call is there once
  const { calls: counted } = sizeOf(all);
  assert.ok(counted > 4700 && counted <= 5001, `${counted}`); // except rows merged over the edges
  assert.deepEqual([all.from, all.to, all.oldest], [0, 100000, 0]);
  assert.deepEqual(answerFrom({ whole, part: null }, null).rows, whole.rows);
  const load = { from: 0, to: 100000, step: 100000, column: [0], context: [0], ran: [5] };
  assert.equal(answerFrom({ whole: { ...whole, load }, part }, { from: '45000', to: '46000' }).load, load, 'as the daemon counted it');
});
