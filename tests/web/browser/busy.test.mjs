// busy.test.mjs - idle time is left out of widths, shares and sorting unless the reader asks for all time.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { eventually, figure, hash, needsMock, open, ownMock, quiet, ready, rowSpot, saved, show, test, testOfAll, text, violations } from './support.mjs';

/** Adds a row to the mock's tree, and its time to the rows above it and to the function. */
function addTime({ tree, functions }, { parent, fn, context, ticks }) {
  const cells = { parent, function: fn, context, calls: 0, total_ticks: ticks, self_ticks: ticks };
  for (const [name, cell] of Object.entries(cells)) tree[name].push(cell);
  functions[fn].self_ticks += ticks;
  functions[fn].total_ticks += ticks;
}

/** Starts a mock that does not run on, with an idle task that took 39 times as long as everything else. */
async function withIdleTask() {
  const mock = await ownMock({ rounds: 20, live: false, tasks: true });
  const { program } = mock;
  const id = program.functions.length;
  program.functions.push({ ...program.functions[1], id, name: '[outside]', kind: 'outside', address: null, calls: 0, total_ticks: 0, self_ticks: 0, durations: [] });
  const busy = program.tree.total_ticks[1];
  addTime(program, { parent: 0, fn: id, context: 2, ticks: 39 * busy });
  return { mock, busy };
}

/** Starts a mock that does not run on, with a main loop whose self time is 19 times the time of its callees. */
async function withMainLoop() {
  const mock = await ownMock({ rounds: 20, live: false });
  const { functions, tree } = mock.program;
  const busy = tree.total_ticks[1];
  Object.assign(functions[0], { kind: 'function', running: 1, self_ticks: 19 * busy, total_ticks: 20 * busy });
  Object.assign(tree, { total_ticks: tree.total_ticks.with(1, 20 * busy), self_ticks: tree.self_ticks.with(1, 19 * busy) });
  return { mock, name: functions[0].name };
}

const idleOf = (page) => page.locator('.facts > div', { has: page.locator('.idle-switch') });
const whole = async (page) => (await text(page, '.extent')).split(' in ')[0];
const texts = (page, selector) => page.locator(selector).filter({ visible: true }).allInnerTexts();

testOfAll('an idle task is hidden, and one press shows it', needsMock, async (t) => {
  const { mock } = await withIdleTask();
  const page = await open(t, '#flame', { daemon: mock.address });
  await ready(page);
  assert.match(await idleOf(page).innerText(), /^idle 97\.5 %\s+busy\s*or\s*all$/i);
  const busy = await whole(page);
  assert.equal((await texts(page, '.crumbs li'))[0], 'busy time');
  assert.ok(!(await texts(page, '.hot-name')).includes('[outside]'));
  await page.locator('.flame-scroll canvas:visible').hover({ position: await rowSpot(page, 1) });
  await eventually(async () => assert.match(await text(page, '.tip'), /of busy time/));
  await page.locator('.idle-switch').click();
  await eventually(async () => assert.match(await hash(page), /idle=1/));
  await eventually(async () => assert.notEqual(await whole(page), busy));
  await eventually(async () => assert.equal((await texts(page, '.hot-name'))[0], '[outside]'));
  assert.equal((await texts(page, '.hot-share'))[0], '97.5 %');
  assert.equal((await texts(page, '.crumbs li'))[0], 'all');
  assert.deepEqual(await violations(page), []);
  await page.reload();
  await eventually(async () => assert.equal((await texts(page, '.hot-name'))[0], '[outside]'));
  await page.keyboard.press('Shift+I');
  await eventually(async () => assert.doesNotMatch(await hash(page), /idle/));
  await eventually(async () => assert.equal(await whole(page), busy));
  quiet();
});

testOfAll('a main loop is as wide as its callees, and its own time is marked as idle', needsMock, async (t) => {
  const { mock, name } = await withMainLoop();
  const page = await open(t, '#flame', { daemon: mock.address });
  await ready(page);
  assert.match(await idleOf(page).innerText(), /^idle 95\.0 %/i);
  await page.locator('.flame-scroll canvas:visible').hover({ position: await rowSpot(page, 1) });
  await eventually(async () => assert.equal(await figure(page, 'Self'), 'idle'));
  assert.equal(await figure(page, 'Share'), '100 %');
  assert.match(await text(page, '.detail-note'), /own time is idle/);
  await show(page, `#functions?search=${encodeURIComponent(`=${name}`)}`);
  const main = page.locator('.functions-table tbody tr', { has: page.locator('th', { hasText: name }) });
  await eventually(async () => assert.equal(await main.locator('.col-self').innerText(), 'idle'));
  assert.equal(await main.locator('.col-totalShare').innerText(), '100 %');
  await page.locator('.idle-switch').click();
  await eventually(async () => assert.equal(await main.locator('.col-selfShare').innerText(), '95.0 %'));
  quiet();
});

test('a mark and a saved file include idle time, whichever view is shown', needsMock, async (t) => {
  const { mock } = await withIdleTask();
  const page = await open(t, '#compare?since=0&notes=1-x', { daemon: mock.address });
  await page.locator('.compare-start button:not([disabled])', { hasText: 'Mark now' }).click();
  const extents = async () => (await texts(page, '.side-about')).map((words) => words.split(' in ')[0].split(' · ').at(-1));
  await eventually(async () => assert.equal(new Set(await extents()).size, 1));
  const [busy] = await extents();
  await page.keyboard.press('Shift+I');
  await eventually(async () => assert.ok((await extents()).every((one) => one !== busy), 'both sides'));
  await page.keyboard.press('Shift+I');
  await page.keyboard.press('2');
  await ready(page);
  const file = await saved(t, page, async () => {
    await page.keyboard.press('e');
    await page.locator('[role="menuitem"]', { hasText: 'Snapshot with notes' }).click();
  });
  const { call_tree: tree, functions } = JSON.parse(await readFile(file, 'utf8'));
  const outside = functions.find(({ name }) => name === '[outside]');
  assert.ok(outside.self_ticks > 0);
  assert.equal(tree.total_ticks.at(-1), outside.self_ticks);
  quiet();
});

testOfAll('when only idle time was measured, the page reports that and offers to show it', needsMock, async (t) => {
  const { mock } = await withMainLoop();
  const { tree, functions } = mock.program;
  for (const fn of functions.slice(1)) Object.assign(fn, { calls: 0, total_ticks: 0, self_ticks: 0 });
  for (const name of ['calls', 'total_ticks', 'self_ticks']) tree[name] = tree[name].map((cell, row) => (row === 1 ? cell : 0));
  tree.total_ticks[1] = functions[0].total_ticks = functions[0].self_ticks = tree.self_ticks[1];
  const page = await open(t, '#flame', { daemon: mock.address });
  await page.locator('.empty h2', { hasText: 'Idle all the time' }).waitFor();
  await page.getByRole('button', { name: 'Show idle time' }).click();
  await ready(page);
  assert.equal((await texts(page, '.hot-share'))[0], '100 %');
  quiet();
});
