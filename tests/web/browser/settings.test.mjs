// settings.test.mjs - the settings that the device offers, in the connection panel.

import assert from 'node:assert/strict';

import { description } from '../mock-server.mjs';
import { eventually, leave, needsMock, open, ownMock, quiet, test, testOfAll, violationsInBothThemes } from './support.mjs';

const input = (page, name) => page.getByRole('textbox', { name, exact: true });
const apply = (page, name) => page.getByRole('button', { name: `Apply ${name}`, exact: true });
const said = (page, name) => page.locator('.setting', { has: input(page, name) }).locator('output');
const holds = (page, name, value) => eventually(async () => assert.equal(await input(page, name).inputValue(), value));

/** Opens the connection panel and unfolds the settings. */
async function openSettings(t, options) {
  const page = await open(t, '#link', options);
  await page.locator('#settings > summary').click();
  return page;
}

async function described(t, options = {}) {
  const own = await ownMock({ rounds: 30, ...options });
  own.set({ target: { description, mode: 'stream' } });
  return own;
}

testOfAll('a setting is shown with its range, and set with Enter or Apply', needsMock, async (t) => {
  const own = await described(t);
  const page = await openSettings(t, { daemon: own.address });
  await holds(page, 'packet', '20');
  assert.match(await page.locator('#settings').innerText(), /0 to 12,782,640 µs/);
  assert.ok(await apply(page, 'packet').isDisabled(), 'there is nothing to apply');
  await input(page, 'shortest').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('10');
  await page.keyboard.press('Enter');
  await said(page, 'shortest').filter({ hasText: 'Set.' }).waitFor();
  assert.deepEqual(own.commands, ['config {"name":"shortest","value":10}']);
  await holds(page, 'shortest', '10');
  await input(page, 'depth').fill('8');
  await apply(page, 'depth').click();
  await said(page, 'depth').filter({ hasText: 'Set.' }).waitFor();
  assert.equal(own.target.description.settings[2].value, 8);
  own.set({ target: { description: { ...description, settings: description.settings.map((one) => ({ ...one, value: 3 })) } } });
  await holds(page, 'packet', '3');
  quiet();
});

test('an error is shown beside its field, and nothing is sent', needsMock, async (t) => {
  const own = await described(t);
  const page = await openSettings(t, { daemon: own.address });
  await holds(page, 'depth', '32');
  await input(page, 'depth').fill('33');
  await said(page, 'depth').filter({ hasText: 'depth is from 1 to 32.' }).waitFor();
  assert.equal(await input(page, 'depth').getAttribute('aria-invalid'), 'true');
  await page.keyboard.press('Enter');
  assert.ok(await apply(page, 'depth').isDisabled());
  own.set({ link: { reconnects: 1 } });
  await page.locator('dt', { hasText: 'Reconnects' }).waitFor();
  assert.equal(await input(page, 'depth').inputValue(), '33', 'an update leaves alone what is being written');
  assert.deepEqual(await violationsInBothThemes(page), []);
  await input(page, 'depth').focus();
  await page.keyboard.press('Escape');
  await holds(page, 'depth', '32');
  assert.deepEqual(own.commands, []);
  own.refuse = { status: 409, title: 'Conflict', detail: 'The device refused the command.' };
  await input(page, 'depth').fill('8');
  await page.keyboard.press('Enter');
  await said(page, 'depth').filter({ hasText: 'The device refused the command.' }).waitFor();
  assert.equal(await input(page, 'depth').inputValue(), '8', 'it can be tried again');
  assert.deepEqual(await violationsInBothThemes(page), []);
  quiet(/status of 409/);
});

testOfAll('the Device menu leads there, and to bytes where the device does not describe itself', needsMock, async (t) => {
  const own = await described(t);
  const page = await open(t, '#flame', { daemon: own.address });
  await page.locator('#connection-title', { hasText: 'Connected' }).waitFor();
  await page.keyboard.press('Shift+D');
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement.id), 'setting-0'));
  assert.equal(await page.locator('dialog').count(), 0);
  own.set({ target: { description: null } });
  await page.locator('#settings').waitFor({ state: 'hidden' });
  await page.keyboard.press('Shift+D');
  await page.getByRole('menuitem', { name: 'Send configuration…' }).waitFor();
  quiet();
});

testOfAll('the mode is chosen, and a message reports one that is unavailable', needsMock, async (t) => {
  const own = await described(t);
  const page = await openSettings(t, { daemon: own.address });
  const select = page.getByRole('combobox', { name: 'mode', exact: true });
  const button = page.getByRole('button', { name: 'Apply mode' });
  const answer = page.locator('#setting-mode-said');
  await eventually(async () => assert.equal(await select.inputValue(), 'auto'));
  assert.ok(await button.isDisabled());
  await select.selectOption('calls');
  assert.deepEqual(own.commands, [], 'not before it is applied');
  await button.focus();
  await page.keyboard.press('Enter');
  await answer.filter({ hasText: 'Set; it is in mode calls.' }).waitFor();
  assert.deepEqual(own.commands, ['mode {"mode":"calls"}']);
  await page.locator('.card', { hasText: 'finished calls' }).last().waitFor();
  await select.selectOption('tree');
  await button.click();
  await answer.filter({ hasText: 'It cannot do that; it is in mode stream.' }).waitFor();
  await eventually(async () => assert.equal(await select.inputValue(), 'tree'));
  own.refuse = { status: 504, title: 'Gateway Timeout', detail: 'The device did not answer.' };
  await select.selectOption('stream');
  await button.click();
  await answer.filter({ hasText: 'The device did not answer.' }).waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  own.set({ target: { description: { ...description, versions: [1] } } });
  await select.waitFor({ state: 'hidden' });
  quiet(/status of 504/);
});

testOfAll('a target that takes no commands shows the reason', needsMock, async (t) => {
  const own = await described(t);
  own.set({ source: { listen_only: true } });
  const page = await openSettings(t, { daemon: own.address });
  await page.locator('#settings', { hasText: 'Not now: miniprofd only listens' }).waitFor();
  assert.ok(await input(page, 'packet').isDisabled());
  quiet();
});

testOfAll('names from the wire are no markup, and long ones break nothing at any width', needsMock, async (t) => {
  const own = await described(t);
  const [first, ...rest] = description.settings;
  const hostile = { ...first, name: '<img src=x onerror=alert(1)>', unit: '"\'<b>&amp;\u202e' };
  const long = { ...first, name: 'w'.repeat(24), unit: 'W'.repeat(24), most: 4294967295, value: 4294967295 };
  own.set({ target: { description: { ...description, settings: [hostile, long, ...rest] } } });
  for (const width of [1280, 390]) {
    const page = await openSettings(t, { daemon: own.address, size: { width, height: 800 } });
    await holds(page, hostile.name, '20');
    assert.equal(await page.locator('#settings img, #settings b').count(), 0);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    const wide = await page.evaluate(() => {
      const { right } = document.querySelector('#settings').getBoundingClientRect();
      return [...document.querySelectorAll('#settings *')].filter((one) => one.getBoundingClientRect().right > right + 1).length;
    });
    assert.equal(wide, 0, `${width} px`);
    assert.deepEqual(await violationsInBothThemes(page), []);
    await leave(page);
  }
  quiet();
});
