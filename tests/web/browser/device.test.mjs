// device.test.mjs - the Record button and the Device menu.

import assert from 'node:assert/strict';

import { ask, eventually, leave, mock, needsMock, open, ownMock, quiet, ready, test, testOfAll, violations } from './support.mjs';

const record = (page) => page.getByRole('button', { name: 'Record', exact: true });
const pressed = (page, wanted) =>
  eventually(async () => assert.equal(await record(page).getAttribute('aria-pressed'), String(wanted)));

testOfAll('a recording is begun, grows, and is saved under the name that the daemon gave it', async (t) => {
  const page = await open(t, '#flame?panel=link');
  await ready(page);
  await eventually(async () => assert.equal(await record(page).innerText(), 'Record'));
  await page.keyboard.press('Shift+E');
  await page.locator('.toast', { hasText: /Into .*miniprofd-\d{8}-\d{6}(-\d+)?\.bin/ }).waitFor();
  await pressed(page, true);
  await eventually(async () => assert.match(await record(page).innerText(), /\d:\d\d[\s\S]*[1-9].* k?B/));
  const { path } = (await ask('status')).source.recording;
  await eventually(async () => assert.ok((await record(page).getAttribute('title')).includes(path)));
  await page.reload();
  await pressed(page, true);
  assert.deepEqual(await violations(page), []);
  await record(page).click();
  const saved = page.locator('.toast[data-level="ok"]', { hasText: path });
  await saved.waitFor();
  await pressed(page, false);
  assert.equal((await ask('status')).source.recording, null);
  await saved.getByRole('button', { name: 'Open' }).click(); // the recording opens while the live profile continues
  const line = page.locator('.notice[data-id="pause"]', { hasText: 'The live profile continues.' });
  await line.getByText(`Recording ${path.split('/').at(-1)}.`).waitFor();
  await line.getByRole('button', { name: 'Back to now' }).click();
  await line.waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+A'); // closes the panel, which has the menu's button
  await page.locator('#panel').waitFor({ state: 'hidden' });
  await page.keyboard.press('Shift+D');
  const [menu, header] = await Promise.all(['.menu', 'header'].map((of) => page.locator(of).boundingBox()));
  assert.ok(menu.y >= header.y + header.height - 8 && menu.x < 100, `below the connection: ${JSON.stringify([menu, header])}`);
  await page.getByRole('menuitem', { name: 'Recordings…' }).click();
  await page.getByRole('dialog', { name: 'Recordings' }).getByRole('listitem').filter({ hasText: path.split('/').at(-1) }).getByRole('button', { name: 'Open' }).click();
  await line.waitFor();
  assert.deepEqual(await violations(page), []);
  quiet();
});

testOfAll('the answer of the device to a question is shown', async (t) => {
  const page = await open(t);
  await ready(page);
  for (const [label, answer] of [
    ['Ask for status', /STATUS: .*buffer \d+ % full.*captured/],
    ['Ask for metadata', /METADATA: firmware .* build 0x/],
  ]) {
    await page.keyboard.press('Shift+D');
    await page.getByRole('menuitem', { name: label }).click();
    await page.locator('.toast[data-level="ok"]', { hasText: answer }).waitFor();
  }
  quiet();
});

test('a configuration is checked while it is typed and sent as bytes', needsMock, async (t) => {
  const page = await open(t);
  await ready(page);
  mock().commands.length = 0;
  const choose = async () => {
    await page.keyboard.press('Shift+D');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.locator('dialog').waitFor();
  };
  await choose();
  await page.keyboard.type('0');
  await page.locator('#payload-error', { hasText: 'Two digits' }).waitFor();
  await eventually(async () => assert.ok(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled()));
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Enter');
  assert.equal(await page.locator('dialog').count(), 1, 'nothing wrong is sent');
  await page.keyboard.type('a 1B');
  await page.keyboard.press('Enter');
  await page.locator('.toast[data-level="ok"]', { hasText: 'ACK' }).waitFor();
  assert.deepEqual(mock().commands, ['config {"payload":"0a1b"}']);
  mock().refuse = { status: 409, title: 'Conflict', detail: 'The device refused the command.' };
  await choose();
  await page.keyboard.press('Enter');
  await page.locator('.toast[data-level="bad"]', { hasText: 'NACK' }).waitFor();
  mock().refuse = null;
  await choose();
  await page.keyboard.press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  quiet(/status of 409/);
});

testOfAll('an impossible recording or command shows the reason', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30 });
  own.set({ source: { port: 'file:run.bin', state: 'ended', listen_only: true } });
  const page = await open(t, '#flame?panel=link', { daemon: own.address });
  await ready(page);
  await eventually(async () => {
    assert.ok(await record(page).isDisabled());
    assert.match(await record(page).getAttribute('title'), /from a file/);
  });
  await page.keyboard.press('Shift+E');
  await page.keyboard.press('Shift+D');
  await page.locator('.menu', { hasText: 'a recording, not a device' }).waitFor();
  await page.keyboard.press('Enter');
  assert.deepEqual(own.commands, []);
  assert.equal(own.source.recording, null);
  quiet();
});

test('a recording that broke off is reported above every view until the next one', needsMock, async (t) => {
  const own = await ownMock({ rounds: 30 });
  const page = await open(t, '#link', { daemon: own.address });
  await page.locator('#connection-title', { hasText: 'Connected' }).waitFor();
  await page.keyboard.press('Shift+E');
  await pressed(page, true);
  own.source.recording.error = 'The recording /tmp/a.bin ends here: No space left on device';
  const notice = page.locator('.notice[data-id="recording"]', { hasText: 'No space left' });
  await notice.waitFor();
  await pressed(page, false);
  await record(page).click();
  await notice.waitFor({ state: 'detached' });
  await pressed(page, true);
  quiet();
});

testOfAll('recording leaves the frame in its place at every width', needsMock, async (t) => {
  for (const width of [1440, 1100, 390]) {
    const page = await open(t, '#flame', { size: { width, height: 800 } });
    await ready(page);
    const height = () => page.evaluate(() => document.querySelector('header').offsetHeight);
    const before = await height();
    await page.keyboard.press('Shift+E');
    const note = page.locator('.record-note', { hasText: /\d:\d\d/ });
    await note.waitFor({ state: 'attached' }); // hidden at 390 pixels
    const hours = new Date(Date.now() - 36000000).toISOString();
    mock().set({ source: { recording: { ...mock().source.recording, since: hours } } });
    await eventually(async () => assert.match(await note.textContent(), /10:00:/));
    assert.equal(await height(), before, `${width} px`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await page.keyboard.press('Shift+E');
    await note.waitFor({ state: 'detached' });
    await leave(page);
  }
  quiet();
});
