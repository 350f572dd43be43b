// messages.test.mjs - the list of the target's messages.

import assert from 'node:assert/strict';

import { eventually, hash, needsMock, open, ownMock, quiet, show, snapshot, test, testOfAll, text, violationsInBothThemes } from './support.mjs';

const rows = (page) => page.locator('.messages-table tbody tr:not(.spacer):not([hidden])');
const status = (page) => text(page, '.messages .table-status');

/** Returns a daemon with messages: the mock, or the real one that replays a capture with some. */
async function shown(messages = 200) {
  if (process.env.MESSAGES_URL) return { address: process.env.MESSAGES_URL, own: null };
  const own = await ownMock({ rounds: 10, live: false, messages });
  return { address: own.address, own };
}

testOfAll('the newest messages are visible, as the snapshot has them', async (t) => {
  const { address } = await shown();
  const page = await open(t, '#messages', { daemon: address });
  await rows(page).first().waitFor();
  const { messages } = await snapshot(address);
  await eventually(async () => assert.match(await status(page), new RegExp(`^${messages.length} messages`)));
  const last = rows(page).last();
  await eventually(async () => assert.equal(await last.getAttribute('aria-rowindex'), String(messages.length + 1)));
  const { severity, origin, origin_name: name } = messages.at(-1);
  await eventually(async () => {
    assert.match(await last.locator('.col-severity').innerText(), new RegExp(`${severity}$`));
    assert.equal(await last.locator('.col-origin').innerText(), name ?? origin);
  });
  assert.ok((await rows(page).count()) < 90, 'only what is in the window exists');
  quiet();
});

testOfAll('severity and origin filter, by mouse and by key, and a link keeps both', async (t) => {
  const { address } = await shown();
  const { messages } = await snapshot(address);
  const origin = messages.at(-1).origin;
  const page = await open(t, '#messages', { daemon: address });
  await rows(page).first().waitFor();
  await page.getByLabel('Origin').selectOption(origin);
  const said = messages.filter((message) => message.origin === origin);
  const told = (n) => (n === messages.length ? `${n} messages` : `${n} of ${messages.length} messages`);
  await eventually(async () => assert.ok((await status(page)).startsWith(told(said.length)), await status(page)));
  await page.getByLabel('Severity').selectOption('warning');
  const grave = ['max', 'fatal', 'error', 'warning'];
  const expected = said.filter((message) => grave.includes(message.severity)).length;
  await eventually(async () => assert.ok((await status(page)).startsWith(told(expected)), await status(page)));
  await page.reload();
  await eventually(async () => assert.ok((await status(page)).startsWith(told(expected))));
  await eventually(async () => assert.equal(await page.getByLabel('Severity').inputValue(), 'warning'));
  await page.locator('#main').focus();
  await page.keyboard.press('l');
  await eventually(async () => assert.equal(await page.getByLabel('Severity').inputValue(), 'info'));
  await page.keyboard.press('o');
  await eventually(async () => assert.notEqual(await page.getByLabel('Origin').inputValue(), origin));
  quiet();
});

testOfAll('the keys choose a message and show all that is known about it', async (t) => {
  const { address } = await shown();
  const page = await open(t, '#messages', { daemon: address });
  await rows(page).first().waitFor();
  const { messages, messages_dropped: dropped } = await snapshot(address);
  await page.keyboard.press('ArrowUp');
  await page.locator('.message-details:not([hidden])').waitFor();
  await eventually(async () => assert.equal(await hash(page), `#messages?message=${dropped + messages.length - 1}`));
  await page.keyboard.press('Home');
  await eventually(async () => assert.equal(await hash(page), `#messages?message=${dropped}`));
  const chosen = rows(page).and(page.locator('[aria-selected="true"]'));
  await eventually(async () => assert.equal(await chosen.getAttribute('aria-rowindex'), '2'));
  const facts = await page.locator('.message-facts').innerText();
  assert.match(facts, new RegExp(messages[0].severity));
  if (messages[0].location) assert.ok(facts.includes(messages[0].location));
  await page.keyboard.press('Escape');
  await page.locator('.message-details[hidden]').waitFor({ state: 'attached' });
  await eventually(async () => assert.equal(await hash(page), '#messages'));
  quiet();
});

testOfAll('the search looks at the text', async (t) => {
  const { address } = await shown();
  const { messages } = await snapshot(address);
  const word = /[a-z]{4,}/.exec(messages.at(-1).text)?.[0] ?? messages.at(-1).text;
  const page = await open(t, `#messages?search=${word}`, { daemon: address });
  await rows(page).first().waitFor();
  for (const row of await rows(page).locator('.col-text').allInnerTexts()) assert.match(row.toLowerCase(), new RegExp(word));
  quiet();
});

testOfAll('the list follows the end until it is scrolled up, and again on request', needsMock, async (t) => {
  const { address, own } = await shown();
  const page = await open(t, '#messages', { daemon: address });
  await rows(page).first().waitFor();
  const follow = page.getByRole('button', { name: 'Follow' });
  const lastRow = () => rows(page).last().getAttribute('aria-rowindex');
  own.say(5);
  await eventually(async () => assert.equal(await lastRow(), '206'));
  await eventually(async () => assert.equal(await follow.getAttribute('aria-pressed'), 'true'));
  await page.locator('.messages .table-scroll').hover();
  await page.mouse.wheel(0, -900);
  await eventually(async () => assert.equal(await follow.getAttribute('aria-pressed'), 'false'));
  own.say(7);
  await eventually(async () => assert.match(await status(page), /^212 messages/));
  assert.notEqual(await lastRow(), '213');
  await page.keyboard.press('f');
  await eventually(async () => assert.equal(await lastRow(), '213'));
  quiet();
});

