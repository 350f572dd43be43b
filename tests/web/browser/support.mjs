// support.mjs - what the tests of the views share: one browser, one daemon to show, and ways to read the page.
//
// The daemon is a mock of the tests' own, or what BASE_URL names; with the latter, what only the mock can do is
// skipped by name.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test as nodeTest } from 'node:test';

import { launch } from '../chromium.mjs';
import { isChosen } from '../chosen.mjs';
import { startMock } from '../mock-server.mjs';
import { within } from '../within.mjs';

const real = process.env.BASE_URL;
export const needsMock = real ? { skip: 'needs the mock daemon, and BASE_URL is set' } : {};
const waitMs = Number(process.env.WAIT_MS ?? 120000); // what does not come in this time never will, also where a dozen others want the processor
const tryMs = 3 * waitMs; // a test waits for one or two things that do not come, and then for none
const pictures = process.env.TEST_PICTURES ?? join(tmpdir(), 'miniprofd-pictures');

let daemon = null;
let browser = null;
let address = '';
let troubles = []; // console errors and exceptions of pages in use; each test must leave it empty

before(async () => {
  daemon = real ? null : await startMock({ rounds: 60 });
  address = real ?? daemon.address;
  browser = await launch();
});

after(async () => {
  await browser?.close();
  await daemon?.stop();
});

const mocks = []; // of the test that runs
let ownPort = 0; // where the last of them was: the browser has loaded the page from there already

/**
 * A mock of a test's own; it outlives the pages that look at it, and ends with the test. One with another page (`root`) has an
 * address of its own, where the browser has no files yet.
 */
export async function ownMock(options) {
  const isPage = options.root === undefined;
  const port = isPage && mocks.length === 0 ? ownPort : 0;
  const one = await startMock({ ...options, port }).catch(() => startMock(options)); // somebody else may have it now
  if (isPage) ownPort = one.port;
  mocks.push(one);
  return one;
}

/** The mock that all tests share; null when there is a real daemon. */
export const mock = () => daemon;

/**
 * A test, as node's: test(name, [options,] run). `run` gets `after` only, which takes what is to be done at its end. Of one that fails the
 * pages are kept as pictures.
 */
export function test(name, ...rest) {
  if (!isChosen(name)) return;
  const run = rest.pop();
  nodeTest(name, ...rest, async (t) => {
    const afterwards = [];
    async function tidy() {
      while (afterwards.length > 0) await afterwards.shift()();
      for (const one of mocks.splice(0)) await one.stop();
    }
    async function whole() {
      await run({ after: (one) => afterwards.push(one) });
      await tidy();
    }
    try {
      await within(tryMs, whole());
    } catch (error) {
      for (const line of await photograph(name)) t.diagnostic(line);
      await discard();
      await tidy();
      throw error;
    }
  });
}

/** Takes a picture of each page in use; returns lines that say where the picture is, what the page's address was, and its errors. */
async function photograph(name) {
  const lines = troubles.map((words) => `console: ${words.split('\n')[0]}`);
  const stem = name.replace(/[^\w]+/g, '-').slice(0, 80);
  for (const [number, page] of [...used.keys()].entries()) {
    const file = join(pictures, `${stem}${number > 0 ? `-${number}` : ''}.png`);
    try {
      await mkdir(pictures, { recursive: true });
      await within(10000, page.screenshot({ path: file }));
      lines.push(`screenshot: ${file} of ${page.url()}`);
    } catch (error) {
      lines.push(`no screenshot of ${page.url()}: ${error.message.split('\n')[0]}`);
    }
  }
  return lines;
}

// A tab is used by one test after the other, since what the browser has loaded and compiled for one page serves the next there. In between
// it shows about:blank, which asks no server for anything. Tabs differ by what a context must know from the beginning.
const kinds = new Map(); // the options of a context, as JSON -> { context, resting }
const used = new Map(); // page -> its kind

async function tab(options) {
  const key = JSON.stringify(options);
  if (!kinds.has(key)) kinds.set(key, { context: await browser.newContext(options), resting: [] });
  const kind = kinds.get(key);
  let page = kind.resting.pop();
  if (page === undefined) {
    page = await kind.context.newPage();
    page.setDefaultTimeout(waitMs);
    const trouble = (words) => used.has(page) && troubles.push(words);
    page.on('console', (message) => message.type() === 'error' && trouble(message.text()));
    page.on('pageerror', (error) => trouble(error.stack));
    page.on('dialog', (dialog) => {
      trouble(`dialog: ${dialog.message()}`);
      dialog.dismiss();
    });
  }
  used.set(page, kind);
  return page;
}

