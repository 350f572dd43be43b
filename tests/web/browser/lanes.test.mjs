// lanes.test.mjs - pins, hides and moves lanes of the timeline, by mouse and by keys; the address stores the result.

import assert from 'node:assert/strict';

import { eventually, hash, needsMock, open, ownMock, quiet, test, testOfAll, text, violations } from './support.mjs';

/** Returns the lanes from the top. */
const lanes = (page) =>
  page.locator('.lane-head').evaluateAll((heads) =>
    heads
      .map((head) => ({ name: head.innerText.trim(), top: head.getBoundingClientRect().top }))
      .sort((a, b) => a.top - b.top)
      .map(({ name }) => name.split(' ')[0]),
  );
const are = (page, names) => eventually(async () => assert.deepEqual(await lanes(page), names));
const head = (page, name) => page.locator('.lane-head', { hasText: name });
const told = (page) => page.locator('.lanes-hidden');

/** Starts a daemon with calls of three contexts. */
async function three() {
  const own = await ownMock({ rounds: 20, live: false });
  const { list } = own.program.timed;
  own.program.contexts = () => ['main', 'exceptions', 'logger'].map((name, id) => ({ id, name, kind: id === 1 ? 'isr' : 'thread' }));
  for (const call of list.filter(({ context, depth }) => context === 0 && depth === 1)) list.push({ ...call, context: 2, start: call.start + 1 });
  return own;
}

testOfAll('lanes are pinned, moved and hidden by keys, and the address and a link keep it', needsMock, async (t) => {
  const own = await three();
  const page = await open(t, '#timeline?at=all', { daemon: own.address, size: { width: 1280, height: 480 } });
  await are(page, ['main', 'logger', 'exceptions']);
  await head(page, 'exceptions').focus();
  await page.keyboard.press('p');
  await are(page, ['exceptions', 'main', 'logger']);
  assert.match(await text(page, '#timeline-spoken'), /^exceptions.*: pinned to the top$/);
  assert.match(await text(page, '.lane-head'), /^exceptions/, 'Tab comes to it first');
  await page.locator('.timeline-scroll').evaluate((one) => {
    one.scrollTop = 1000;
  });
  const topOf = async (name) => (await head(page, name).boundingBox()).y - (await page.locator('.timeline-lanes').boundingBox()).y;
  await eventually(async () => assert.ok((await topOf('main')) < 70, 'scrolled'));
  assert.equal(await topOf('exceptions'), 1);
  await page.locator('.lane-bar[data-under]', { has: head(page, 'main') }).waitFor({ state: 'attached' });
  await head(page, 'logger').focus();
  await page.keyboard.press('<');
  await are(page, ['exceptions', 'logger', 'main']);
  assert.equal(await page.evaluate(() => document.activeElement.innerText.trim().split(' ')[0]), 'logger', 'the focus goes with it');
  await page.keyboard.press('h');
  await are(page, ['exceptions', 'main']);
  await eventually(async () => assert.equal(await told(page).innerText(), '1 lane hidden, show'));
  await eventually(async () => assert.match(await hash(page), /pins=exceptions&lanes=logger,main&without=logger/));
  await page.reload();
  await are(page, ['exceptions', 'main']);
  await page.keyboard.press('u');
  await are(page, ['exceptions', 'logger', 'main']);
  await told(page).waitFor({ state: 'hidden' });
  await page.goBack();
  await are(page, ['exceptions', 'main']);
  quiet();
});

test('lanes are pinned, moved and hidden by mouse: by a menu, and by dragging', needsMock, async (t) => {
  const own = await three();
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await are(page, ['main', 'logger', 'exceptions']);
  const choose = async (name, item) => {
    await page.getByRole('button', { name: new RegExp(`^${name}.*: pin, hide, move$`) }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await choose('logger', 'Pin to the top');
  await are(page, ['logger', 'main', 'exceptions']);
  await choose('logger', 'Unpin');
  await are(page, ['main', 'logger', 'exceptions']);
  assert.deepEqual(await violations(page), []);
  const box = await head(page, 'main').boundingBox();
  const below = await head(page, 'exceptions').boundingBox();
  await page.mouse.move(box.x + 20, box.y + 8);
  await page.mouse.down();
  await page.mouse.move(box.x + 20, below.y - 10, { steps: 4 });
  await page.locator('.lane-drop').waitFor();
  await page.mouse.up();
  await are(page, ['logger', 'main', 'exceptions']);
  assert.equal(await head(page, 'main').getAttribute('aria-expanded'), 'true', 'a drag folds nothing');
  await choose('logger', 'Hide');
  await choose('main', 'Hide');
  await are(page, ['exceptions']);
  await told(page).click();
  await are(page, ['logger', 'main', 'exceptions']);
  await page.mouse.move(5, 5);
  await page.locator('#main').focus();
  await page.keyboard.press('h');
  await page.locator('.toast', { hasText: 'Which lane?' }).waitFor();
  const over = await head(page, 'exceptions').boundingBox();
  await page.mouse.move(over.x + 400, over.y + 20);
  await page.keyboard.press('h');
  await are(page, ['logger', 'main']);
  quiet();
});

testOfAll('keys skip calls of hidden lanes, and a link to such a call shows its lane', needsMock, async (t) => {
  const own = await three();
  const page = await open(t, '#timeline?at=all&without=main,exceptions', { daemon: own.address });
  await are(page, ['logger']);
  const { start } = own.program.timed.list.find(({ context, depth }) => context === 0 && depth === 1);
  await page.keyboard.press('o');
  await eventually(async () => assert.match(await hash(page), /call=2-|at=\d/));
  await are(page, ['logger']);
  await page.evaluate(
    ([from]) => {
      location.hash = `#timeline?without=main,exceptions&at=${from - 10}-${from + 20000}&call=0-1-${from}`;
    },
    [start],
  );
  await are(page, ['main', 'logger']);
  await eventually(async () => assert.equal(await told(page).innerText(), '1 lane hidden, show'));
  quiet();
});
