// overview.test.mjs - the first view: its figures are those of the daemon, and each leads to another view.

import assert from 'node:assert/strict';

import { cellDuration, duration, percent } from '../../../webroot/js/model/format.js';
import { ask, eventually, hash, needsMock, open, ownMock, quiet, shown, snapshot, testOfAll, text, violationsInBothThemes } from './support.mjs';

const rows = (page) => page.locator('.slowest tbody tr:not([hidden])');
const part = (page, name) => page.locator('.overview-aside').getByRole('region', { name });
const still = (t, options) => ownMock({ rounds: 120, live: false, tasks: true, ...options });

testOfAll('an address without a view opens it, with the load over time and the slowest calls as the daemon has them', needsMock, async (t) => {
  const own = await still(t);
  const page = await open(t, '', { daemon: own.address, size: { width: 1440, height: 900 } });
  const { calls } = await ask('slowest', own.address);
  const { functions, target } = await snapshot(own.address);
  assert.ok(calls.length > 1 && calls.length <= 5, `${calls.length}`);
  await eventually(async () => assert.equal(await rows(page).count(), calls.length));
  for (const [i, call] of calls.entries()) {
    const cells = async (name) => rows(page).nth(i).locator(`.slow-${name}`).innerText();
    assert.equal(await cells('took'), cellDuration(call.duration, target.ticks_per_second));
    assert.equal(await cells('usual'), cellDuration(call.usual_ticks, target.ticks_per_second));
    assert.equal(await rows(page).nth(i).locator('.slow-name button').getAttribute('title'), functions[call.function].name);
    assert.match(await cells('why'), /^(ran|blocked|preempted) \d/);
  }
  await eventually(async () => assert.match(await page.locator('.overview-curve canvas').getAttribute('aria-label'), /^Load of \d contexts over time: [\d.]+ % on average/));
  assert.equal(await page.locator('.overview-legend li').count(), 2);
  // The load is the same in the header, here and in the API; tasks.test.mjs checks the Tasks view.
  const { contexts } = await snapshot(own.address);
  const known = contexts.reduce((sum, { running_ticks: ticks }) => sum + ticks, 0);
  const load = percent(1 - contexts.find(({ kind }) => kind === 'idle').running_ticks / known);
  assert.equal(await text(page, '.overview-figure'), load);
  assert.equal(await text(page, '#facts .load'), load);
  const told = await page.locator('.overview-legend li').allInnerTexts();
  for (const { name, kind, running_ticks: ticks } of contexts)
    if (kind !== 'idle') assert.ok(told.some((one) => one.includes(name) && one.includes(percent(ticks / known))), `${name} ${told}`);
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});

testOfAll('each slow call leads to its moment and to its function, by mouse and by keys', needsMock, async (t) => {
  const own = await still(t);
  const page = await open(t, '#overview', { daemon: own.address });
  const [{ function: fn, context, depth, start }] = (await ask('slowest', own.address)).calls;
  const { functions } = await snapshot(own.address);
  await rows(page).first().locator('.slow-at button').click();
  await shown(page, 'timeline');
  await eventually(async () => assert.ok((await hash(page)).includes(`call=${context}-${depth}-${start}`)));
  await page.keyboard.press('1');
  await shown(page, 'overview');
  await rows(page).first().locator('.slow-name button').focus();
  await page.keyboard.press('Enter');
  await shown(page, 'functions');
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), functions[fn].name));
  quiet();
});

testOfAll('the load leads to its time on the timeline, the flame graph to the frame, a function to its card', needsMock, async (t) => {
  const own = await still(t);
  const page = await open(t, '#overview', { daemon: own.address, size: { width: 1440, height: 900 } });
  const canvas = page.locator('.overview-curve canvas');
  await eventually(async () => assert.match(await canvas.getAttribute('aria-label'), /on average/));
  const { width, height } = await canvas.boundingBox();
  await canvas.hover({ position: { x: width / 2, y: height / 2 } });
  await page.locator('.overview-load .tip', { hasText: /Load [\d.]+ %/ }).waitFor();
  await canvas.click({ position: { x: width / 2, y: height / 2 } });
  await shown(page, 'timeline');
  assert.match(await hash(page), /at=\d+-\d+/);
  await page.keyboard.press('1');
  const graph = page.locator('.overview-flame canvas').first();
  await graph.click({ position: { x: 60, y: 3.5 * Number(await graph.getAttribute('data-row')) } });
  await shown(page, 'flame');
  assert.match(await hash(page), /zoom=/);
  await page.keyboard.press('1');
  const first = part(page, 'Busiest functions').locator('li').first();
  const { functions } = await snapshot(own.address);
  const whole = functions.reduce((sum, one) => sum + (one.self_ticks ?? 0), 0);
  const most = functions.reduce((a, b) => (b.self_ticks > a.self_ticks ? b : a));
  assert.equal(await first.locator('strong').innerText(), percent(most.self_ticks / whole));
  await first.locator('button').click();
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), most.name));
  quiet();
});