/** In the page: nothing that it has stored is there for the next one. */
function forget() {
  localStorage.clear();
  sessionStorage.clear();
  indexedDB.deleteDatabase('miniprofd');
}

/** Gives up a page before the end of the test, so that the next one takes its tab. */
export async function leave(page) {
  const kind = used.get(page);
  used.delete(page);
  if (kind === undefined) return;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(forget).catch(() => {}); // it may show an error of the browser
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
  kind.resting.push(page);
}

/** After a test that failed no tab is what it should be, nor is the browser. */
async function discard() {
  used.clear();
  kinds.clear();
  kept = null;
  troubles = [];
  await browser.close();
  browser = await launch();
}

/** A page at `hash` with data shown, left at the end of the test. */
export async function open(
  t,
  hash = '#flame',
  { theme = 'light', size = { width: 1280, height: 800 }, daemon: at = address, ...options } = {},
) {
  await giveUpKept();
  const page = await tab(options);
  t.after(() => leave(page));
  await prepare(page, { theme, size });
  await page.goto(at + hash);
  return page;
}

async function prepare(page, { theme = 'light', size = { width: 1280, height: 800 } }) {
  await page.setViewportSize(size);
  await page.emulateMedia({ colorScheme: theme });
}

/** Shows another place of a page, by its address. */
export async function show(page, hash) {
  await page.evaluate((where) => {
    location.hash = where;
  }, hash);
}

let kept = null; // { page, key } of openKept()

/**
 * As open(), but the page is left to the next test that asks for the same daemon and theme by this, which then begins there without loading it
 * again; for tests that end with a page just reloaded, so that all it may still know is what it has stored, which is forgotten. A test that asks
 * for another page gives this one up, as does a test that fails.
 */
export async function openKept(hash, { daemon: at, theme }) {
  const key = JSON.stringify([at, theme]);
  if (kept?.key === key && used.has(kept.page)) {
    await prepare(kept.page, { theme });
    await kept.page.evaluate(forget);
    await show(kept.page, hash);
    return kept.page;
  }
  await giveUpKept();
  const page = await tab({});
  kept = { page, key };
  await prepare(page, { theme });
  await page.goto(at + hash);
  return page;
}

async function giveUpKept() {
  const before = kept;
  kept = null;
  if (before !== null) await leave(before.page);
}

/** Nothing went wrong in any page since the last call, except what `expected` matches. */
export function quiet(expected = null) {
  const found = troubles.filter((line) => !expected?.test(line));
  troubles = [];
  assert.deepEqual(found, []);
}

export const text = (page, selector) => page.locator(selector).first().innerText();
/** What the daemon answers, asked on a connection of its own: a kept one may lead to a mock that was there before. */
export const ask = (path, at = address) =>
  new Promise((resolve, reject) => {
    const answered = (response) => json(response).then(resolve, reject);
    get(`${at}api/v1/${path}`, { agent: false }, answered).on('error', reject);
  });
export const snapshot = (at = address) => ask('snapshot', at);
export const hash = async (page) => decodeURIComponent(new URL(page.url()).hash);
export const figure = (page, name) =>
  page
    .locator('.detail-figures > div', { has: page.locator('dt', { hasText: new RegExp(`^${name}$`) }) })
    .locator('dd')
    .innerText();
/** Where on a flame graph's canvas a row is (0 is the whole), near its left edge. */
export async function rowSpot(page, row) {
  const px = Number(await page.locator('.flame-scroll canvas:visible').getAttribute('data-row'));
  return { x: 60, y: row * px + 10 };
}

export const ready = (page) => page.locator('.hot-list li:not([hidden])').first().waitFor();

/** Waits until the header has its figures, after which it changes its height no more. */
export async function filled(page) {
  await page.locator('.facts .load', { hasText: /\d/ }).waitFor({ state: 'attached' }); // a narrow header has no room for it
}

/** Waits until a view is paused; what is read after that belongs to one moment, also what is made beside the page. */
export async function paused(page) {
  await page.locator('[data-id="pause"]').waitFor();
  await page.locator('.view:not([hidden]):not([data-behind])').waitFor();
}

/** Pauses the view. */
export async function pause(page) {
  await page.keyboard.press(' ');
  await paused(page);
}

