// windows.test.mjs - kept windows on the timeline: their list and markers, the time between them, and the form that sets a trigger.

import assert from 'node:assert/strict';

import { description } from '../mock-server.mjs';
import { ask, eventually, hash, needsMock, open, ownMock, quiet, snapshot, test, testOfAll, text, violationsInBothThemes } from './support.mjs';
import { canvas, ready } from './timeline.mjs';

const panel = (page) => page.getByRole('region', { name: 'Triggers' });
const toolbarButton = (page) => page.locator('.timeline .toolbar').getByRole('button', { name: /^Triggers/ });
const rows = (page) => panel(page).getByRole('listitem');
const said = (page) => panel(page).locator('output');
const limits = (page) => page.getByRole('dialog', { name: 'Limits' });
const keeping = { ...description, versions: [1, 2, 3], settings: [...description.settings, { name: 'window', unit: '', least: 0, most: 3, value: 0 }] };

/** Starts a daemon in mode tree with three windows, each around the longest call of its stretch. */
async function counted(length = 3000) {
  const own = await ownMock({ rounds: 60, live: false });
  const { oldest, newest } = await ask('timeline?max=1', own.address);
  const { rows: calls } = await ask('timeline?max=100000', own.address);
  const windows = [1, 2, 3].map((part) => {
    const from = Math.round(oldest + ((newest - oldest) * part) / 4);
    const to = from + length;
    let slow = -1;
    calls.start.forEach((start, i) => {
      if (start < from || start + calls.duration[i] > to) return;
      if (slow < 0 || calls.duration[i] > calls.duration[slow]) slow = i;
    });
    assert.ok(slow >= 0);
    return { from, to, reason: 'slow', function: calls.function[slow], duration: calls.duration[slow], ticks: calls.start[slow] + calls.duration[slow] };
  });
  windows[2].missed = 4;
  own.keep(windows);
  own.set({ target: { description: keeping, trigger: null } });
  return { own, windows };
}

const sight = async (page) => /[?&]at=(\d+)-(\d+)/.exec(await hash(page))?.slice(1).map(Number) ?? null;
const shows = (page, { from, to }) =>
  eventually(async () => {
    const [begin, end] = (await sight(page)) ?? assert.fail();
    assert.ok(begin <= from && end >= to && end - begin < 4 * (to - from), `${begin}-${end}`);
  });

testOfAll('windows are listed with the reason, and a click or Enter goes there', needsMock, async (t) => {
  const { own, windows } = await counted();
  const page = await open(t, '#timeline', { daemon: own.address });
  await rows(page).nth(2).waitFor();
  const { functions } = await snapshot(own.address);
  assert.match(await rows(page).first().innerText(), new RegExp(`^${functions[windows[2].function].name.replace(/[^\w]/g, '\\$&')} took .*4 triggers before it missed$`, 's'));
  await eventually(async () => assert.equal(await toolbarButton(page).innerText(), 'Triggers 3'));
  await rows(page).nth(1).getByRole('button').click();
  await shows(page, windows[1]);
  await eventually(async () => assert.match(await page.locator('.timeline .detail-name').innerText(), /^Capture: .* took [\d.]+ [µm]s$/));
  await rows(page).nth(2).getByRole('button').focus();
  await page.keyboard.press('Enter');
  await shows(page, windows[0]);
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});

test('markers lead from window to window, and Enter shows the time of one in every view', needsMock, async (t) => {
  const { own, windows } = await counted();
  const page = await open(t, '#timeline?at=all', { daemon: own.address });
  await rows(page).first().waitFor();
  await ready(page);
  await canvas(page).focus();
  let before = '';
  for (const step of ['m', 'm', 'Shift+M']) {
    await page.keyboard.press(step);
    before = await eventually(async () => {
      const now = await text(page, '#timeline-spoken');
      assert.ok(now.startsWith('Capture') && now !== before, now);
      return now;
    });
  }
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await hash(page), new RegExp(`range=${windows[0].from}-${windows[0].to}`)));
  quiet();
});

testOfAll('a range shows how much of it windows cover', needsMock, async (t) => {
  const { own, windows } = await counted();
  const [first, second] = windows;
  const page = await open(t, `#flame?range=${first.from}-${first.to}`, { daemon: own.address });
  await page.locator('[data-id="range"]', { hasText: 'of these calls only' }).waitFor();
  await page.evaluate((where) => (location.hash = where), `#flame?range=${first.from}-${first.to + 3000}`);
  await page.locator('[data-id="range"]', { hasText: 'Windows cover 50.0 % of it' }).waitFor();
  await page.evaluate((where) => (location.hash = where), `#flame?range=${first.to + 10}-${second.from - 10}`);
  await page.locator('[data-id="range"]', { hasText: 'No window is in it' }).waitFor();
  quiet();
});

