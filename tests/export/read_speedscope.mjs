// read_speedscope.mjs - speedscope's own importer reads our speedscope and trace event files, and what it
// then exports again has our figures.
//
// usage: read_speedscope.mjs SPECIMENS (the program that writes them). Needs Chromium and, in tests/web, the
// npm packages playwright-core and speedscope; exits 77 and says why when one is missing.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';

import { launch, missing } from '../web/chromium.mjs';
import { labelsOf } from './labels.mjs';

const page = new URL('../web/node_modules/speedscope/dist/release/index.html', import.meta.url);
const why = (await missing()) || (existsSync(page) ? '' : 'no speedscope (run "npm ci" in tests/web)');
if (why) {
  console.log(`SKIP: ${why}`);
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'miniprofd-test-'));
const specimens = ['plain', 'nasty', ...(process.env.TEST_ALL ? ['threads', 'huge'] : [])];
const endless = { plain: 2, nasty: 1 }; // how many outermost calls never return
let browser;

before(async () => {
  execFileSync(process.argv[2], [folder]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const ours = (name, format) => readFileSync(join(folder, `${name}.${format}`));
const json = (name, format = 'json') => JSON.parse(ours(name, format));

/** Returns speedscope's export of a file that is opened as its command line does. */
async function throughSpeedscope(name, format) {
  const script = join(folder, `${name}.${format}.js`);
  const text = ours(name, format).toString('base64');
  writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(`${name}.json`)}, '${text}')`);
  const tab = await browser.newPage({ acceptDownloads: true });
  const errors = [];
  tab.on('pageerror', (error) => errors.push(error.stack));
  tab.on('dialog', (dialog) => {
    errors.push(dialog.message());
    dialog.dismiss();
  });
  await tab.goto(`${page.href}#localProfilePath=${encodeURIComponent(script)}`);
  const [download] = await Promise.all([
    tab.waitForEvent('download', { timeout: 120000 }),
    tab.getByText('Export', { exact: false }).last().click({ timeout: 120000 }),
  ]);
  const exported = JSON.parse(readFileSync(await download.path()));
  await tab.close();
  assert.deepEqual(errors, []);
  return exported;
}

/** { stack of names: summed weight } of one of speedscope's profiles. */
function stacks(file, profile) {
  const names = file.shared.frames.map((frame) => frame.name);
  const sums = new Map();
  const add = (stack, weight) => {
    if (weight === 0) return;
    const key = JSON.stringify(stack);
    sums.set(key, (sums.get(key) ?? 0) + weight);
  };
  if (profile.type === 'sampled') {
    profile.samples.forEach((stack, i) => add(stack.map((frame) => names[frame]), profile.weights[i]));
    return sums;
  }
  const open = [];
  let at = profile.startValue;
  for (const event of profile.events) {
    add(open, event.at - at);
    at = event.at;
    if (event.type === 'O') open.push(names[event.frame]);
    else assert.equal(open.pop(), names[event.frame]);
  }
  assert.deepEqual(open, []);
  return sums;
}

/**
 * The same from our JSON snapshot: { stack: weight } of the self ticks of one context's nodes, in speedscope's
 * unit, and { stack: slack }, how much rounding may add up to: our times are whole nanoseconds, and a trace
 * has two of them for each call of the node and of those below it.
 */
function expected(snapshot, context, names = snapshot.functions.map((one) => one.name)) {
  const { parent, function: fn, context: contexts, calls, self_ticks: self } = snapshot.call_tree;
  const rate = snapshot.target.ticks_per_second;
  const stack = (node) => (node === 0 ? [] : [...stack(parent[node]), names[fn[node]]]);
  const weights = new Map();
  const slacks = new Map();
  const add = (map, key, x) => map.set(key, (map.get(key) ?? 0) + x);
  for (let node = 1; node < parent.length; node++) {
    if (contexts[node] !== context) continue;
    const key = JSON.stringify(stack(node));
    add(slacks, key, 1e-3 * (calls[node] + 1));
    add(slacks, JSON.stringify(stack(parent[node])), 1e-3 * calls[node]);
    if (self[node] > 0) add(weights, key, rate ? Math.floor((self[node] * 1e9) / rate) / 1e3 : self[node]);
  }
  return { weights, slacks };
}

/** Without slacks: equal, except sums of decimal fractions as doubles. */
function check(found, want, slacks = null) {
  for (const key of new Set([...want.keys(), ...found.keys()])) {
    const [a, b] = [found.get(key) ?? 0, want.get(key) ?? 0];
    const slack = slacks?.get(key) ?? 1e-9 + Math.abs(b) * 1e-9;
    assert.ok(Math.abs(a - b) <= slack, `${key.slice(0, 300)}: found ${a}, want ${b}`);
  }
}

for (const name of specimens) {
  test(`speedscope shows every stack of '${name}' with its time`, async () => {
    const snapshot = json(name);
    const read = await throughSpeedscope(name, 'speedscope');
    assert.equal(read.profiles.length, snapshot.contexts.length);
    read.profiles.forEach((profile, context) => {
      assert.equal(profile.name, snapshot.contexts[context].name);
      assert.equal(profile.unit, snapshot.target.ticks_per_second ? 'microseconds' : 'none');
      check(stacks(read, profile), expected(snapshot, context).weights);
    });
    const busy = snapshot.contexts.map(({ kind }, context) => (kind === 'idle' ? 0 : [...expected(snapshot, context).weights.values()].reduce((sum, weight) => sum + weight, 0)));
    assert.equal(busy[json(name, 'speedscope').activeProfileIndex], Math.max(...busy), 'it opens on the busiest');
    for (const frame of read.shared.frames) {
      const fn = snapshot.functions.find((one) => one.name === frame.name && (one.file ?? undefined) === frame.file);
      assert.ok(fn, frame.name.slice(0, 100));
      assert.equal(frame.line, fn.line ?? undefined);
    }
  });
}

test('a trace has every call once, and its ticks', () => {
  for (const name of specimens) {
    const calls = json(name, 'chrome').traceEvents.filter((event) => event.ph === 'X');
    for (const fn of json(name).functions) {
      const its = calls.filter((call) => call.name === fn.name && fn.calls !== null);
      if (json(name).functions.filter((other) => other.name === fn.name).length > 1) continue;
      assert.equal(its.length, fn.calls ?? 0);
      if (its.length > 0) assert.equal(Math.max(...its.map((call) => call.args.ticks)), fn.max_ticks);
    }
  }
});

for (const name of Object.keys(endless)) {
  test(`speedscope shows the trace of '${name}' with the time of each stack`, async () => {
    const snapshot = json(name);
    const read = await throughSpeedscope(name, 'chrome');
    assert.equal(read.profiles.length, 1);
    const scale = { microseconds: 1, milliseconds: 1e3, seconds: 1e6, nanoseconds: 1e-3 }[read.profiles[0].unit];
    const found = new Map();
    for (const [key, weight] of stacks(read, read.profiles[0])) {
      // speedscope adds the arguments of a trace event to its name.
      const stack = JSON.parse(key).map((label) => label.replace(/ \{"start_ticks".*\}$/s, ''));
      const plain = JSON.stringify(stack);
      if (stack.length > 0) found.set(plain, (found.get(plain) ?? 0) + weight * scale);
    }
    // Callers that have not returned are not calls yet, so the trace begins below their placeholders.
    const below = (key) => JSON.stringify(JSON.parse(key).slice(endless[name]));
    const { weights, slacks } = expected(snapshot, 0, labelsOf(snapshot));
    const rekeyed = (map) => new Map([...map].map(([key, x]) => [below(key), x]));
    check(found, rekeyed(weights), rekeyed(slacks));
  });
}
