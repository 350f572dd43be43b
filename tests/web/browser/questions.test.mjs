// questions.test.mjs - eight common questions: each is answered on the screen within three actions, by keys and by mouse.
// answers.test.mjs has eight more.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';

import { duration, percent } from '../../../webroot/js/model/format.js';
import { reader as countedReader } from '../reader.mjs';
import { ask, eventually, figure, hash, mock, needsMock, open, openKept, ownMock, quiet, ready, rowName, saved, snapshot, test, testOfAll, text } from './support.mjs';

const actionsMost = 3;
const moment = (page) => page.locator('#moment');
const dialog = (page) => page.locator('dialog[open]');

const reader = (page) => countedReader(page, actionsMost);

/** Declares a test for each way. `run(reader, page)` starts on the page as it opens. */
function question(name, ways, holds, { isFresh = false, start = '#flame', there = ready } = {}) {
  for (const [way, run] of Object.entries(ways)) {
    (way === 'keys' ? test : testOfAll)(`${name} by ${way}`, needsMock, async (t) => {
      t.after(() => (mock().live = true));
      mock().live = false;
      const page = await (isFresh ? open(t, start) : openKept(start, { daemon: mock().address, theme: 'light' }));
      await there(page);
      await run(reader(page), page);
      await holds(page);
      quiet();
    });
  }
}

const busiest = async () => (await snapshot()).functions.reduce((most, fn) => (fn.self_ticks > most.self_ticks ? fn : most));
const hottest = (page) => page.locator('.hot-list li:not([hidden]) button').first();
const act = (page, name) => page.locator('.details').getByRole('button', { name });
const tab = (page, id) => page.locator(`#tabs a[data-view="${id}"]`);

question(
  'where does the time go?',
  { keys: (reader) => reader.key('4'), mouse: (reader, page) => reader.click(tab(page, 'functions')) },
  async (page) => {
    const { functions } = await snapshot();
    const whole = functions.reduce((sum, fn) => sum + fn.self_ticks, 0);
    const { name, self_ticks: self } = await busiest();
    const row = page.locator('.functions-table tbody tr:not(.spacer):not([hidden])').first();
    await eventually(async () => assert.equal(await rowName(row.locator('th button')), name));
    assert.equal(await row.locator('.col-selfShare').innerText(), percent(self / whole));
  },
);

question(
  'who calls the hottest function, and from where most often?',
  {
    async keys(reader) {
      await reader.key('4');
      await reader.key('ArrowDown');
    },
    async mouse(reader, page) {
      await reader.click(hottest(page));
      await reader.click(act(page, 'Function'));
    },
  },
  async (page) => {
    const { call_tree: tree, functions } = await snapshot();
    const { id, name } = await busiest();
    await eventually(async () => assert.equal(await text(page, '.sandwich-name'), name));
    const calls = new Map();
    tree.function.forEach((fn, row) => {
      const caller = functions[tree.function[tree.parent[row]]]?.name;
      if (fn === id && caller !== undefined) calls.set(caller, (calls.get(caller) ?? 0) + tree.calls[row]);
    });
    const callers = page.locator('.edge-part').first().locator('li:not([hidden])');
    await eventually(async () => {
      const rows = await callers.evaluateAll((list) => list.map((row) => ['.edge-name', '.edge-calls'].map((one) => row.querySelector(one).innerText)));
      const said = new Map(rows.map(([caller, times]) => [caller, Number(times.replace(/[^\d]/g, ''))]));
      assert.deepEqual(said, calls);
    });
  },
);

/**
 * Returns an innermost call of the shared mock and a moment within it: { name, start, moment } in ticks from the first record. It is in the
 * older half: a page on a busy machine may not have received the newest calls.
 */
function innermostCall() {
  const { list, oldest } = mock().program.timed;
  const asLong = list.findLast(({ start, duration }, at) => at > 0 && at < list.length / 2 && duration > 100 && start >= list[at - 1].start + list[at - 1].duration);
  const start = asLong.start - oldest;
  return { name: mock().program.functions[asLong.fn].name, start, moment: Math.round(start + asLong.duration / 2) };
}