testOfAll('limits, what changed since the mark, and health are shown, and lead on', needsMock, async (t) => {
  const own = await still(t);
  own.doctor = { findings: [{ verdict: 'warn', text: 'The device sends but does not answer; check the wire to its RX.' }], fails: 0 };
  const page = await open(t, '#overview', { daemon: own.address });
  await part(page, 'Health').getByText('check the wire to its RX').waitFor();
  // Health says what lines above the other views say, and only what is bad is above this one, too.
  own.set({ target: { clock_doubt: 'It runs at 0.50.' } });
  await part(page, 'Health').getByText('Times may be wrong. It runs at 0.50.').waitFor();
  assert.equal(await page.locator('#notices .notice').count(), 0);
  await page.keyboard.press('4');
  await page.locator('.notice[data-id="clock"]').waitFor();
  await page.keyboard.press('1');
  own.set({ target: { clock_doubt: null, elf_match: false } });
  await page.locator('.notice[data-id="elf"]').waitFor();
  own.set({ target: { elf_match: true } });
  await part(page, 'Limits').getByRole('button', { name: 'Add a limit' }).click();
  await page.keyboard.type('spi_wait:max<1us');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('listitem').getByText('spi_wait:max<1us').waitFor();
  await page.keyboard.press('Escape');
  const { newest } = await ask('timeline?max=1', own.address);
  own.breach(1, newest - 700, newest, 700000);
  await part(page, 'Limits').getByText('1 broken').waitFor();
  await part(page, 'Limits').locator('li', { hasText: 'spi_wait:max<1us' }).getByText('broken 1 ×').waitFor();
  // Of a long one the end stays legible: it has the value.
  await part(page, 'Limits').getByRole('button', { name: 'All limits' }).click();
  await page.keyboard.type('gfx_draw_gauge:p99<123456us');
  await page.keyboard.press('Enter');
  const long = part(page, 'Limits').locator('li button', { hasText: /^gfx_draw_g…ge:p99<123456us$/ });
  await eventually(async () => assert.equal(await long.getAttribute('title'), 'gfx_draw_gauge:p99<123456us: open the limits'));
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await page.locator('dialog').count(), 0)); // until then its field has the key
  await page.keyboard.press('m');
  await part(page, 'Since the mark').getByText(/as before, or within noise/).waitFor();
  await part(page, 'Since the mark').getByRole('button', { name: 'Compare' }).click();
  await shown(page, 'compare');
  await page.keyboard.press('1');
  await part(page, 'Health').getByRole('button', { name: 'Details' }).click();
  await page.locator('#panel .checks').waitFor();
  quiet();
});

testOfAll('without calls it explains what is missing; without slow calls it reports that', needsMock, async (t) => {
  const empty = await ownMock({ rounds: 0, live: false });
  const page = await open(t, '#overview', { daemon: empty.address });
  await page.locator('.overview .empty h2').waitFor();
  const own = await ownMock({ rounds: 20, live: false });
  const { timed, functions } = own.program;
  for (const fn of functions) fn.p99_ticks = 1e9;
  assert.equal(timed.slowest(1, null, null, 5, functions).calls.length, 0);
  quiet();
});

testOfAll('a call selected on the timeline shows where its time went', needsMock, async (t) => {
  const own = await still(t);
  const page = await open(t, '#overview', { daemon: own.address });
  await rows(page).first().locator('.slow-at button').click();
  const { calls, ...rest } = await ask('slowest', own.address);
  assert.ok(rest.newest > 0);
  const { ran_ticks: ran } = calls[0];
  const { target } = await snapshot(own.address);
  const note = page.locator('.timeline .detail-note');
  await eventually(async () => assert.ok((await note.innerText()).startsWith(`Ran ${duration(ran, target.ticks_per_second)}`)));
  quiet();
});

testOfAll('functions are pinned by key and by mouse, stand in the overview with the figures of the API, and below the header when wanted', needsMock, async (t) => {
  const own = await still(t);
  const { functions, target } = await snapshot(own.address);
  const [first, second] = functions.filter(({ calls, p50_ticks: p50 }) => calls > 20 && p50 > 0);
  const page = await open(t, `#functions?fn=${first.name}`, { daemon: own.address, size: { width: 1440, height: 900 } });
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), first.name));
  await page.keyboard.press('p');
  await eventually(async () => assert.equal(await page.getByRole('button', { name: 'Pin', exact: true }).getAttribute('aria-pressed'), 'true'));
  await page.evaluate((to) => (location.hash = to), `#functions?fn=${second.name}&pinned=${first.name}`);
  await eventually(async () => assert.equal(await text(page, '.sandwich-name'), second.name));
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  await page.keyboard.press('1');
  const lines = part(page, 'Pinned').locator('.pinned-rows li:not([hidden])');
  await eventually(async () => assert.equal(await lines.count(), 2));
  for (const [i, fn] of [first, second].entries()) {
    const told = await lines.nth(i).innerText();
    for (const figure of ['p50', 'p99', 'max']) assert.ok(told.includes(cellDuration(fn[`${figure}_ticks`], target.ticks_per_second)), `${told}: ${figure} of ${fn.name}`);
  }
  await eventually(async () => assert.match((await lines.first().locator('.spark path').getAttribute('d')) ?? '', /^M/));
  assert.deepEqual(await violationsInBothThemes(page), []);
  await page.keyboard.press('Shift+W');
  await page.keyboard.press('2');
  await page.locator('.strip .pinned-rows li').nth(1).waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  await page.locator('.strip').getByRole('button', { name: `Unpin ${first.name}` }).click();
  await eventually(async () => assert.equal(await page.locator('.strip .pinned-rows li:not([hidden])').count(), 1));
  await page.keyboard.press('Shift+W');
  await eventually(async () => assert.ok(await page.locator('.strip').isHidden()));
  quiet();
});
