// frame.test.mjs - tests the frame around the views: security policy, live figures, keys, themes, widths, commands and errors.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';

import { startMock } from '../mock-server.mjs';
import {
  doesAll,
  eventually,
  hash,
  keyOf,
  leave,
  mock,
  needsMock,
  open,
  ownMock,
  paused,
  quiet,
  ready,
  show,
  shown,
  test,
  testOfAll,
  text,
  viewIds,
  violations,
  violationsInBothThemes,
} from './support.mjs';

test('the page has a strict security policy and does not violate it', async (t) => {
  const page = await open(t);
  const response = await page.reload();
  const policy = response.headers()['content-security-policy'];
  assert.match(policy, /default-src '(self|none)'/);
  assert.match(policy, /default-src 'none'|object-src 'none'/);
  for (const part of ["script-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"]) {
    assert.ok(policy.includes(part), `${part} in ${policy}`);
  }
  await ready(page);
  quiet();
});

testOfAll('the inspector stands beside a view and shows the selection; a key opens and closes it', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const page = await open(t, '#flame', { daemon: own.address });
  const [inspector, canvas] = [page.locator('.inspector'), page.locator('.flame-scroll canvas')];
  await canvas.focus();
  await page.keyboard.press('Backslash');
  await inspector.getByText('No function is chosen').waitFor();
  // The whole graph fits the remaining width without another key.
  await eventually(async () => {
    const [beside, graph] = [await inspector.boundingBox(), await canvas.boundingBox()];
    assert.ok(graph.x + graph.width <= beside.x, JSON.stringify([graph, beside]));
  });
  for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowDown');
  const name = inspector.locator('.sandwich-name');
  await eventually(async () => assert.equal(await name.innerText(), await page.locator('.flame .detail-name').innerText()));
  const [card, graph] = [await inspector.boundingBox(), await canvas.boundingBox()];
  assert.ok(card.x >= graph.x + graph.width && card.x + card.width <= 1280, JSON.stringify([card, graph]));
  const titles = await inspector.locator('.part-title:visible').allInnerTexts();
  assert.match(titles[0], /^Durations/, 'the shape first');
  assert.deepEqual(await violations(page), []);
  const focused = () => page.evaluate(() => [document.activeElement.dataset.part, document.activeElement.getBoundingClientRect().top < innerHeight]);
  for (const part of ['4', '1']) {
    await page.keyboard.press(`Shift+Digit${part}`);
    await eventually(async () => assert.deepEqual(await focused(), [part, true]));
  }
  await page.keyboard.press('Backslash');
  await inspector.waitFor({ state: 'hidden' });
  assert.doesNotMatch(await hash(page), /inspector/);
  await page.keyboard.press('Shift+Digit2'); // opens the inspector first
  await eventually(async () => assert.deepEqual(await focused(), ['2', true]));
  await show(page, '#functions?fn=tcp_output');
  await page.locator('.functions .sandwich-name').waitFor();
  await page.locator('.functions .table-scroll').focus();
  await page.keyboard.press('Backslash');
  await page.locator('.functions .sandwich-name').waitFor({ state: 'hidden' });
  await page.keyboard.press('Backslash');
  await page.locator('.functions .sandwich-name', { hasText: 'tcp_output' }).waitFor();
  await page.keyboard.press('Shift+Digit5');
  await eventually(async () => assert.deepEqual(await focused(), ['5', true]));
  quiet();
});

testOfAll('the frame and its tabs are painted without waiting for data', async (t) => {
  const page = await open(t);
  await ready(page);
  const held = [];
  await page.route('**/api/v1/**', (route) => held.push(route));
  await page.reload();
  await page.locator('#tabs a').first().waitFor();
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length === 1);
  await eventually(async () => assert.ok(held.length > 0)); // the first paint may precede the first request
  await page.unroute('**/api/v1/**');
  for (const route of held) await route.continue();
  await ready(page);
  quiet();
});

test('a name that is markup is shown as text', needsMock, async (t) => {
  const page = await open(t, '#functions?search=onerror', { size: { width: 1920, height: 1080 } }); // with room for the whole name
  await page.locator('.functions-table tbody th', { hasText: '<img src=x onerror=alert(1)>' }).waitFor();
  await page.locator('.functions-table tbody tr:not(.spacer)').first().click();
  await page.locator('.sandwich-name', { hasText: '<img' }).waitFor();
  await page.keyboard.press('2');
  await ready(page);
  assert.equal(await page.locator('img').count(), 0);
  quiet();
});