test('text of the target is text: signs for invisible characters, no markup, no reversed writing', needsMock, async (t) => {
  const { address } = await shown();
  const page = await open(t, '#messages?origin=0:0', { daemon: address });
  const cell = rows(page).first().locator('.col-text');
  await cell.waitFor();
  assert.equal(await cell.innerText(), '‹ESC›[31mversion 1.4.2‹ESC›[0m <b>release</b>‹CR›⏎');
  assert.equal(await page.locator('.messages-table b').count(), 0);
  assert.equal(await cell.locator('bdi').count(), 1);
  quiet();
});

testOfAll('the list can be copied', needsMock, async (t) => {
  const { address } = await shown();
  const page = await open(t, '#messages?severity=error', {
    daemon: address,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await rows(page).first().waitFor();
  await page.keyboard.press('c');
  await page.locator('.toast', { hasText: 'Copied' }).waitFor();
  const lines = (await page.evaluate(() => navigator.clipboard.readText())).split('\n');
  assert.equal(lines.length, 75);
  assert.ok(lines.every((line) => /\t(max|fatal|error)\t/.test(line)));
  quiet();
});

testOfAll('16,384 messages are kept, the others counted', needsMock, async (t) => {
  const { address, own } = await shown(16384);
  const page = await open(t, '#messages', { daemon: address });
  await rows(page).first().waitFor();
  own.say(100);
  await eventually(async () => assert.match(await status(page), /^16,384 messages · 100 earlier ones no longer kept/));
  assert.ok((await rows(page).count()) < 90);
  quiet();
});

/** Starts a daemon whose timeline has a marker for each message but the first, which is too old. */
async function saidInTime(n = 24) {
  const own = await ownMock({ rounds: 20, live: false, messages: n });
  const { timed } = own.program;
  const { oldest, newest } = timed;
  own.messages.forEach((message, i) => {
    message.ticks = i === 0 ? oldest - 5000 : Math.round(oldest + ((newest - oldest) * i) / n);
    if (i > 0) timed.mark('message', message.text, message.ticks);
  });
  return own;
}

test('a message leads to its moment on the timeline, and the marker there back to it, by mouse and by keys', needsMock, async (t) => {
  const own = await saidInTime();
  const page = await open(t, '#messages?message=9&severity=warning', { daemon: own.address });
  const name = () => text(page, '.timeline .detail-name');
  const title = ({ text: words }) => `Message: ${words}`;
  const chosen = ({ number }) =>
    eventually(async () => assert.equal(await text(page, '.message-facts dd'), String(number + 1)));
  const moment = ({ ticks }) => new RegExp(`spot=${ticks}(&|$)`);
  await rows(page).first().waitFor();
  await page.keyboard.press('ArrowUp'); // selects the last one shown
  const last = own.messages.findLast(({ severity }) => ['max', 'fatal', 'error', 'warning'].includes(severity));
  await eventually(async () => assert.match(await hash(page), new RegExp(`message=${last.number}(&|$)`)));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.equal((await name()).trim(), title(last).trim()));
  assert.match(await hash(page), moment(last));
  await page.keyboard.press('Shift+M');
  const before = own.messages[last.number - 1]; // hidden by the filter
  await eventually(async () => assert.equal(await name(), title(before)));
  await page.keyboard.press('g');
  await chosen(before);
  assert.doesNotMatch(await hash(page), /severity=/);
  const row = rows(page).and(page.locator('[aria-rowindex="7"]'));
  await row.locator('.message-time').click();
  await eventually(async () => assert.equal(await name(), title(own.messages[5])));
  await page.getByRole('button', { name: 'Message', exact: true }).click();
  await chosen(own.messages[5]);
  const ticks = own.messages[19].ticks;
  await show(page, `#timeline?message=19&spot=${ticks}&at=${ticks - 500}-${ticks + 500}&range=${own.messages[4].ticks}-${own.messages[9].ticks}`);
  await eventually(async () => assert.equal(await name(), title(own.messages[19])));
  await page.locator('[data-id="range"]').filter({ hasText: 'these calls only' }).waitFor();
  await page.keyboard.press('g');
  await chosen(own.messages[19]);
  assert.doesNotMatch(await hash(page), /range=/);
  await page.keyboard.press('Home');
  await chosen(own.messages[0]);
  await page.keyboard.press('Enter');
  await page.locator('.toast', { hasText: 'before the available time' }).waitFor();
  assert.match(await hash(page), /^#messages/);
  quiet();
});

testOfAll('axe-core finds nothing, and the view explains where messages come from', needsMock, async (t) => {
  const { address, own } = await shown();
  const page = await open(t, '#messages?message=7', { daemon: address });
  await page.locator('.message-details:not([hidden])').waitFor();
  assert.deepEqual(await violationsInBothThemes(page), []);
  own.messages = [];
  await page.reload();
  await page.locator('.messages .empty', { hasText: '--dialect syst' }).waitFor();
  quiet();
});
