// held.test.mjs - which part of the timeline is available: while paused, at its ends, and when a link leads outside of it.

import assert from 'node:assert/strict';

import { duration } from '../../../webroot/js/model/format.js';
import { ask, eventually, hash, needsMock, open, ownMock, pause, quiet, show, snapshot, test, testOfAll, text } from './support.mjs';
import { canvas, name } from './timeline.mjs';

testOfAll('a paused view can be inspected, counted and exported after the daemon has dropped its records', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60 });
  const page = await open(t, '#timeline', { daemon: own.address });
  await page.locator('.lane-head').first().waitFor();
  await pause(page);
  const [kept] = own.pauses.values();
  const { oldest, newest } = kept.program.timed;
  const { total_ticks: before } = kept.program.functions[2];
  own.program.run(300);
  own.program.timed.list = own.program.timed.list.filter(({ start }) => start > newest);
  own.publish();
  own.asked.length = 0;
  for (let i = 0; i < 4; i++) await page.keyboard.press('w');
  await page.locator('.timeline canvas').last().focus();
  await eventually(() => assert.ok(own.asked.some((url) => /timeline\?.*from=.*&pause=1/.test(url))));
  const asked = own.asked.filter((url) => /api.*(timeline|functions|snapshot)/.test(url));
  assert.deepEqual(asked.filter((url) => !url.includes('pause=1')), []);
  await page.keyboard.press('ArrowRight'); // wait until a call can be selected
  await eventually(async () => assert.match(await page.locator('#timeline-spoken').textContent(), /\w/));
  const at = `${Math.round(oldest + (newest - oldest) * 0.2)}-${Math.round(oldest + (newest - oldest) * 0.5)}`;
  await show(page, `#functions?range=${at}&fn=${own.program.functions[2].name}`);
  await page.locator('[data-id="range"]').filter({ hasText: 'these calls only' }).waitFor();
  await eventually(() => assert.ok(own.asked.some((url) => /functions\/2\?from=\d+&to=\d+&pause=1/.test(url))));
  await page.keyboard.press('e');
  const link = page.locator('a[role="menuitem"]').first(); // files that the page itself saves are listed before and are no links
  await eventually(async () => assert.match(await link.getAttribute('href'), /from=\d+&to=\d+&pause=1$/));
  assert.equal(kept.program.functions[2].total_ticks, before);
  await page.keyboard.press('Escape');
  await page.locator('[data-id="pause"]').getByRole('button', { name: 'Resume' }).click();
  await eventually(() => assert.equal(own.pauses.size, 0));
  quiet();
});

test('a pause that the daemon cannot keep, or has dropped, is reported and stays frozen', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60 });
  own.pausesMost = 0;
  const page = await open(t, '#timeline', { daemon: own.address });
  await page.locator('.lane-head').first().waitFor();
  await pause(page);
  const words = page.locator('[data-id="pause"]');
  await words.filter({ hasText: 'No more can be kept' }).waitFor();
  await page.keyboard.press(' ');
  own.pausesMost = 4;
  await pause(page);
  await words.filter({ hasText: 'kept for another' }).waitFor();
  assert.equal(await words.getByRole('button', { name: 'Keep longer' }).isVisible(), false);
  own.pauses.clear();
  await page.keyboard.press('w');
  await page.keyboard.press('w');
  await words.filter({ hasText: 'not kept any more' }).waitFor();
  await words.getByRole('button', { name: 'Resume' }).click();
  await words.waitFor({ state: 'detached' });
  quiet(/status of (503|410)/);
});

test('what is asked of a paused moment is answered before it is let go', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60 });
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('.functions tbody .key button').first().waitFor();
  await pause(page);
  let answer = null;
  await page.route(/functions\/\d+\?.*pause=/, async (route) => {
    await new Promise((resolve) => (answer = resolve));
    await route.continue();
  });
  await page.locator('.functions tbody .key button').first().click();
  await eventually(() => assert.notEqual(answer, null));
  await page.locator('[data-id="pause"]').getByRole('button', { name: 'Resume' }).click();
  await page.locator('[data-id="pause"]').waitFor({ state: 'detached' });
  assert.equal(own.pauses.size, 1);
  answer();
  await eventually(() => assert.equal(own.pauses.size, 0));
  quiet();
});

testOfAll('a link to a moment that is not held reports that, and the range that is held', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const { oldest, newest } = await ask('timeline?max=1', own.address);
  const middle = Math.round((oldest + newest) / 2);
  own.program.timed.list = own.program.timed.list.filter(({ start }) => start > middle);
  const page = await open(t, `#timeline?at=${oldest}-${oldest + 2000}&spot=${oldest + 1000}`, { daemon: own.address });
  const toast = page.locator('.toast');
  const says = (words) => toast.filter({ hasText: words }).waitFor();
  await says(/0\.0010* s is no longer available: the timeline holds .* to .*\. Record/);
  await toast.getByRole('button', { name: 'Show all' }).click();
  await eventually(async () => assert.match(await hash(page), /at=all/));
  await show(page, `#timeline?at=${newest + 5000}-${newest + 6000}`);
  await says(/has not come yet: the timeline holds/);
  await toast.getByRole('button', { name: 'Dismiss' }).click();
  const call = own.program.timed.list.at(-2);
  await show(page, `#timeline?at=${call.start - 100}-${call.start + 100}&call=${call.context}-${call.depth}-${call.start}`);
  await eventually(async () => assert.notEqual(await name(page), 'Nothing selected'));
  assert.equal(await toast.count(), 0);
  own.set({ source: { state: 'ended' } });
  await page.locator('#connection-title', { hasText: 'Recording complete' }).waitFor(); // before that, more data may arrive
  await show(page, `#timeline?at=${newest + 5000}-${newest + 6000}&spot=${newest + 5500}`);
  await says(/is after the end: the timeline holds/);
  quiet();
});