test('the keyboard alone finds, zooms, opens a function and lists its keys', async (t) => {
  const page = await open(t);
  await ready(page);
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
  await eventually(async () => assert.match(await text(page, '#flame-spoken'), /% of all.*level 3/));
  const name = (await text(page, '#flame-spoken')).split(', ')[0];
  await eventually(async () => assert.equal(await text(page, '.detail-name'), name));
  await page.keyboard.press('Enter');
  await eventually(async () => assert.match(await hash(page), /zoom=/));
  await page.keyboard.press('g');
  await page.locator('.sandwich-name', { hasText: name }).waitFor();
  await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.notEqual(await text(page, '.sandwich-name'), name));
  await page.keyboard.press('Shift+A');
  await page.locator('.link-view').waitFor();
  await page.keyboard.press('?');
  const keys = await page.locator('dialog').innerText();
  for (const label of ['Search', 'Pause', 'Theme', 'Start profiling', 'Flame', 'Functions', 'Connection'])
    assert.match(keys, new RegExp(label));
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await page.locator('dialog').count(), 0));
  await page.keyboard.press('Escape');
  await page.locator('#panel').waitFor({ state: 'hidden' });
  await page.keyboard.press('e');
  assert.ok((await page.locator('[role="menuitem"]').count()) > 0);
  await page.keyboard.press('ArrowDown');
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  const beginning = await page.evaluate(() => [...document.querySelectorAll('[role="menuitem"]')].map((item) => item.textContent).filter((words) => /^f/i.test(words)));
  assert.ok(beginning.length > 1, String(beginning));
  await page.keyboard.press('f');
  const first = beginning.indexOf(await focused());
  assert.ok(first >= 0, 'a letter goes to the next entry that begins with it');
  for (let i = 1; i <= beginning.length; i++) {
    await page.keyboard.press('f');
    assert.equal(await focused(), beginning[(first + i) % beginning.length], 'and again to the next, and round');
  }
  await page.keyboard.press('%');
  assert.equal(await focused(), beginning[first]);
  await page.keyboard.press('Escape');
  assert.equal(await page.locator('.menu').count(), 0);
  quiet();
});

testOfAll('no key has two meanings in a view', async (t) => {
  const page = await open(t);
  for (const view of await viewIds(page)) {
    await show(page, `#${view}`);
    await shown(page, view);
    await page.keyboard.press('?');
    const keys = await page.locator('dialog .keys kbd').allInnerTexts();
    const twice = keys.filter((key, i) => keys.indexOf(key) !== i);
    assert.deepEqual(twice, [], `${view}: ${twice}`);
    await page.keyboard.press('Escape');
    await eventually(async () => assert.equal(await page.locator('dialog').count(), 0));
  }
  quiet();
});

testOfAll('every control can be reached by Tab and has a name', async (t) => {
  const page = await open(t, '#flame?panel=link');
  await ready(page);
  await page.locator('.link-view').waitFor();
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll('button, a, input, [tabindex="0"]')]
      .filter(
        (one) =>
          one.offsetParent !== null &&
          !(one.getAttribute('aria-label') || one.textContent.trim() || one.labels?.length),
      )
      .map((one) => one.outerHTML),
  );
  assert.deepEqual(nameless, []);
  const reached = new Set();
  for (let i = 0; i < 60; i++) {
    await page.keyboard.press('Tab');
    reached.add(
      await page.evaluate(
        () => document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent,
      ),
    );
  }
  assert.ok(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled(), 'the device profiles already');
  for (const name of ['Stop', 'Record', 'Pause', 'Share', 'More'])
    assert.ok(reached.has(name), name);
  quiet();
});

test('themes follow the system until one is chosen, and the choice is kept', async (t) => {
  const page = await open(t, '#flame', { theme: 'dark' });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await page.emulateMedia({ colorScheme: 'light' });
  await eventually(async () => assert.notEqual(await ground(), dark));
  const light = await ground();
  await page.keyboard.press('t');
  await page.keyboard.press('t');
  assert.equal(await ground(), dark);
  await page.reload();
  assert.equal(await ground(), dark);
  await page.keyboard.press('t');
  assert.equal(await ground(), light);
  quiet();
});

