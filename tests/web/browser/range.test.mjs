// range.test.mjs - a range of time: every view and export is limited to it, the frame shows it, and it can be left.

import assert from 'node:assert/strict';

import { ask, eventually, hash, mock, needsMock, open, ownMock, quiet, ready, testOfAll, text } from './support.mjs';

const line = (page) => page.locator('.notice[data-id="range"]');

/** Returns a middle part of the timeline, in whole ticks. */
async function middle() {
  const { oldest, newest } = await ask('timeline?max=1');
  const length = newest - oldest;
  return { from: oldest + Math.round(length * 0.3), to: oldest + Math.round(length * 0.6) };
}

const digits = (cell) => Number(cell.replaceAll(',', ''));

testOfAll('the table has the figures of the range, also when more calls arrive', async (t) => {
  const { from, to } = await middle();
  const page = await open(t, `#functions?sort=calls&range=${from}-${to}`);
  await line(page).filter({ hasText: 'these calls only' }).waitFor();
  const { functions } = await ask(`snapshot?from=${from}&to=${to}`);
  const expected = functions
    .filter((fn) => fn.calls > 0 || fn.total_ticks > 0)
    .map((fn) => fn.calls)
    .sort((a, b) => b - a);
  const shown = page.locator('.functions-table tbody tr:not(.spacer):not([hidden]) .col-calls');
  await eventually(async () =>
    assert.deepEqual(
      (await shown.allInnerTexts()).map(digits),
      expected.slice(0, await shown.count()),
    ),
  );
  await eventually(async () => assert.ok((await shown.count()) > 3));
  const before = await shown.allInnerTexts();
  const rate = await page.locator('.rate').textContent();
  await eventually(async () => assert.notEqual(await page.locator('.rate').textContent(), rate));
  assert.deepEqual(await shown.allInnerTexts(), before);
  quiet();
});

testOfAll('a timeline that is opened with a range shows the range', async (t) => {
  const { from, to } = await middle();
  const page = await open(t, `#timeline?range=${from}-${to}`);
  await page.locator('.lane-head').first().waitFor();
  await eventually(async () =>
    assert.equal(await page.getByRole('button', { name: /^Follow/ }).getAttribute('aria-pressed'), 'false'),
  );
  await page.keyboard.press('.'); // the address gets the visible part when that moves
  await eventually(async () => {
    const [, begin, end] = /[?&]at=(\d+)-(\d+)/.exec(await hash(page));
    const [span, wanted] = [end - begin, to - from];
    assert.ok(span > wanted && span < wanted * 1.5, `${span} for ${wanted}`);
  });
  quiet();
});

testOfAll('the way back from a range: its button, Backspace, Escape, and the browser', async (t) => {
  const { from, to } = await middle();
  const page = await open(t, '#flame');
  await ready(page);
  for (const leave of [
    () => page.getByRole('button', { name: 'Show everything' }).click(),
    () => page.keyboard.press('Backspace'),
    () => page.keyboard.press('Escape'),
    () => page.goBack(),
  ]) {
    await page.evaluate((at) => {
      location.hash = at;
    }, `#flame?range=${from}-${to}`);
    await line(page).filter({ hasText: 'these calls only' }).waitFor();
    const extent = await text(page, '.extent');
    await leave();
    await line(page).waitFor({ state: 'hidden' });
    await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
    await eventually(async () => assert.doesNotMatch(await hash(page), /range/));
  }
  quiet();
});

