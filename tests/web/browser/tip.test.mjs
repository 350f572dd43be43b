// tip.test.mjs - the tip of the flame graph and of the timeline: at the pointer, or at what the keys have chosen.

import assert from 'node:assert/strict';

import { eventually, needsMock, open, ownMock, quiet, ready, rowSpot, show, testOfAll, text } from './support.mjs';
import { canvas, head, name } from './timeline.mjs';

const tip = (page) => page.locator('.view:not([hidden]) .tip');
const shown = (page) => tip(page).locator('strong').innerText();

/** Returns the tip's box and checks that it is inside the window. */
async function boxOf(page) {
  const box = await tip(page).boundingBox();
  const { width, height } = page.viewportSize();
  assert.ok(box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height, JSON.stringify(box));
  return box;
}

const holds = (box, { x, y }) => x >= box.x && x <= box.x + box.width && y >= box.y && y <= box.y + box.height;

testOfAll('the tip of a frame is whole and beside the pointer, or at the frame after keys', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const page = await open(t, '#flame', { daemon: own.address });
  await ready(page);
  const flame = page.locator('.flame-scroll canvas:visible');
  const at = await rowSpot(page, 1);
  const place = await flame.boundingBox();
  for (const x of [at.x, place.width - 3]) {
    await page.mouse.move(place.x + x, place.y + at.y);
    await eventually(async () => assert.equal(await shown(page), await text(page, '.flame .detail-name')));
    const box = await boxOf(page);
    assert.ok(!holds(box, { x: place.x + x, y: place.y + at.y }));
    assert.ok(Math.abs(box.y - place.y - at.y) < 40, 'beside the pointer');
  }
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await tip(page).isVisible(), false));
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await eventually(async () => assert.match(await text(page, '#flame-spoken'), /, level 3,/));
  await eventually(async () => assert.ok((await text(page, '#flame-spoken')).startsWith(await shown(page))));
  const row = Number(await flame.getAttribute('data-row'));
  const box = await boxOf(page);
  assert.ok(Math.abs(box.y - (place.y + 4 * row)) < 12, `below the frame: ${box.y}, ${place.y + 4 * row}`);
  await page.mouse.move(place.x + place.width / 2, place.y + place.height + 40);
  await page.mouse.move(place.x + at.x, place.y + 10);
  await eventually(async () => assert.equal(await shown(page), 'All'));
  await page.mouse.move(5, 5);
  await eventually(async () => assert.equal(await tip(page).isVisible(), false));
  quiet();
});

testOfAll('the overview shows the load of the column pointed at, and of each context', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false, tasks: true });
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await page.locator('.lane-head').first().waitFor();
  const { x, y, width } = await head(page).boundingBox();
  let words = '';
  let at = 0.4; // moves right until main ran there
  await eventually(async () => {
    await page.mouse.move(x + width * (at += 0.007), y + 20);
    words = await tip(page).locator(':scope > span').innerText({ timeout: 1000 });
    assert.match(words, /^main [\d.]+ %.* · at /);
  });
  assert.match(await shown(page), /^Load [\d.]+ %$/);
  const shares = [...words.matchAll(/([\d.]+) %/g)].map(([, share]) => Number(share));
  const total = Number.parseFloat((await shown(page)).slice(5));
  assert.ok(Math.abs(shares.reduce((sum, one) => sum + one, 0) - total) < 0.3, words);
  await boxOf(page);
  await page.mouse.move(5, 5);
  await eventually(async () => assert.equal(await tip(page).isVisible(), false));
  quiet();
});

testOfAll('the tip of the timeline is at the pointer, hides during a drag, and is at the call or marker chosen by keys', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const { timed } = own.program;
  timed.mark('message', 'net is up', timed.list.at(-1).start - 5000);
  const { start, duration } = timed.list.findLast(({ context, depth }) => context === 0 && depth === 1);
  const page = await open(t, `#timeline?at=${start}-${start + duration}`, { daemon: own.address, size: { width: 390, height: 844 } });
  await page.locator('.lane-head').first().waitFor();
  const lanes = await canvas(page).boundingBox();
  const spot = { x: lanes.x + lanes.width * 0.7, y: lanes.y + 28 };
  await eventually(async () => {
    await page.mouse.move(spot.x + Math.random(), spot.y);
    assert.equal(await shown(page), await name(page));
  });
  assert.ok(!holds(await boxOf(page), spot));
  await page.mouse.down();
  await page.mouse.move(spot.x + 30, spot.y, { steps: 3 });
  await eventually(async () => assert.equal(await tip(page).isVisible(), false));
  await page.mouse.up();
  await page.mouse.move(5, 5);
  await show(page, '#timeline?at=all');
  await page.locator('.timeline .toolbar [aria-pressed="true"]', { hasText: 'All' }).waitFor();
  await page.keyboard.press('m');
  await eventually(async () => assert.equal(await shown(page), 'Message: net is up'));
  await boxOf(page);
  await page.keyboard.press('o');
  await page.keyboard.press('o');
  await eventually(async () => assert.ok((await text(page, '#timeline-spoken')).startsWith(await shown(page))));
  await boxOf(page);
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await tip(page).isVisible(), false));
  quiet();
});