testOfAll('at 390 pixels nothing is cut off sideways in any view', async (t) => {
  const page = await open(t, '#flame', { size: { width: 390, height: 844 }, hasTouch: true });
  const ids = await viewIds(page);
  for (const view of ids) {
    await show(page, `#${view}`);
    await shown(page, view);
    await page.locator('.view:not([hidden])').waitFor();
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 390, `${view} is ${wide} wide`);
    const [tabs, tab] = await Promise.all(
      ['#tabs', '#tabs [aria-current]'].map((part) => page.locator(part).boundingBox()),
    );
    assert.ok(
      tab.x >= tabs.x - 1 && tab.x + tab.width <= tabs.x + tabs.width + 1,
      `the tab of ${view} is visible`,
    );
    for (const part of ['#connection', '#page', '#tabs', '#search', '#share']) {
      const box = await page.locator(part).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 391, `${part} in ${view}`);
    }
  }
  quiet();
});

/** Returns the top of a part of the page in px without the notices above it: a busy machine may lose records and report that. */
const topOf = (page, part) =>
  page.evaluate((selector) => {
    const told = [...document.querySelectorAll('.notice:not([data-id="pause"])')].map((line) => line.offsetHeight);
    return document.querySelector(selector).getBoundingClientRect().top - told.reduce((sum, px) => sum + px, 0);
  }, part);
const firstFrame = (page) => topOf(page, '.flame .flame-scroll canvas');

