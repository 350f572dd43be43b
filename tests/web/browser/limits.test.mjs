// limits.test.mjs - the limits' badge and dialog.

import assert from 'node:assert/strict';

import { ask, eventually, hash, needsMock, open, ownMock, quiet, test, testOfAll, violationsInBothThemes } from './support.mjs';

const dialog = (page) => page.getByRole('dialog', { name: 'Limits' });
const items = (page) => dialog(page).getByRole('list', { name: 'Limits', exact: true }).getByRole('listitem');
const badge = (page) => page.locator('#badges').getByRole('button', { name: /limits?/ });

testOfAll('a limit is set with keys, its breach is reported, looked at with the mouse, and the limit is taken away', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('table').first().waitFor();
  assert.equal(await badge(page).count(), 0);

  await page.keyboard.press('Shift+L');
  await dialog(page).getByText('No limit is set.').waitFor();
  await page.keyboard.type('spi<x>:p98<1us');
  await page.keyboard.press('Enter');
  await dialog(page).locator('output', { hasText: "The limit 'spi<x>:p98<1us' cannot be read." }).waitFor();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('<b>spi</b>:max<500us');
  await page.keyboard.press('Enter');
  await items(page).getByText('<b>spi</b>:max<500us').waitFor();
  await items(page).getByText('No call of it has been received yet.').waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await badge(page).innerText(), '1 limit'));

  const { oldest, newest } = await ask('timeline?max=1', own.address);
  const middle = Math.round((oldest + newest) / 2);
  own.breach(1, middle - 700, middle, 700000);
  await page.locator('.toast[data-level="bad"]', { hasText: 'A limit was broken' }).waitFor();
  await eventually(async () => assert.equal(await badge(page).innerText(), '1 limit broken'));
  await badge(page).click();
  await items(page).getByText('Broken once, 700 µs at the worst').waitFor();
  await dialog(page).getByRole('button', { name: 'Show the worst' }).click();
  await eventually(async () => {
    const [, from, to] = /^#timeline\?.*at=(\d+)-(\d+)/.exec(await hash(page)) ?? assert.fail();
    assert.ok(Number(from) <= middle - 700 && Number(to) >= middle, `${from}-${to}`);
  });
  await page.keyboard.press('Space');
  await page.locator('.notice[data-id="pause"]').waitFor();
  assert.equal(await dialog(page).count(), 0, 'the space bar pauses, and does not press the badge again');
  await page.keyboard.press('Space');
  await page.locator('.notice[data-id="pause"]').waitFor({ state: 'detached' });

  await badge(page).click();
  await dialog(page).getByRole('button', { name: /^Take .* away$/ }).click();
  await dialog(page).getByText('No limit is set.').waitFor();
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await badge(page).count(), 0));
  quiet(/400/);
});

testOfAll('the worst call is selected if the timeline has it; else its time and recording are shown', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const { program } = own;
  const worst = program.timed.list.filter(({ start }) => start > program.timed.oldest + 5000).sort((a, b) => b.duration - a.duration)[0];
  const { name } = program.functions[worst.fn];
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('table').first().waitFor();
  await page.keyboard.press('Shift+L');
  await page.keyboard.type(`${name}:max<1us`);
  await page.keyboard.press('Enter');
  await items(page).getByText(`${name}:max<1us`).waitFor();
  own.breach(1, worst.start, worst.start + worst.duration, worst.duration * 1000);
  const show = dialog(page).getByRole('button', { name: 'Show the worst' });
  await show.click();
  await eventually(async () => assert.match(await hash(page), new RegExp(`call=${worst.context}-${worst.depth}-${worst.start}`)));
  await eventually(async () => assert.equal(await page.locator('.timeline .detail-name').innerText(), name));

  program.timed.list = program.timed.list.filter(({ start }) => start > worst.start + worst.duration);
  own.set({ source: { keeping: { folder: '/var/kept', error: null, dropped: 0, rows: [{ name: '<b>1.bin', at: own.limits[0].worst.at, limit: 1, bytes: 9 }] } } });
  await page.keyboard.press('4');
  await page.keyboard.press('Shift+L');
  await show.click();
  await page.locator('.toast', { hasText: /^The worst of .*is no longer available: the timeline holds .* to .*\. It was kept: replay \/var\/kept\/<b>1\.bin\./s }).waitFor();
  assert.match(await hash(page), /^#functions/);
  quiet();
});

