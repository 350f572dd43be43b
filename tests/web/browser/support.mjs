// support.mjs - shared by the tests of the views: one browser, one daemon, and functions that read the page.
//
// The daemon is a mock, or the one that BASE_URL names. With BASE_URL, tests that need the mock are skipped by name.

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { after, before, test as nodeTest } from 'node:test';

import { launch } from '../chromium.mjs';
import { isChosen, viewBegun } from '../chosen.mjs';
import { measurePage, measured } from '../measure.mjs';
import { startMock } from '../mock-server.mjs';
import { within } from '../within.mjs';

const real = process.env.BASE_URL;
export const needsMock = real ? { skip: 'needs the mock daemon, and BASE_URL is set' } : {};
const waitMs = Number(process.env.WAIT_MS ?? 120000); // long enough even if a dozen other processes share the processor
const tryMs = 3 * waitMs; // in a broken test one or two waits run into their limit, not more
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

const mocks = []; // of the running test
let ownPort = 0; // the port of the last one: the browser has cached the page from there

/**
 * Starts a mock for one test. It ends with the test, after the pages that show it. A mock with another page (`root`) gets
 * a new address, for which the browser has cached no files.
 */
export async function ownMock(options) {
  const isPage = options.root === undefined;
  const port = isPage && mocks.length === 0 ? ownPort : 0;
  const one = await startMock({ ...options, port }).catch(() => startMock(options)); // another process may have taken the port
  if (isPage) ownPort = one.port;
  mocks.push(one);
  return one;
}

/** The mock that all tests share; null when there is a real daemon. */
export const mock = () => daemon;

/**
 * Declares a test as node's test(name, [options,] run) does. `run` gets an object with `after` only, which registers cleanup functions. When
 * a test fails, pictures of its pages are kept.
 */
export function test(name, ...rest) {
  if (isChosen(name)) declare({ name, isOfAll: false }, ...rest);
}

/**
 * As test(), for one that a usual run leaves out, since other tests execute nearly all that it does (measure.mjs): it runs
 * with `scripts/test all`, and where it or its view is named.
 */
export function testOfAll(name, ...rest) {
  if (isChosen(name, { isOfAll: true })) declare({ name, isOfAll: true }, ...rest);
}

function declare(what, ...rest) {
  const { name } = what;
  const run = rest.pop();
  const view = viewBegun();
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
      await within(tryMs, measured({ view, ...what }, whole, () => used.keys()));
    } catch (error) {
      for (const line of await photograph(name)) t.diagnostic(line);
      await discard();
      await tidy();
      throw error;
    }
  });
}

/** Takes a picture of each page in use. Returns lines with the picture's path, the page's address and the console errors. */
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

// Tests reuse tabs, since the browser keeps what it has loaded and compiled for a page there. In between a tab shows about:blank, which
// requests nothing. A tab belongs to the options of its context, which cannot be changed later.
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
    await measurePage(page);
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

/** Runs in the page: deletes all that it has stored. */
function forget() {
  localStorage.clear();
  sessionStorage.clear();
  indexedDB.deleteDatabase('miniprofd');
}

/** Leaves a page, so that the next one can use its tab. */
export async function leave(page) {
  const kind = used.get(page);
  used.delete(page);
  if (kind === undefined) return;
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate(forget).catch(() => {}); // fails if the page shows a browser error
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
  kind.resting.push(page);
}

/** Restarts the browser: after a failed test neither tabs nor browser are in a known state. */
async function discard() {
  used.clear();
  kinds.clear();
  kept = null;
  troubles = [];
  await browser.close();
  browser = await launch();
}

/** Opens a page at `hash`, which is left at the end of the test. */
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

/** Changes the page's address to `hash`. */
export async function show(page, hash) {
  await page.evaluate((where) => {
    location.hash = where;
  }, hash);
}

let kept = null; // { page, key } of openKept()

/**
 * As open(), but the next test that calls this with the same daemon and theme gets the same page without loading it again. Only for tests that
 * end with a page just reloaded: its stored data, which is deleted, is then its only state. A test that opens another page leaves this one, as
 * does a test that fails.
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

/** Checks that no page had an error since the last call, except those that `expected` matches. */
export function quiet(expected = null) {
  const found = troubles.filter((line) => !expected?.test(line));
  troubles = [];
  assert.deepEqual(found, []);
}

export const text = (page, selector) => page.locator(selector).first().innerText();
/** Returns the daemon's JSON answer. Uses a new connection: a kept one may belong to an earlier mock. */
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
/** Returns a point of a row on a flame graph's canvas (0 is the root), near its left edge. */
export async function rowSpot(page, row) {
  const px = Number(await page.locator('.flame-scroll canvas:visible').getAttribute('data-row'));
  return { x: 60, y: row * px + 10 };
}