testOfAll('little is above the first frame, and less in a low window', async (t) => {
  const page = await open(t, '#flame', { size: { width: 1440, height: 900 } });
  await page.locator('.hot-list li:not([hidden])').first().waitFor();
  assert.ok((await firstFrame(page)) <= 76, `${await firstFrame(page)} px`);
  for (const [width, height] of [
    [720, 450],
    [1440, 390],
    [1024, 720],
  ]) {
    await page.setViewportSize({ width, height });
    await eventually(async () => assert.ok((await firstFrame(page)) <= 76, `${await firstFrame(page)} px of ${height}`));
    // The list below a shallow graph counts as data.
    await eventually(async () => assert.ok((await page.locator('.flame-body').evaluate((body) => body.clientHeight)) >= 0.6 * height));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
  quiet();
});

testOfAll('the full header fits in one line, and an item without room is hidden as a whole', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60, tasks: true });
  own.set({
    source: { port: 'unix:/run/user/1000/miniprofd/board-in-the-lab/uart' },
    target: { fw_version: 'motor-control-nightly 12.4.0-rc3+build.20261120', buffer_overflows: 123456 },
    link: { crc_errors: 65432, records_lost: 7654321 },
  });
  const page = await open(t, '#flame', { daemon: own.address, size: { width: 1440, height: 900 } });
  await page.locator('.hot-list li:not([hidden])').first().waitFor();
  await page.keyboard.press('Shift+L');
  await page.keyboard.type('control_step:max<1us');
  await page.keyboard.press('Enter');
  await page.locator('.limit-list code').waitFor();
  await page.keyboard.press('Escape');
  await page.locator('.limits-badge').waitFor();
  await page.locator('.facts .load').waitFor();
  for (const width of [1440, 1280, 1024, 820]) {
    await page.setViewportSize({ width, height: 900 });
    await eventually(async () => assert.ok((await firstFrame(page)) <= 76, `${await firstFrame(page)} px at ${width}`));
    const boxes = (those) => page.locator(those).evaluateAll((list) => list.map((one) => one.getBoundingClientRect().toJSON()).filter((box) => box.width > 0));
    const parts = await boxes('body > header > :not(.hidden), #badges > :not([hidden])');
    assert.ok(parts.every(({ right, bottom }) => right <= width && bottom <= 40), `all are in the line at ${width}`);
    const inLine = (await boxes('body > header > :not(.hidden)')).sort((one, two) => one.left - two.left);
    for (const [at, { left }] of inLine.entries()) assert.ok(at === 0 || left >= inLine[at - 1].right - 1, `none covers another at ${width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
  }
  assert.match(await page.locator('#target dd').first().getAttribute('title'), /build\.20261120$/);
  assert.deepEqual(await violations(page), []);
  quiet();
});

test('in a low window every view has room while it is paused, and so has the panel', async (t) => {
  const page = await open(t, '#flame', { size: { width: 720, height: 450 } });
  await page.locator('.hot-list li:not([hidden])').first().waitFor();
  await page.keyboard.press('Space');
  await page.locator('.notice[data-id="pause"]').waitFor();
  for (const view of await viewIds(page)) {
    await show(page, `#${view}`);
    await shown(page, view);
    const main = await page.locator('#main').boundingBox();
    const top = await topOf(page, '#main');
    assert.ok(top <= 70 && main.y + main.height <= 450, `${view} begins at ${top}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 720, view);
  }
  await page.locator('#connection').click();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
  const panel = await page.locator('#panel').boundingBox();
  assert.ok(panel.y + panel.height <= 450);
  assert.deepEqual(await violations(page), []);
  quiet();
});

testOfAll('from 1024 pixels on the tabs of all views are visible, and the search beside them', async (t) => {
  for (const width of [1024, 1280, 1440]) {
    const page = await open(t, '#flame', { size: { width, height: 768 } });
    await ready(page);
    const [wide, room] = await page.locator('#tabs').evaluate((tabs) => [tabs.scrollWidth, tabs.clientWidth]);
    assert.ok(wide <= room, `the tabs are ${wide} wide and have ${room} at ${width}`);
    const search = await page.locator('#search').boundingBox();
    assert.ok(search.width >= 112 && search.x + search.width <= width, `search at ${width}`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    await leave(page);
  }
  quiet();
});

testOfAll('commands reach the device and its answer is shown as it is', needsMock, async (t) => {
  const page = await open(t);
  await ready(page);
  mock().commands.length = 0;
  await page.locator('#connection').click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await page.locator('.toast[data-level="ok"]', { hasText: 'ACK' }).waitFor();
  await eventually(async () => assert.equal(await text(page, '#connection-title'), 'Profiling stopped'));
  mock().refuse = { status: 504, title: 'No answer', detail: 'The device did not answer START after 3 tries.' };
  await page.keyboard.press('Shift+S');
  await page.locator('.toast[data-level="bad"]', { hasText: 'did not answer START after 3 tries' }).waitFor();
  mock().refuse = null;
  await page.keyboard.press('Shift+S');
  await eventually(async () => assert.equal(await text(page, '#connection-title'), 'Connected'));
  assert.deepEqual(mock().commands, ['stop', 'start', 'start']);
  quiet(/status of 504/);
});

testOfAll('the reason why something cannot be exported is legible, as wide as the menu', needsMock, async (t) => {
  const reason = 'The gmon export needs program counter samples, which the miniprof dialect does not provide; choose another format.';
  for (const width of [1440, 390]) {
    const page = await open(t, '#link', { size: { width, height: 900 } });
    await page.route('**/api/v1/status', async (route) => {
      const response = await route.fetch();
      const status = await response.json();
      status.exports.push({ id: 'gmon', title: 'gmon.out', extension: 'gmon.out', available: false, reason });
      await route.fulfill({ response, json: status });
    });
    await page.reload();
    await page.locator('.link-view').waitFor();
    await page.locator('#connection-title', { hasText: 'Connected' }).waitFor();
    await page.keyboard.press('e');
    const side = page.getByRole('menuitem', { name: 'gmon.out' }).locator('.side');
    await side.waitFor();
    assert.equal(await side.innerText(), reason);
    const [menu, text] = [await page.locator('.menu').boundingBox(), await side.boundingBox()];
    assert.ok(text.x >= menu.x && text.x + text.width <= menu.x + menu.width, `${text.x} … ${text.x + text.width} at ${width}`);
    assert.equal(await page.locator('.menu').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth), 0);
    await page.keyboard.press('Escape');
    await page.unroute('**/api/v1/status');
    await leave(page);
  }
  quiet();
});

testOfAll('after the mouse has changed the view, or opened a menu or dialog, the space bar pauses; after keys the focus returns to the button', async (t) => {
  const page = await open(t, '#flame');
  await ready(page);
  const notice = page.locator('.notice[data-id="pause"]');
  const pauses = async (what) => {
    await page.keyboard.press('Space');
    await notice.waitFor();
    assert.equal(await page.locator('.menu, dialog').count(), 0, what);
    await page.keyboard.press('Space');
    await notice.waitFor({ state: 'detached' });
  };
  await page.locator('#tabs [data-view="functions"]').click();
  await page.locator('.functions-table tbody th').first().waitFor();
  await pauses('tab');
  await page.locator('#connection').click();
  await page.locator('.link-view').waitFor();
  await pauses('connection');
  await page.locator('#connection').click();
  await page.locator('#panel').waitFor({ state: 'hidden' });
  await pauses('connection again');
  const [more, exports] = ['More', 'Share'].map((name) => page.locator('#share').getByRole('button', { name }));
  for (const [one, what] of [[more, '.menu'], [exports, '.menu']]) {
    await one.click();
    await page.locator(what).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(what).waitFor({ state: 'detached' });
    await pauses(what);
    await one.focus();
    await page.keyboard.press('Enter');
    await page.locator(what).waitFor();
    await page.keyboard.press('Escape');
    await page.locator(what).waitFor({ state: 'detached' });
    assert.ok(await one.evaluate((button) => button === document.activeElement), `back from ${what}`);
  }
  quiet();
});

test('clear empties the view and explains what happens next', needsMock, async (t) => {
  const page = await open(t);
  await ready(page);
  mock().live = false;
  await page.keyboard.press('Shift+C');
  await page.locator('.empty', { hasText: 'no calls yet' }).waitFor();
  mock().live = true;
  await ready(page);
  mock().program.run(60);
  quiet();
});

/** Toasts stay until they are dismissed: on a busy machine their 20 s may pass while a test waits for something else. */
const keepToasts = (page) =>
  page.evaluate(() => {
    const plain = globalThis.setTimeout;
    globalThis.setTimeout = (run, ms, ...rest) => (ms >= 20000 ? 0 : plain(run, ms, ...rest));
  });

test('Undo shows the profile from before Clear, as kept by the daemon, and says that counting continues', needsMock, async (t) => {
  const own = await ownMock({ rounds: 60 }); // others' pauses do not count
  const page = await open(t, '#flame', { daemon: own.address });
  await ready(page);
  await keepToasts(page);
  const calls = async () => Number(/ in ([\d,]+) calls/.exec(await text(page, '.extent'))[1].replaceAll(',', ''));
  own.live = false;
  const before = await calls();
  await page.keyboard.press('Shift+C');
  await page.locator('.toast', { hasText: 'Cleared' }).getByRole('button', { name: 'Undo' }).waitFor();
  own.live = true;
  await ready(page);
  await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
  const notice = page.locator('.notice[data-id="pause"]');
  await notice.filter({ hasText: 'Counts began at zero since then' }).waitFor();
  await eventually(async () => assert.ok((await calls()) >= before, 'as it was'));
  await eventually(async () => assert.equal(own.pauses.size, 1));
  await page.keyboard.press('e');
  assert.match(await page.getByRole('menuitem', { name: /Folded|Collapsed/i }).first().getAttribute('href'), /pause=\d+/);
  await page.keyboard.press('Escape');
  await notice.getByRole('button', { name: 'Back to now' }).click();
  await notice.waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+Z');
  await notice.filter({ hasText: 'Counts began at zero since then' }).waitFor();
  await eventually(async () => assert.ok((await calls()) >= before, 'as often as one likes'));
  await page.keyboard.press('Shift+C');
  await notice.waitFor({ state: 'detached' });
  const [first, second] = [0, 1].map((i) => page.locator('.toast', { hasText: 'Cleared' }).nth(i).getByRole('button', { name: 'Undo' }));
  await first.waitFor();
  await page.keyboard.press('Shift+C');
  await second.waitFor();
  await eventually(async () => assert.equal(own.pauses.size, 1, 'nothing is kept that nobody can come back to'));
  await first.click();
  await page.locator('.toast', { hasText: 'Only the last cleared profile is kept' }).waitFor();
  const said = await page.locator('.toast', { hasText: 'Cleared' }).count();
  await page.keyboard.press('Shift+C');
  await eventually(async () => assert.equal(await page.locator('.toast', { hasText: 'Cleared' }).count(), said + 1));
  await page.keyboard.press('Shift+Z');
  await eventually(async () => assert.equal(await page.locator('.toast', { hasText: 'Cleared' }).count(), said, 'it goes when it is undone by a key, too'));
  await leave(page);
  await eventually(async () => assert.equal(own.pauses.size, 0));
  own.program.run(60);
  quiet();
});

testOfAll('a moment that the daemon cannot keep is exported from the page, which reports that', needsMock, async (t) => {
  const own = await ownMock({ rounds: 40 });
  own.pausesMost = 0;
  const page = await open(t, '#flame', { daemon: own.address });
  await ready(page);
  await page.keyboard.press(' ');
  await page.locator('.notice[data-id="pause"]', { hasText: 'No more can be kept' }).waitFor();
  await page.keyboard.press('e');
  await page.locator('.menu', { hasText: 'miniprofd does not keep this moment: saved from this page' }).waitFor();
  assert.equal(await page.locator('.menu a[href]').count(), 0);
  quiet(/503/);
});

test('a lost device, a wrong ELF and a missing ELF are reported above every view', needsMock, async (t) => {
  const page = await open(t, '#functions?panel=link'); // Overview says what is not bad in Health
  const healthy = structuredClone({ source: mock().source, target: mock().target });
  const notice = (id) => page.locator(`.notice[data-id="${id}"]`);
  mock().set({ source: { state: 'lost', detail: '/dev/ttyACM0 was unplugged' } });
  await notice('lost').filter({ hasText: 'was unplugged' }).waitFor();
  await eventually(async () => assert.ok(await page.getByRole('button', { name: 'Start', exact: true }).isDisabled()));
  mock().set(healthy);
  await notice('lost').waitFor({ state: 'detached' });
  mock().set({ target: { elf_match: false } });
  await notice('elf').waitFor();
  mock().set({ ...healthy, source: { elf: null } });
  await notice('symbols').waitFor();
  mock().set(healthy);
  await notice('symbols').waitFor({ state: 'detached' });
  quiet();
});

test('when the daemon goes away the page reports it and recovers by itself', needsMock, async (t) => {
  const own = await startMock({ rounds: 30 });
  const page = await open(t, '#flame', { daemon: own.address });
  await ready(page);
  await own.stop();
  await page.locator('.notice[data-id="daemon"]').waitFor();
  const extent = await text(page, '.extent');
  await page.keyboard.press('e');
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'Snapshot (JSON)' }).click()]);
  const saved = JSON.parse(await readFile(await file.path(), 'utf8'));
  assert.equal(saved.schema, 'miniprofd.snapshot');
  assert.ok(saved.functions.some(({ calls }) => calls > 0), 'what is on the screen can be saved');
  await own.listen(own.port);
  t.after(() => own.stop());
  await page.locator('.notice[data-id="daemon"]').waitFor({ state: 'detached' });
  await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
  quiet(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET/);
});

test('a gap in the stream is closed with a fresh snapshot', needsMock, async (t) => {
  const page = await open(t);
  await ready(page);
  const asked = [];
  page.on('request', (request) => request.url().endsWith('/snapshot') && asked.push(request.url()));
  mock().sequence += 5;
  const extent = await text(page, '.extent');
  await eventually(async () => assert.ok(asked.length > 0));
  await eventually(async () => assert.notEqual(await text(page, '.extent'), extent));
  quiet();
});

/** Checks the dialogs for time, notes and limits, the list of keys, and the card of a function with its calls over time. */
async function lookAtParts(page, look, width) {
  for (const key of ['j', 'Shift+B', 'Shift+L', '?']) {
    await page.keyboard.press(key);
    const focus = () => page.evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
    await eventually(async () => assert.equal(await page.locator('dialog[open]').count(), 1, `${key} at ${width} px, focus in ${await focus()}`));
    assert.deepEqual(await look(page), [], `${key}, ${width} px`);
    await page.keyboard.press('Escape');
    await page.locator('dialog[open]').waitFor({ state: 'detached' });
  }
  await show(page, '#functions?fn=tcp_output');
  const card = page.locator('.functions .sandwich'); // the call graph has one as well
  await card.locator('.overtime-plot').waitFor();
  await card.locator('.edges').first().getByRole('treeitem').first().waitFor();
  assert.deepEqual(await look(page), [], `card, ${width} px`);
}

testOfAll('axe-core finds nothing wrong with any view, in either theme, wide or narrow', needsMock, async (t) => {
  t.after(() => (mock().live = true));
  const narrow = doesAll ? [[390, 800, violations], [720, 450, violations]] : []; // 720 × 450: a wide window zoomed to 200 %
  for (const [width, height, look] of [[1280, 800, violationsInBothThemes], ...narrow]) {
    const page = await open(t, '#flame', { size: { width, height } });
    await ready(page);
    mock().live = false; // axe-core takes longer on a page that changes
    // A usual run checks the views with real data (every-view.test.mjs) and here only the other parts.
    for (const view of doesAll ? await viewIds(page) : []) {
      await show(page, `#${view}`);
      await shown(page, view);
      assert.deepEqual(await look(page), [], `${view}, ${width} px`);
    }
    if (width > 390) await lookAtParts(page, look, width);
    await leave(page);
  }
  quiet();
});

