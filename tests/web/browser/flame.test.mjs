// flame.test.mjs - the flame graph: zoom, search, hiding, direction, pausing, touch.

import assert from 'node:assert/strict';

import { cellDuration } from '../../../webroot/js/model/format.js';
import { chooseInView, eventually, figure, hash, needsMock, open, ownMock, pause, quiet, ready, rowSpot, snapshot, test, testOfAll, text, violations } from './support.mjs';

testOfAll('a click zooms, the way back is visible, Escape and 0 lead back', async (t) => {
  const page = await open(t);
  await ready(page);
  const canvas = page.locator('.flame-scroll canvas:visible');
  await canvas.click({ position: await rowSpot(page, 3) });
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  await eventually(async () => assert.ok((await page.locator('.crumbs li').count()) > 1));
  await eventually(async () => assert.equal(await figure(page, 'of zoom'), '100 %'));
  await page.keyboard.press('Escape');
  await eventually(async () => assert.doesNotMatch(await hash(page), /zoom=/));
  await canvas.click({ position: await rowSpot(page, 3) });
  await page.keyboard.press('0');
  await eventually(async () => assert.equal(await page.locator('.crumbs li').count(), 1));
  await canvas.click({ position: await rowSpot(page, 3) });
  await page.locator('.crumbs button').first().click();
  await eventually(async () => assert.equal(await page.locator('.crumbs li').count(), 1));
  quiet();
});

test('the graph shows that its first frames are being built', async (t) => {
  const page = await open(t, '#timeline');
  await page.route('**/js/worker/frames.js', () => {}); // never answered
  t.after(() => page.unroute('**/js/worker/frames.js'));
  await page.goto(`${page.url().split('#')[0]}#flame`);
  await page.reload();
  await page.locator('.flame .empty h2', { hasText: 'Building the graph' }).waitFor();
  quiet();
});

test('a small picture of the whole graph shows the visible part, and leads to others', async (t) => {
  const page = await open(t);
  await ready(page);
  const map = page.locator('.minimap');
  assert.equal(await map.isVisible(), false, 'the whole is visible');
  await page.locator('.flame-scroll canvas:visible').click({ position: await rowSpot(page, 4) });
  await map.waitFor();
  const zoomed = await hash(page);
  const { width, height } = await map.boundingBox();
  await map.click({ position: { x: width - 8, y: height / 2 } });
  await eventually(async () => assert.notEqual(await hash(page), zoomed));
  await map.waitFor();
  await page.keyboard.press('0');
  await map.waitFor({ state: 'hidden' });
  quiet();
});

testOfAll('zoom and selection stay while data keeps coming, and a reload comes back to them', async (t) => {
  const page = await open(t);
  await ready(page);
  await page.locator('.flame-scroll canvas:visible').click({ position: await rowSpot(page, 3) });
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  await page.mouse.move(5, 5);
  const [where, name, extent] = [
    await hash(page),
    await text(page, '.detail-name'),
    await text(page, '.extent'),
  ];
  await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
  await eventually(async () => assert.deepEqual([await hash(page), await text(page, '.detail-name')], [where, name]));
  await page.reload();
  await ready(page);
  await eventually(async () => assert.equal(await hash(page), where));
  await eventually(async () =>
    assert.equal(await page.locator('.crumbs [aria-current]').innerText(), where.split('/').at(-1)),
  );
  quiet();
});

test('search counts and lists the matches, and leads to frames too narrow to see', async (t) => {
  const page = await open(t);
  await ready(page);
  const { functions } = await snapshot();
  const rarest = functions
    .filter((fn) => fn.calls > 0 && /^\w+$/.test(fn.name))
    .sort((a, b) => a.total_ticks - b.total_ticks)[0].name;
  await page.keyboard.press('/');
  await page.keyboard.type(`/^${rarest}$/`);
  await eventually(async () => assert.match(await text(page, '#search-result'), /%.*1 function$/));
  await eventually(async () => assert.equal(await page.locator('.hot-list li:not([hidden])').count(), 1));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await text(page, '.detail-name'), rarest));
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  await page.locator('#search-text').fill('/(/');
  await page.locator('#search-text[aria-invalid="true"]').waitFor();
  await page.locator('#search-text').press('Escape');
  await eventually(async () => assert.doesNotMatch(await hash(page), /search=/));
  quiet();
});