export const ready = (page) => page.locator('.hot-list li:not([hidden])').first().waitFor();

/** Waits until the header has its figures: from then on its height is fixed. */
export async function filled(page) {
  await page.locator('.facts .load', { hasText: /\d/ }).waitFor({ state: 'attached' }); // hidden in a narrow header
}

/** Waits until a view is paused and the work of its threads is shown: all that is read after that belongs to one moment. */
export async function paused(page) {
  await page.locator('[data-id="pause"]').waitFor();
  await page.locator('.view:not([hidden]):not([data-behind])').waitFor();
}

/** Pauses the view. */
export async function pause(page) {
  await page.keyboard.press(' ');
  await paused(page);
}

/** Polls until `check` succeeds. Throws its last error after `waitMs`. */
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

/** The name of a table's row by its button, whose text may be shortened; the tooltip begins with the name. */
export const rowName = async (button) => (await button.getAttribute('title')).split('\n')[0];

/** Returns every name in the table by scrolling through it. */
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
        names.add(row.querySelector('th button').title.split('\n')[0]); // the text may be shortened
    }
    scroller.scrollTop = 0;
    return [...names];
  });
}

/** Returns the path of the file that `run` saves; it is deleted at the end of the test. */
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
// Further rows of a table look like the first 13. Checking the colours of hundreds of cells takes seconds.
const alike = ['tbody tr:nth-child(n + 14):not([aria-selected="true"])'];

const colourRules = ['color-contrast', 'link-in-text-block'];

/**
 * Returns axe-core's findings about the visible page. Contrast takes most of its time: a usual run checks it only once a view
 * (every-view.test.mjs), TEST_ALL in every state.
 */
export const violations = (page, { colours = doesAll } = {}) => look(page, null, colours ? [] : colourRules);

/** Returns axe-core's findings, one line for each violation and element. `rules`: only these; `but`: not these. */
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
  // axe-core takes a tab that is scrolled out of view for a skip link.
  const isTab = (id, node) => id === 'skip-link' && node.html.includes('data-view=');
  return found.violations.flatMap(({ id, help, nodes }) =>
    nodes
      .filter((node) => !isTab(id, node))
      .map((node) => `${id}: ${help}: ${node.target.join(' ')} ${node.html.slice(0, 160)}`),
  );
}

/** True in a run of all tests (scripts/test all): they look at more. */
export const doesAll = Boolean(process.env.TEST_ALL);

/** As violations(); with TEST_ALL in the dark theme as well, where only colours are checked: themes differ in nothing else. */
export async function violationsInBothThemes(page) {
  const found = await violations(page);
  if (!doesAll) return found;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-theme="dark"]').waitFor({ state: 'attached' });
  const dark = await look(page, colourRules);
  await page.emulateMedia({ colorScheme: 'light' });
  return [...found, ...dark.map((line) => `dark: ${line}`)];
}

/** The views without a tab, which are modes of Flame: their key, and the name of their button there. */
export const modes = {
  graph: { key: 'Shift+V', name: 'Call graph' },
  source: { key: 'Shift+U', name: 'Source' },
  compare: { key: 'Shift+K', name: 'Compare with…' },
};
/** Returns the key that opens a view, as shown by its tab. */
export const keyOf = async (page, id) =>
  modes[id]?.key ?? /\((.)\)$/.exec(await page.locator(`#tabs a[data-view="${id}"]`).getAttribute('title'))[1];
/** Returns the ids of the views: those with a tab in their order, then the modes. */
export const viewIds = async (page) => [
  ...(await page.locator('#tabs a').evaluateAll((tabs) => tabs.filter(({ hidden }) => !hidden).map((tab) => tab.dataset.view))),
  ...Object.keys(modes),
];
/** Waits until a view is shown. */
export const shown = (page, id) => page.locator(`.view[data-view="${id}"]:not([hidden])`).waitFor();
/** Opens a view with the mouse. */
export async function clickTo(page, id) {
  if (!(id in modes)) return page.locator(`#tabs a[data-view="${id}"]`).click();
  await page.locator('#tabs a[data-view="flame"]').click();
  await shown(page, 'flame');
  return page.locator('.flame .toolbar').getByRole('button', { name: modes[id].name }).click();
}
/** Chooses an item in the menu "View" of the visible view. */
export async function chooseInView(page, name) {
  await page.locator('.view:not([hidden])').getByRole('button', { name: /^View:/ }).click();
  await page.locator('.menu [role^="menuitem"]', { has: page.getByText(name, { exact: true }) }).click();
}