test('one form sets a limit by function, figure and value, or a trigger of the device; hits lead to the call and to its recording', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const { list, oldest } = own.program.timed;
  const worst = list.filter(({ start }) => start > oldest + 5000).sort((a, b) => b.duration - a.duration)[0];
  const { name } = own.program.functions[worst.fn];
  const page = await open(t, '#functions', { daemon: own.address });
  await page.locator('table').first().waitFor();
  await page.keyboard.press('Shift+L');
  await page.keyboard.type(name);
  await dialog(page).locator('#limit-hint', { hasText: /^Its longest call so far took .* Judged by miniprofd at each call from now on: exact in modes stream and calls/ }).waitFor();
  await dialog(page).getByLabel('Value').fill('1us');
  await page.keyboard.press('Enter');
  await items(page).getByText(`${name}:max<1us`).waitFor();
  await dialog(page).getByLabel('Function').fill(name);
  await dialog(page).getByLabel('Figure').selectOption('trigger');
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 390, height: 844 });
  const figure = dialog(page).getByLabel('Figure');
  assert.ok(await figure.evaluate((one) => {
    // The field has room for its longest choice and the arrow.
    const paint = document.createElement('canvas').getContext('2d');
    paint.font = getComputedStyle(one).font;
    return Math.max(...[...one.options].map(({ text }) => paint.measureText(text).width)) + 36 < one.clientWidth;
  }), 'no figure is cut');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  await page.setViewportSize(wide);
  await dialog(page).getByText('Judged by the device in mode tree').waitFor();
  await dialog(page).getByLabel('Value').fill('5 us');
  await page.keyboard.press('Enter');
  await items(page).getByText('The device captures each call').waitFor();
  assert.deepEqual(own.commands, [`trigger {"when":"${name}>5us"}`]);
  await dialog(page).getByRole('button', { name: `Take ${name}>5us away` }).click();
  await eventually(() => assert.equal(own.commands.at(-1), 'trigger {"when":null}'));

  own.set({ source: { keeping: { folder: '/var/kept', error: null, dropped: 0, rows: [{ name: "it's.bin", at: '2026-11-20T12:00:00.000Z', limit: 1, bytes: 9 }] } } });
  own.breach(1, worst.start, worst.start + worst.duration, worst.duration * 1000);
  const hit = dialog(page).getByRole('list', { name: /^Hits/ }).getByRole('listitem').first();
  await hit.getByText(`${name}:max<1us: `).waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText: async (words) => (globalThis.copied = words) } }));
  await hit.getByRole('button', { name: 'Copy replay command' }).click();
  await eventually(async () => assert.equal(await page.evaluate(() => globalThis.copied), "miniprofd --port 'file:/var/kept/it'\\''s.bin'"));
  await hit.getByRole('button', { name: `${name}:max<1us` }).click();
  await eventually(async () => assert.match(await hash(page), new RegExp(`call=${worst.context}-${worst.depth}-${worst.start}`)));

  await page.keyboard.press('Shift+L'); // the recording of the breach opens in the page, at the breach
  await hit.getByRole('button', { name: 'Open recording' }).click();
  const line = page.locator('.notice[data-id="pause"]', { hasText: /Recording it's\.bin\. The live profile continues\./ });
  await line.waitFor();
  await eventually(async () => assert.match(await hash(page), new RegExp(`^#timeline\\?.*call=${worst.context}-${worst.depth}-${worst.start}.*pause=\\d|pause=\\d.*call=${worst.context}`)));
  await eventually(async () => assert.equal(await page.locator('.timeline .detail-name').innerText(), name));
  assert.deepEqual(await violationsInBothThemes(page), []);
  await page.reload();
  await line.getByRole('button', { name: 'Back to now' }).click();
  await line.waitFor({ state: 'detached' });
  assert.doesNotMatch(await hash(page), /pause=/);
  await page.keyboard.press('Shift+L');
  await dialog(page).getByRole('button', { name: 'Recordings', exact: true }).click();
  own.refuse = { status: 500, title: 'Internal Server Error', detail: 'It takes more than 20 s to read.' };
  await page.getByRole('dialog', { name: 'Recordings' }).getByRole('button', { name: 'Open' }).click();
  await page.locator('.toast', { hasText: 'The recording was not opened' }).getByText('It takes more than 20 s to read.').waitFor();
  assert.doesNotMatch(await hash(page), /pause=/);
  quiet(/500/);
});