testOfAll('hide, focus and undo change the drawn frames', async (t) => {
  const page = await open(t);
  await ready(page);
  const total = () => text(page, '.extent');
  await pause(page);
  const whole = (await total()).split(' in ')[0];
  await page.locator('.flame-scroll canvas:visible').click({ button: 'right', position: await rowSpot(page, 3) });
  await page.locator('[role="menuitem"]', { hasText: 'Hide' }).click();
  await page.locator('.chip').waitFor();
  await eventually(async () => assert.notEqual((await total()).split(' in ')[0], whole));
  await page.keyboard.press('u');
  await eventually(async () => assert.equal((await total()).split(' in ')[0], whole));
  await page.locator('.flame-scroll canvas:visible').click({ button: 'right', position: await rowSpot(page, 3) });
  const name = await text(page, '.menu-title');
  await page.locator('[role="menuitem"]', { hasText: 'Focus' }).click();
  await page.locator('.chip', { hasText: name }).waitFor();
  await page.locator('.chip').click();
  await eventually(async () => assert.equal((await total()).split(' in ')[0], whole));
  quiet();
});

test('merging removes a function and leaves its callees, hiding removes both', async (t) => {
  const page = await open(t);
  await ready(page);
  await pause(page);
  const all = (await text(page, '.extent')).split(' in ')[0];
  const { functions } = await snapshot();
  await page.locator('.flame-scroll canvas:visible').click({ button: 'right', position: await rowSpot(page, 3) });
  const name = await text(page, '.menu-title');
  assert.ok(functions.some((fn) => fn.name === name));
  await page.locator('[role="menuitem"]', { hasText: 'Merge' }).click();
  await page.locator('.chip', { hasText: `merged${name}` }).waitFor();
  await eventually(async () => assert.match(await hash(page), /merge=/));
  await eventually(async () => assert.ok(!(await page.locator('.hot-name:visible').allInnerTexts()).includes(name)));
  assert.equal((await text(page, '.extent')).split(' in ')[0], all);
  await page.keyboard.press('u');
  await eventually(async () => assert.doesNotMatch(await hash(page), /merge=/));
  await page.locator('.flame-scroll canvas:visible').click({ button: 'right', position: await rowSpot(page, 2) });
  await page.locator('[role="menuitem"]', { hasText: 'Hide' }).click();
  // If this was all there is, nothing is left and no extent is shown.
  await eventually(async () => assert.ok((await page.locator('.extent:visible').allInnerTexts()).every((shown) => shown.split(' in ')[0] !== all)));
  quiet();
});

test('direction, order, width and folding are in the address and change the graph', async (t) => {
  const page = await open(t);
  await ready(page);
  const first = () => text(page, '.extent');
  const frames = (await first()).split(' · ')[1];
  await page.keyboard.press('i');
  await eventually(async () => assert.match(await hash(page), /inverted=1/));
  await eventually(async () => assert.notEqual((await first()).split(' · ')[1], frames));
  await page.keyboard.press('o');
  await page.keyboard.press('w');
  await page.keyboard.press('r');
  await eventually(async () =>
    assert.match(
      await hash(page),
      /unit=calls.*order=name.*collapse=1|unit=calls.*inverted=1.*order=name.*collapse=1/,
    ),
  );
  await eventually(async () => assert.equal(await page.locator('.flame .toolbar button', { hasText: /^Callers$/ }).getAttribute('aria-pressed'), 'true'));
  await page.locator('.flame').getByRole('button', { name: /^View:/ }).click();
  assert.deepEqual(await page.locator('.menu [aria-checked="true"] > span').allInnerTexts(), ['Graph and table', 'Number of calls', 'By name', 'Function', 'Fold recursion']);
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await chooseInView(page, 'Heaviest first');
  await eventually(async () => assert.doesNotMatch(await hash(page), /order=/));
  quiet();
});