testOfAll('the time before the first record is distinguished from time whose calls are no longer held', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const { oldest, newest } = await ask('timeline?max=1', own.address);
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('.functions tbody th').first().waitFor();
  await page.evaluate(() => {
    const { prototype } = CanvasRenderingContext2D;
    const { fillText } = prototype;
    prototype.fillText = function tell(words, ...at) {
      (this.canvas.told ??= new Set()).add(words);
      fillText.call(this, words, ...at);
    };
  });
  const told = () => canvas(page).evaluate((one) => [...(one.told ?? [])].filter((words) => /first record|available/.test(words)));
  await show(page, `#timeline?at=${oldest - 1000}-${oldest + 1000}`);
  await eventually(async () => assert.deepEqual(await told(), ['before the first record']));
  own.program.timed.list = own.program.timed.list.filter(({ start }) => start > (oldest + newest) / 2);
  own.publish();
  const held = (await ask('timeline?max=1', own.address)).oldest;
  await show(page, `#timeline?at=${held - 1000}-${held + 1000}`);
  await eventually(async () => assert.deepEqual(await told(), ['before the first record', 'no calls available']));
  quiet();
});

testOfAll('records that arrive with the end of a recording are held, too', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await page.locator('.timeline .toolbar [aria-pressed="true"]', { hasText: 'All' }).waitFor();
  own.program.run(60);
  own.set({ source: { state: 'ended' } });
  const { oldest, newest } = await ask('timeline?max=1', own.address);
  const { target } = await snapshot(own.address);
  const held = `${duration(newest - oldest, target.ticks_per_second)} available`;
  await eventually(async () => assert.ok((await text(page, '.timeline .extent')).endsWith(held)));
  quiet();
});

testOfAll('a finished recording opens with its newest calls, and All shows the rest', needsMock, async (t) => {
  const own = await ownMock({ rounds: 200, live: false });
  const page = await open(t, '#timeline', { daemon: own.address });
  const pressed = page.locator('.timeline .toolbar [aria-pressed="true"]');
  await pressed.filter({ hasText: 'Following' }).waitFor();
  own.set({ source: { state: 'ended' } });
  await page.reload();
  await eventually(async () => {
    const [visible, available] = ((await text(page, '.timeline .extent')).match(/[\d.]+ \S+(?= (visible|available))/g) ?? []).map(milliseconds);
    assert.ok(visible < available / 10, `${visible} of ${available} ms`);
  });
  assert.equal(await pressed.count(), 0);
  await page.keyboard.press('0');
  await pressed.filter({ hasText: 'All' }).waitFor();
  quiet();
});

const milliseconds = (words) => parseFloat(words) * { s: 1000, ms: 1, µs: 0.001 }[words.split(' ')[1]];

const catchCopies = (page) =>
  page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (words) => (globalThis.copied = words) } }));

testOfAll('a link copied while paused leads to that moment, also after its owner has resumed, and says who can open it', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#timeline', { daemon: own.address });
  await page.locator('.lane-head').first().waitFor();
  await pause(page);
  await eventually(() => assert.equal(own.pauses.size, 1));
  const [[id, kept]] = [...own.pauses];
  const before = kept.program.functions[2].total_ticks;
  await catchCopies(page);
  await page.keyboard.press('Shift+Y');
  const said = page.locator('.toast', { hasText: 'Link copied' });
  await said.filter({ hasText: /It opens on this computer only\. .*--listen.* It leads to this moment, which is kept for 30 minutes/ }).waitFor();
  const link = await page.evaluate(() => globalThis.copied);
  assert.match(link, new RegExp(`#timeline\\?.*at=\\d+-\\d+.*pause=${id}`));
  await page.locator('[data-id="pause"]').getByRole('button', { name: 'Resume' }).click();
  await page.locator('[data-id="pause"]').waitFor({ state: 'detached' });
  own.program.run(30);
  own.publish();

  const other = await open(t, `${new URL(link).hash}`.replace('#timeline', '#functions'), { daemon: own.address });
  await other.locator('[data-id="pause"]', { hasText: 'This moment is kept for another' }).waitFor();
  await other.locator('.functions-table tbody th').first().waitFor();
  assert.equal((await ask(`snapshot?pause=${id}`, own.address)).functions[2].total_ticks, before);
  await other.locator('[data-id="pause"]').getByRole('button', { name: 'Resume' }).click();
  await eventually(async () => assert.doesNotMatch(await hash(other), /pause=/));
  assert.equal(own.pauses.size, 1, 'others may have the link, too');

  own.pauses.clear();
  await show(other, `#functions?pause=${id}`);
  await other.locator('.toast[data-level="bad"]', { hasText: /The moment of the link is gone.*What you see is of now/ }).waitFor();
  await eventually(async () => assert.doesNotMatch(await hash(other), /pause=/));
  quiet(/410/);
});
