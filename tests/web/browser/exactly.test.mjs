// exactly.test.mjs - the moment that is asked for, and what is on the screen for somebody else: in a file, a link or a picture.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { eventually, figure, hash, needsMock, open, ownMock, quiet, saved, test, text } from './support.mjs';

const moment = (page) => page.locator('#moment');

test('a moment that is not held is told of; time counts from where one says', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#flame', { daemon: mock.address });
  await page.locator('#tabs a[data-view="timeline"]').click();
  await page.getByRole('button', { name: 'Go to …' }).click();
  await moment(page).fill('99 s');
  await page.locator('dialog').getByRole('button', { name: 'Go', exact: true }).click();
  assert.match(await text(page, '#moment-error'), /^That is after what is held: 0\.000+ s to /);
  await moment(page).fill('0:00.02');
  await page.locator('dialog').getByRole('button', { name: 'Go', exact: true }).click();
  await eventually(async () => assert.match(await hash(page), /spot=\d/));
  await page.getByLabel('Time counts from').selectOption('here');
  await eventually(async () => assert.match(await hash(page), /zero=\d/));
  await eventually(async () => assert.match(await figure(page, 'Start'), /^-?0\.00/));
  quiet();
});

test('a note is set at a moment, led to, and is in the address and the saved snapshot', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60, live: false });
  const { oldest } = mock.program.timed.answer(0, null, null, 1);
  const page = await open(t, `#timeline?at=${oldest + 18000}-${oldest + 22000}&spot=${oldest + 20000}`, { daemon: mock.address });
  await eventually(async () => assert.match(await hash(page), /call=/)); // what ran then is selected
  await page.keyboard.press('b');
  await page.locator('#note-text').waitFor();
  await page.keyboard.type('</script><b>glitch');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.ok((await hash(page)).includes(`notes=${oldest + 20000}-</script><b>glitch`)));
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('m');
  await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), 'Note: </script><b>glitch'));
  await page.locator('#tabs a[data-view="flame"]').click();
  await page.keyboard.press('Shift+B');
  assert.match(await text(page, '.notes li'), /0\.020000 s\s*<\/script><b>glitch/);
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await hash(page), /^#timeline/));
  quiet();
});

test('a link says where time counts from, and a picture is one of the view; by mouse: two actions each', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#timeline?at=all', { daemon: mock.address });
  await eventually(async () => assert.ok((await page.locator('.timeline .extent').innerText()).includes('held')));
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (words) => (globalThis.copied = words) } });
  });
  await page.getByRole('button', { name: 'Export' }).click();
  await page.getByRole('menuitem', { name: 'Copy a link' }).click();
  const { oldest } = mock.program.timed.answer(0, null, null, 1);
  await eventually(async () => assert.match(await page.evaluate(() => globalThis.copied), new RegExp(`#timeline\\?.*zero=${oldest}`)));
  const file = await saved(t, page, () => page.keyboard.press('Shift+P'));
  const png = await readFile(file);
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  const box = await page.locator('.view.timeline').boundingBox();
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [box.width, box.height].map(Math.round));
  quiet();
});