testOfAll('where there is little room the timeline comes first, and the list on request', needsMock, async (t) => {
  const { own, windows } = await counted();
  const page = await open(t, '#timeline', { daemon: own.address, size: { width: 390, height: 844 } });
  await eventually(async () => assert.equal(await toolbarButton(page).innerText(), 'Triggers 3'));
  assert.ok(await panel(page).isHidden());
  await toolbarButton(page).click();
  await rows(page).first().getByRole('button').click();
  await shows(page, windows[2]);
  const { height } = await page.locator('.timeline-scroll').boundingBox();
  assert.ok(height > 60, `lanes stay visible: ${height}`);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});

testOfAll('the limits\' form sets a trigger, shows errors, and removes the trigger', needsMock, async (t) => {
  const { own } = await counted();
  const page = await open(t, '#timeline', { daemon: own.address });
  await panel(page).getByRole('button', { name: 'Set …' }).click();
  const name = limits(page).getByLabel('Function');
  const time = limits(page).getByLabel('Value');
  const wrong = (hasText) => limits(page).locator('output', { hasText }).waitFor();
  assert.equal(await limits(page).getByLabel('Figure').inputValue(), 'trigger');
  await name.fill('spi_read');
  await page.keyboard.press('Enter');
  await wrong('Write a time with its unit');
  assert.deepEqual(own.commands, []);
  await time.fill('1.5 ms');
  await page.keyboard.press('Enter');
  await limits(page).getByText('The device captures each call of spi_read that takes longer than 1.5 ms.').waitFor();
  assert.deepEqual(own.commands, ['trigger {"when":"spi_read>1.5ms"}']);
  own.refuse = { status: 409, title: 'Conflict', detail: "There is no function 'spi_red' in fw.elf; the nearest is 'spi_read'." };
  await name.fill('spi_red');
  await time.fill('1 ms');
  await page.keyboard.press('Enter');
  await wrong('the nearest is');
  own.refuse = null;
  await page.keyboard.press('Escape');
  await panel(page).getByText('The device captures each call of spi_read that takes longer than 1.5 ms.').waitFor();
  await panel(page).getByRole('button', { name: 'Capture now' }).click();
  await said(page).filter({ hasText: 'Capturing.' }).waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  await panel(page).getByRole('button', { name: 'Set …' }).click();
  await limits(page).getByRole('button', { name: 'Take spi_read>1.5ms away' }).click();
  await page.keyboard.press('Escape');
  await panel(page).getByText('No trigger is set.').waitFor();
  assert.equal(own.commands.at(-1), 'trigger {"when":null}');
  quiet(/status of 409/);
});

testOfAll('without a window a counted tree reports that, and offers one', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30, live: false });
  own.keep([]);
  own.set({ target: { description: keeping } });
  const page = await open(t, '#timeline', { daemon: own.address, size: { width: 390, height: 844 } });
  await page.getByRole('heading', { name: 'No timeline without a trigger' }).waitFor();
  await panel(page).getByRole('button', { name: 'Set …' }).waitFor();
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'nothing sticks out');
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet();
});

testOfAll('the form can be opened for the selected call', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#timeline', { daemon: own.address });
  await ready(page);
  await canvas(page).focus();
  await page.keyboard.press('o');
  await eventually(async () => assert.match(await hash(page), /call=/));
  const chosen = await page.locator('.timeline .detail-name').innerText();
  await page.locator('.timeline .details').getByRole('button', { name: 'Trigger …' }).click();
  assert.equal(await limits(page).getByLabel('Function').inputValue(), chosen);
  await limits(page).locator('#limit-hint', { hasText: /^Its longest call so far took / }).waitFor();
  await page.keyboard.type('5 us');
  await page.keyboard.press('Enter');
  await eventually(() => assert.deepEqual(own.commands, [`trigger {"when":"${chosen}>5us"}`]));
  quiet();
});

testOfAll('if every call is sent the panel is closed until it is opened', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, live: false });
  const page = await open(t, '#timeline', { daemon: own.address });
  const expanded = (wanted) => eventually(async () => assert.equal(await toolbarButton(page).getAttribute('aria-expanded'), wanted));
  await ready(page);
  await expanded('false');
  assert.ok(await panel(page).isHidden());
  await page.keyboard.press('l');
  await panel(page).waitFor();
  await expanded('true');
  await page.keyboard.press('l');
  await panel(page).waitFor({ state: 'hidden' });
  quiet();
});