question(
  'what happened at that moment?',
  {
    async keys(reader, page) {
      await reader.key('j');
      await moment(page).waitFor();
      await reader.say(`${innermostCall().moment / 1e3} ms`);
    },
    async mouse(reader, page) {
      await reader.click(tab(page, 'timeline'));
      await reader.click(page.getByRole('button', { name: 'Go to …' }));
      const seconds = innermostCall().moment / 1e6;
      await reader.say(`${Math.floor(seconds / 60)}:${(seconds % 60).toFixed(6)}`);
    },
  },
  async (page) => {
    const { name, start, moment } = innermostCall();
    const { oldest } = await ask('timeline?max=1');
    await eventually(async () => assert.equal(Number(/^#timeline.*spot=(\d+)/.exec(await hash(page))[1]) - oldest, moment));
    await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), name));
    const [said, unit] = (await figure(page, 'Start')).split(' ');
    assert.ok(Math.abs(Number(said) * { ms: 1e3, s: 1e6 }[unit] - start) < 1000, `${said} ${unit}`);
  },
);

/** Returns a file with an older profile in which one function took twice as long. */
async function yesterday() {
  const base = await snapshot();
  const { functions, call_tree: tree } = base;
  const slow = functions.find((fn) => fn.name === 'spi_wait');
  for (const name of ['self_ticks', 'total_ticks', 'mean_ticks']) slow[name] *= 2;
  tree.function.forEach((fn, row) => {
    if (fn !== slow.id) return;
    const more = tree.self_ticks[row];
    tree.self_ticks[row] += more;
    for (let at = row; at > 0; at = tree.parent[at]) tree.total_ticks[at] += more;
  });
  return { name: 'yesterday.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(base)) };
}

question(
  'is my change better?',
  {
    async keys(reader, page) {
      const asked = page.waitForEvent('filechooser');
      await reader.key('Shift+K');
      await page.locator('.compare-start:not([hidden])').waitFor();
      await reader.key('f');
      await reader.choose(asked, await yesterday());
    },
    async mouse(reader, page) {
      const asked = page.waitForEvent('filechooser');
      await reader.click(page.getByRole('button', { name: 'Compare with…' }));
      await reader.click(page.locator('.compare-start').getByRole('button', { name: /^Open/ }));
      await reader.choose(asked, await yesterday());
    },
  },
  async (page) => {
    await page.locator('.compare-verdict', { hasText: /faster/ }).waitFor();
    // The list beside it shows the other changes, the largest first.
    await eventually(async () => assert.equal(await page.locator('.compare .hot-list li:not([hidden]) .hot-name').first().innerText(), 'spi_wait'));
  },
  { isFresh: true }, // a page keeps what it compares with
);

testOfAll('is the link healthy, what do I change? by keys and by mouse', needsMock, async (t) => {
  const sick = await ownMock({ rounds: 30, live: false });
  sick.set({ target: { buffer_overflows: 12 }, link: { line_use_percent: 97 } });
  const full = 'The line is used to 97 %, so calls may soon be lost. Use a faster line (--baud-max).';
  sick.doctor = { findings: [{ verdict: 'warn', text: full }], fails: 0 };
  const page = await open(t, '#flame', { daemon: sick.address });
  const told = page.locator('.checks li', { hasText: full });
  await ready(page);
  await reader(page).key('Shift+A');
  await told.waitFor();
  await page.keyboard.press('Escape');
  await told.waitFor({ state: 'hidden' });
  await reader(page).click(page.locator('#connection'));
  await told.waitFor();
  quiet();
});

testOfAll('show a colleague exactly this, by keys and by mouse: a file that opens on that place without a server', needsMock, async (t) => {
  const mock = await ownMock({ rounds: 60, live: false, messages: 20 });
  const evil = '</script><script>document.title="evil"</script>';
  mock.program.functions[3].name = evil;
  const { oldest } = mock.program.timed.answer(0, null, null, 1);
  const at = `${oldest + 18000}-${oldest + 22000}`;
  const page = await open(t, `#timeline?at=${at}&spot=${oldest + 20000}&notes=${oldest + 19000}-look%20here&search=a`, { daemon: mock.address, theme: 'dark' });
  await eventually(async () => assert.match(await hash(page), /call=/));
  const name = await text(page, '.timeline .detail-name');
  const byMouse = reader(page);
  const same = await saved(t, page, async () => {
    await byMouse.click(page.getByRole('button', { name: 'Share' }));
    await byMouse.click(page.getByRole('menuitem', { name: 'This page in a file' }));
  });
  const file = await saved(t, page, () => reader(page).key('Shift+H'));
  assert.equal((await readFile(same)).length, (await readFile(file)).length);
  await mock.stop();
  await page.goto(pathToFileURL(file).href);
  await page.locator('#tabs a[aria-current]').waitFor();
  await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), name));
  assert.match(await hash(page), new RegExp(`^#timeline.*at=${at}.*notes=\\d+-look here`));
  assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), 'dark');
  assert.equal(await page.locator('#search-text').inputValue(), 'a');
  assert.match(await text(page, '[data-id="exactly"]'), /Its timeline has /);
  assert.deepEqual(await page.locator('#tabs a').allInnerTexts(), ['Flame', 'Timeline', 'Functions', 'Messages']);
  assert.doesNotMatch(await page.title(), /evil/);
  await page.locator('#tabs a[data-view="functions"]').click();
  await page.locator('#search-text').fill('script');
  await eventually(async () => assert.ok((await page.locator('tbody tr:not(.spacer):not([hidden]) th button').evaluateAll((list) => list.map(({ title }) => title))).some((one) => one.includes(evil))));
  quiet(/ERR_CONNECTION|Failed to load/);
});