/** Polls until `check` holds; its last error otherwise. */
export async function eventually(check) {
  const end = Date.now() + waitMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => {
        setTimeout(resolve, 50);
      });
    }
  }
}

/** Every name in the table, read by scrolling through it. */
export async function tableNames(page) {
  return page.evaluate(async () => {
    const scroller = document.querySelector('.table-scroll');
    const names = new Set();
    for (let top = 0; top <= scroller.scrollHeight; top += 200) {
      scroller.scrollTop = top;
      await new Promise((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(resolve));
      });
      for (const row of scroller.querySelectorAll('tbody tr:not(.spacer):not([hidden])'))
        names.add(row.querySelector('th').textContent);
    }
    scroller.scrollTop = 0;
    return [...names];
  });
}

/** What is saved by `run`, as a file on the disk; `t` takes it away. */
export async function saved(t, page, run) {
  const waiting = page.waitForEvent('download');
  await run();
  const download = await waiting;
  const folder = await mkdtemp(join(tmpdir(), 'page-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, download.suggestedFilename());
  await download.saveAs(file);
  return file;
}

let axe = null; // the source of axe-core
// Rows of a table look as the dozen above them; to look at the colours behind each cell of hundreds takes seconds.
const alike = ['tbody tr:nth-child(n + 14):not([aria-selected="true"])'];

const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * What axe-core finds wrong with the page as it is shown. To work out the contrast of every text takes most of its time, so a usual run does
 * without, but once a view (every-view.test.mjs); a run that does all has it in every state.
 */
export const violations = (page, { colours = doesAll } = {}) => look(page, null, colours ? [] : colourRules);

/** What axe-core finds, one line a violation and place. `rules`: these alone; `but`: not these. */
async function look(page, rules = null, but = []) {
  axe ??= await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  const found = await page.evaluate(
    ([exclude, only, off]) =>
      globalThis.axe.run(
        { include: document, exclude },
        { resultTypes: ['violations'], rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])), ...(only && { runOnly: only }) },
      ),
    [alike, rules, but],
  );
  // A tab that has been scrolled out of sight is taken for a link that skips something.
  const isTab = (id, node) => id === 'skip-link' && node.html.includes('data-view=');
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter((node) => !isTab(id, node))
      .map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.html.slice(0, 160)}`),
  );
}

/** True in a run that does all (scripts/test all). */
export const doesAll = Boolean(process.env.TEST_ALL);

/** As violations(), and in a run that does all in the dark theme, too: themes differ in their colours and in nothing else. */
export async function violationsInBothThemes(page) {
  const found = await violations(page);
  if (!doesAll) return found;
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await look(page, colourRules);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...found, ...dark.map((line) => `dark: ${line}`)];
}

/** By what is a mode of another view: the key that leads there, and the button, where there is one in each mode of that. */
export const modes = {
  graph: { key: 'Shift+V', name: 'Call graph' },
  source: { key: 'Shift+U', name: 'Source' },
  compare: { key: 'Shift+K', name: 'Compare with…' },
};
/** The key that leads to a view, as its tab shows it. */
export const keyOf = async (page, id) =>
  modes[id]?.key ?? /\((.)\)$/.exec(await page.locator(`#tabs a[data-view="${id}"]`).getAttribute('title'))[1];
/** The ids of the views: those with a tab, in their order, then those that are modes. */
export const viewIds = async (page) => [
  ...(await page.locator('#tabs a').evaluateAll((tabs) => tabs.filter(({ hidden }) => !hidden).map((tab) => tab.dataset.view))),
  ...Object.keys(modes),
];
/** Waits until a view is shown. */
export const shown = (page, id) => page.locator(`.view[data-view="${id}"]:not([hidden])`).waitFor();
/** Leads to a view with the mouse alone. */
export async function clickTo(page, id) {
  if (!(id in modes)) return page.locator(`#tabs a[data-view="${id}"]`).click();
  await page.locator('#tabs a[data-view="flame"]').click();
  await shown(page, 'flame');
  return page.locator('.flame .toolbar').getByRole('button', { name: modes[id].name }).click();
}
/** Chooses in the menu "View" of the view that is shown. */
export async function chooseInView(page, name) {
  await page.locator('.view:not([hidden])').getByRole('button', { name: /^View:/ }).click();
  await page.locator('.menu [role^="menuitem"]', { has: page.getByText(name, { exact: true }) }).click();
}