/** Maps an address of an earlier version to the view that it shows now and to that view's tab. */
const earlier = {
  flame: ['flame', 'Flame'],
  timeline: ['timeline', 'Timeline'],
  tasks: ['tasks', 'Tasks'],
  functions: ['functions', 'Functions'],
  'graph?fn=tcp_output&depth=1': ['graph', 'Flame'],
  'source?fn=tcp_output&row=574': ['source', 'Flame'],
  'compare?show=table': ['compare', 'Flame'],
  checkpoints: ['checkpoints', 'Checkpoints'],
  messages: ['messages', 'Messages'],
};

testOfAll('addresses of earlier versions lead to the present views, whether loaded or followed', needsMock, async (t) => {
  const page = await open(t, '#flame');
  await ready(page);
  for (const [address, [view, tab]] of Object.entries(earlier)) {
    await show(page, `#${address}`);
    await shown(page, view);
    assert.equal(await text(page, '#tabs [aria-current]'), tab, address);
    assert.ok(await page.locator('#panel').isHidden(), address);
  }
  for (const way of ['followed', 'loaded']) {
    await show(page, '#link');
    if (way === 'loaded') await page.reload();
    await page.locator('#panel .checks').waitFor();
    await shown(page, 'overview'); // the view behind the panel
    await page.keyboard.press('Escape');
    await page.locator('#panel').waitFor({ state: 'hidden' });
    assert.doesNotMatch(await hash(page), /panel/);
  }
  quiet();
});