testOfAll('exports are of the range, and the menu shows it', async (t) => {
  const { from, to } = await middle();
  const page = await open(t, `#flame?range=${from}-${to}`);
  await line(page).filter({ hasText: 'these calls only' }).waitFor();
  await page.keyboard.press('e');
  await page.locator('.menu-title').waitFor();
  await eventually(async () => assert.match(await text(page, '.menu-title'), /range only/));
  const link = page.locator('a[role="menuitem"]').first(); // files that the page itself saves are listed before and are no links
  await eventually(async () =>
    assert.match(await link.getAttribute('href'), new RegExp(`\\?from=${from}&to=${to}$`)),
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('Backspace');
  await line(page).waitFor({ state: 'hidden' });
  await page.keyboard.press('e');
  await link.waitFor();
  assert.equal(await page.locator('.menu-title').count(), 0);
  await eventually(async () => assert.doesNotMatch(await link.getAttribute('href'), /\?/));
  quiet();
});

testOfAll('a range is asked for once, and again when the profile was cleared', needsMock, async (t) => {
  const own = await ownMock({ rounds: 40 });
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('.functions-table tbody th').first().waitFor();
  const { oldest, newest } = own.program.timed;
  own.asked.length = 0;
  const asked = () => own.asked.filter((url) => url.includes('snapshot?from')).length;
  await page.evaluate((at) => {
    location.hash = at;
  }, `#functions?range=${oldest}-${newest}`);
  await line(page).filter({ hasText: 'these calls only' }).waitFor();
  const { sequence } = own;
  await eventually(async () => assert.ok(own.sequence > sequence + 3));
  assert.equal(asked(), 1);
  own.live = false;
  own.clear();
  await line(page).filter({ hasText: 'It has no calls' }).waitFor();
  assert.equal(asked(), 2);
  quiet();
});

testOfAll('the times of a range count as on the timeline, also when the first record becomes known later', needsMock, async (t) => {
  const own = await ownMock({ rounds: 40, live: false });
  own.program.timed.gone = own.program.timed.newest;
  const page = await open(t, '#flame?range=1000-2000', { daemon: own.address });
  let learn = null;
  await page.route('**/api/v1/timeline?*', async (route) => {
    await new Promise((done) => (learn = done));
    await route.continue();
  });
  await page.reload();
  await line(page).filter({ hasText: 'there is nothing to show' }).waitFor();
  await eventually(async () => assert.ok(learn !== null));
  const before = await line(page).innerText();
  learn();
  await eventually(async () => assert.notEqual(await line(page).innerText(), before));
  quiet();
});

testOfAll('a range that is unavailable, or not wholly available, is reported with the next step', needsMock, async (t) => {
  const { from, to } = await middle();
  mock().program.timed.gone = from + 1;
  const page = await open(t, `#flame?range=${from - 5}-${to}`);
  await line(page).filter({ hasText: /Its calls before .* are no longer available/ }).waitFor();
  await page.evaluate((at) => {
    location.hash = at;
  }, `#flame?range=${from - 5}-${from - 1}`);
  await line(page).filter({ hasText: 'there is nothing to show' }).waitFor();
  mock().program.timed.gone = 0;
  await page.route('**/api/v1/snapshot?*', (route) =>
    route.fulfill({ status: 503, json: { title: 'Busy', detail: 'Too many ranges at once: ask again.' } }),
  );
  await page.evaluate((at) => {
    location.hash = at;
  }, `#flame?range=${from}-${to}`);
  await line(page).filter({ hasText: 'Too many ranges at once' }).waitFor();
  await page.unroute('**/api/v1/snapshot?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await line(page).filter({ hasText: 'these calls only' }).waitFor();
  assert.ok(mock().asked.some((url) => url.includes(`from=${from}`)));
  quiet(/status of 503/);
});

testOfAll('each view reports an empty range, and a press shows everything', needsMock, async (t) => {
  const own = await ownMock({ rounds: 40, live: false });
  const { oldest, newest } = own.program.timed;
  const page = await open(t, `#flame?range=${newest + 1000}-${newest + 2000}`, { daemon: own.address });
  const empty = page.locator('.empty:visible');
  await empty.getByRole('heading', { name: 'No call in this range' }).waitFor();
  own.program.timed.gone = oldest + 2000;
  await page.evaluate((at) => {
    location.hash = at;
  }, `#functions?range=${oldest}-${oldest + 1000}`);
  await empty.getByRole('heading', { name: 'This range is no longer available' }).waitFor();
  await page.keyboard.press('Shift+V');
  await empty.getByRole('heading', { name: 'This range is no longer available' }).waitFor();
  await page.locator('#tabs a[data-view="flame"]').click();
  // The button of this view: a click on that of the hidden view would wait until the timeout.
  await page.locator('.view.flame').getByRole('button', { name: 'Show everything' }).click();
  await ready(page);
  assert.doesNotMatch(await hash(page), /range/);
  quiet();
});

testOfAll('the histogram is of the range: of one within a long call it shows that one call', needsMock, async (t) => {
  const own = await ownMock({ rounds: 40, live: false });
  const [{ fn, start, duration }] = [...own.program.timed.list].sort((a, b) => b.duration - a.duration);
  const [from, to] = [start + Math.round(duration * 0.3), start + Math.round(duration * 0.6)];
  const page = await open(t, `#functions?fn=${encodeURIComponent(own.program.functions[fn].name)}&range=${from}-${to}`, { daemon: own.address });
  await page.locator('.histogram').getByText('the part inside counts').waitFor();
  const bars = page.locator('.histogram-bar:not([hidden])');
  assert.equal(await bars.count(), 1);
  assert.match(await bars.getAttribute('title'), /: 1 call/);
  await page.keyboard.press('Backspace');
  await eventually(async () => assert.ok((await bars.count()) > 5));
  assert.equal(await page.locator('.histogram').getByText('the part inside counts').count(), 0);
  quiet();
});