test('pause freezes the view and counts the updates it holds back; resume shows them', async (t) => {
  const page = await open(t);
  await ready(page);
  await pause(page);
  const extent = await text(page, '.extent');
  await eventually(async () =>
    assert.match(await text(page, '[data-id="pause"]'), /([3-9]|\d\d) updates not shown/),
  );
  await eventually(async () => assert.equal(await text(page, '.extent'), extent));
  await page.locator('[data-id="pause"]').getByRole('button', { name: 'Resume' }).click();
  await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
  assert.equal(await page.locator('[data-id="pause"]').count(), 0);
  quiet();
});

test('a finger selects first and zooms with the second tap', async (t) => {
  const page = await open(t, '#flame', { size: { width: 390, height: 844 }, hasTouch: true });
  await ready(page);
  const canvas = page.locator('.flame-scroll canvas:visible');
  await canvas.tap({ position: { x: 60, y: 60 } });
  await eventually(async () => assert.notEqual(await text(page, '.detail-name'), 'All'));
  await eventually(async () => assert.doesNotMatch(await hash(page), /zoom=/));
  await canvas.tap({ position: { x: 60, y: 60 } });
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  quiet();
});

testOfAll('a shallow graph lies above a table with the longest call over time, a deep one beside a list; v shows one of them', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#flame', { daemon: own.address, size: { width: 1440, height: 900 } });
  await ready(page);
  const [graph, list] = [page.locator('.flame .flame-main'), page.locator('.flame .hot')];
  const boxes = async () => [await graph.boundingBox(), await list.boundingBox()];
  await eventually(async () => {
    const [above, below] = await boxes();
    assert.ok(Math.abs(below.y - above.y - above.height) < 2 && below.width === 1440 && below.height > 300, JSON.stringify([above, below]));
  });
  const { functions, target } = await snapshot(own.address);
  const row = page.locator('.hot-list li:not([hidden])').first();
  const [fn] = [...functions].sort((a, b) => b.self_ticks - a.self_ticks);
  const time = (ticks) => cellDuration(ticks, target.ticks_per_second);
  assert.deepEqual(await row.locator('.hot-figure').allInnerTexts(), [time(fn.total_ticks), fn.calls.toLocaleString('en'), time(fn.mean_ticks), time(fn.p99_ticks), time(fn.max_ticks)]);
  await eventually(async () => assert.match(await row.locator('.spark path').getAttribute('d'), /^M/));
  assert.deepEqual(await violations(page), []);
  await page.setViewportSize({ width: 1440, height: 560 });
  await eventually(async () => {
    const [left, right] = await boxes();
    assert.ok(left.y === right.y && right.x >= left.x + left.width - 1 && right.width < 400, JSON.stringify([left, right]));
  });
  assert.equal(await row.locator('.hot-figure').count(), 0);
  await page.setViewportSize({ width: 390, height: 844 });
  await eventually(async () => {
    const [above, below] = await boxes();
    const rowPx = Number(await page.locator('.flame-scroll canvas').getAttribute('data-row'));
    assert.ok(Math.abs(below.y - above.y - above.height) < 2 && (above.height - 1) % rowPx === 0, JSON.stringify([above, below]));
  });
  await page.keyboard.press('v');
  await list.waitFor({ state: 'hidden' });
  await page.keyboard.press('v');
  await graph.waitFor({ state: 'hidden' });
  assert.match(await hash(page), /parts=table/);
  await row.locator('button').click();
  await page.reload();
  await list.waitFor();
  assert.ok(await graph.isHidden());
  quiet();
});