test('tabs of messages and checkpoints exist if there is data, and open first if there is nothing else', needsMock, async (t) => {
  const own = await ownMock({ rounds: 20, live: false });
  const page = await open(t, '#flame', { daemon: own.address });
  await ready(page);
  const tabs = () => page.locator('#tabs a:not([hidden])').allInnerTexts();
  const usual = ['Overview', 'Flame', 'Timeline', 'Functions', 'Tasks'];
  assert.deepEqual(await tabs(), usual);
  own.say(3);
  await eventually(async () => assert.deepEqual(await tabs(), [...usual, 'Messages']));
  assert.equal(await keyOf(page, 'messages'), '7');
  const silent = await ownMock({ rounds: 0, live: false });
  silent.say(3);
  const other = await open(t, '', { daemon: silent.address });
  await shown(other, 'messages');
  await eventually(async () => assert.deepEqual(await other.locator('#tabs a:not([hidden])').allInnerTexts(), ['Messages', ...usual]));
  quiet();
});

testOfAll('an address without a view opens on the one that has something to show, any other address on its own', needsMock, async (t) => {
  const own = await ownMock({ rounds: 0, live: false });
  const page = await open(t, '', { daemon: own.address });
  await page.locator('.overview .empty').waitFor();
  await page.locator('.empty-sign .turning').waitFor();
  own.set({ source: { state: 'lost', detail: 'it went away' } });
  await page.locator('.empty[data-level="bad"] .empty-sign .icon').waitFor();
  assert.deepEqual(await violations(page), []);
  own.set({ source: { state: 'connected', detail: '' } });
  await page.locator('.empty-sign .turning').waitFor();
  own.say(3);
  await page.locator('.messages-table .col-text bdi').first().waitFor();
  assert.match(await hash(page), /^#messages/);
  await page.locator('#tabs [data-view="flame"]').click();
  await page.locator('.flame .empty').waitFor();
  own.say(3);
  await page.goto('about:blank');
  await page.goto(`${own.address}#flame`);
  await page.locator('.flame .empty').waitFor();
  assert.match(await hash(page), /^#flame/);
  quiet();
});

testOfAll('a pressed button is legible while the pointer is on it', async (t) => {
  const page = await open(t);
  await ready(page);
  const button = page.getByRole('button', { name: /^Pause/ });
  await button.click();
  await paused(page);
  const pressed = page.locator('header [aria-pressed="true"]', { hasText: 'Pause' });
  for (const theme of ['light', 'dark']) {
    await page.emulateMedia({ colorScheme: theme });
    const colourOf = (name) => pressed.evaluate((one, key) => getComputedStyle(one)[key], name);
    await eventually(async () => assert.equal(await colourOf('backgroundColor'), await colourOf('borderTopColor'), theme));
    assert.notEqual(await colourOf('color'), await colourOf('backgroundColor'));
  }
  quiet();
});