/** Starts on the page as it opens. */
const opening = { start: '#overview', there: (page) => page.locator('.overview-aside .overview-bar').first().waitFor() };

const kept = { folder: '/var/lib/glitches', error: null, dropped: 0, rows: [] };

question(
  'watch this function: notify me, and keep what was around it',
  {
    async keys(reader, page) {
      mock().set({ source: { keeping: kept } });
      await reader.key('Shift+L');
      await dialog(page).waitFor();
      await reader.say(`${(await busiest()).name}:max<500us`);
    },
    async mouse(reader, page) {
      mock().set({ source: { keeping: kept } });
      const { name } = await busiest();
      await reader.click(page.getByRole('region', { name: 'Busiest functions' }).locator('li button').first());
      await eventually(async () => assert.equal(await text(page, '.sandwich-name'), name));
      await reader.click(page.locator('.sandwich').getByRole('button', { name: 'Limit …' }));
      await reader.say('500us');
    },
  },
  async (page) => {
    const { name } = await busiest();
    await dialog(page).getByRole('listitem').getByText(`${name}:max<500us`).waitFor();
    await dialog(page).getByText('The time around a broken limit is kept in /var/lib/glitches.').waitFor();
    const { newest } = await ask('timeline?max=1');
    mock().breach(mock().limits[0].id, newest - 700, newest, 700000);
    await page.locator('.toast[data-level="bad"]', { hasText: 'A limit was broken' }).first().waitFor();
    await dialog(page).getByText('700 µs at the worst').waitFor();
    await page.keyboard.press('Escape');
    mock().limits = [];
    mock().set({ source: { keeping: null } });
    mock().publish({ limits: [] });
    await page.locator('.limits-badge').waitFor({ state: 'hidden' });
  },
  opening,
);

question(
  'which calls were the slowest, and what ran in them?',
  {
    keys: (reader) => reader.key('o'),
    mouse: (reader, page) => reader.click(page.locator('.slow-at button').first()),
  },
  async (page) => {
    await eventually(async () => assert.match(await hash(page), /^#timeline\?.*at=\d.*call=/));
    // The call fills a good part of the screen, so its callees are visible.
    const { calls } = await ask('slowest');
    const { functions, target } = await snapshot();
    await eventually(async () => assert.equal(await text(page, '.timeline .detail-name'), functions[calls[0].function].name));
    assert.equal(await figure(page, 'Duration'), duration(calls[0].duration, target.ticks_per_second));
    const [, from, to] = /at=(\d+)-(\d+)/.exec(await hash(page));
    assert.ok(to - from < 4 * calls[0].duration, `${from}-${to}`);
  },
  // Fresh: a toast about a limit from an earlier test covers the buttons for ten seconds.
  { isFresh: true, start: '#overview', there: (page) => page.locator('.slow-at button').first().waitFor() },
);
