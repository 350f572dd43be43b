// read_pages.mjs - Chromium opens the picture and the report from disk: they draw our figures, can be searched
// and zoomed, load nothing from elsewhere, and no function's name becomes a script.
//
// usage: read_pages.mjs SPECIMENS (the program that writes them). Needs Chromium and playwright-core (npm ci in
// tests/web); exits 77 and says why when one is missing.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { pathToFileURL } from 'node:url';

import { palette } from '../../webroot/js/model/colour.js';
import { tipOf } from '../../webroot/js/model/names.js';
import { launch, missing } from '../web/chromium.mjs';
import { madeCheckpoints, madeMessages } from '../web/mock-said.mjs';
import { labelsOf } from './labels.mjs';

const why = await missing();
if (why) {
  console.log(`SKIP: ${why}`);
  process.exit(77);
}

const folder = mkdtempSync(join(tmpdir(), 'miniprofd-test-'));
let browser;

before(async () => {
  execFileSync(process.argv[2], [folder]);
  browser = await launch();
});
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

const snapshotOf = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`)));

/** Runs `look(page)` on a file opened from disk, and fails on errors and requests of the page. */
async function withPage(file, look, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120000);
  const trouble = [];
  page.on('pageerror', (error) => trouble.push(error.stack));
  page.on('console', (message) => message.type() === 'error' && trouble.push(message.text()));
  page.on('dialog', (dialog) => {
    trouble.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  const address = pathToFileURL(join(folder, file)).href;
  page.on('request', (request) => {
    if (!request.url().startsWith('data:') && request.url().split('#')[0] !== address) trouble.push(request.url());
  });
  await page.goto(address);
  await look(page, address);
  assert.deepEqual(trouble, []);
  await context.close();
}

/** { depth, name, whole (ticks) } of each node. */
function expectedFrames(snapshot) {
  const { parent, function: fn, total_ticks: total } = snapshot.call_tree;
  const below = parent.map(() => 0);
  const whole = parent.map(() => 0);
  for (let node = parent.length - 1; node >= 0; node--) {
    whole[node] = node > 0 ? Math.max(total[node], below[node]) : below[node];
    if (node > 0) below[parent[node]] += whole[node];
  }
  const depth = parent.map(() => 0);
  for (let node = 1; node < parent.length; node++) depth[node] = depth[parent[node]] + 1;
  const labels = labelsOf(snapshot);
  return parent.map((_, node) => ({
    depth: depth[node],
    name: node === 0 ? 'all' : labels[fn[node]],
    whole: whole[node],
  }));
}

// Thousands of frames take seconds to be asked where they are.
for (const name of ['plain', 'nasty', 'empty', ...(process.env.TEST_ALL ? ['threads', 'huge'] : [])]) {
  test(`the picture of '${name}' has a frame as wide as its time for each node that can be seen`, () =>
    withPage(`${name}.svg`, async (page) => {
      const drawn = await page.evaluate(() => {
        const names = JSON.parse(document.getElementById('names').textContent);
        return [...document.querySelectorAll('.frame')].map((frame) => ({
          name: names[frame.dataset.f] ?? 'all',
          x: Number(frame.querySelector('rect').getAttribute('x')),
          y: Number(frame.querySelector('rect').getAttribute('y')),
          width: Number(frame.querySelector('rect').getAttribute('width')),
        }));
      });
      const want = expectedFrames(snapshotOf(name));
      const all = want[0].whole;
      const seen = want.filter((frame, node) => node === 0 || (frame.whole > 0 && frame.whole >= Math.floor(all / 10000)));
      const order = (a, b) => a.depth - b.depth || (a.name < b.name ? -1 : a.name > b.name) || a.width - b.width;
      const found = drawn.map(({ name, y, width }) => ({ depth: (y - 66) / 20, name, width })).sort(order);
      const wanted = seen
        .map(({ depth, name, whole }) => ({ depth, name, width: all > 0 ? (whole / all) * 1168 : 1168 }))
        .sort(order);
      assert.equal(found.length, wanted.length);
      found.forEach((frame, i) => {
        assert.equal(frame.depth, wanted[i].depth);
        assert.equal(frame.name, wanted[i].name);
        assert.ok(Math.abs(frame.width - wanted[i].width) < 1e-3, `${frame.name}: ${frame.width} for ${wanted[i].width}`);
      });
      const rows = new Map();
      for (const frame of drawn) rows.set(frame.y, [...(rows.get(frame.y) ?? []), frame]);
      for (const row of rows.values()) {
        row.sort((a, b) => a.x - b.x);
        row.forEach((frame, i) => i > 0 && assert.ok(frame.x >= row[i - 1].x + row[i - 1].width - 1e-3, 'frames do not overlap'));
      }
    }));
}

test('a click on a frame of the picture fills its width with it, and Escape shows all again', () =>
  withPage('plain.svg', async (page) => {
    const frame = page.locator('.frame', { has: page.locator('title', { hasText: /^main\n/ }) }).first();
    const width = () => frame.locator('rect').evaluate((rect) => Number(rect.getAttribute('width')));
    const before = await width();
    assert.ok(before < 1000);
    await frame.locator('rect').click();
    assert.ok(Math.abs((await width()) - 1168) < 0.01);
    assert.match(await page.locator('#details').textContent(), /^main +[\d.]+ ms \(\d/);
    assert.ok((await page.locator('.frame:visible').count()) < (await page.locator('.frame').count()));
    await page.keyboard.press('Escape');
    assert.ok(Math.abs((await width()) - before) < 1e-6);
  }));

test('a search in the picture marks what matches and shows its share', () =>
  withPage('plain.svg', async (page) => {
    const snapshot = snapshotOf('plain');
    await page.keyboard.press('/');
    await page.keyboard.type('uart_');
    const uart = snapshot.functions.find((fn) => fn.name === 'uart_write');
    const share = (100 * uart.total_ticks) / expectedFrames(snapshot)[0].whole;
    const told = Number.parseFloat(await page.locator('output').textContent());
    assert.ok(Math.abs(told - share) < 0.15, `${told} % of ${share} %`); // frames too narrow to see are missing
    assert.ok((await page.locator('.lit').count()) > 10);
    await page.locator('input').fill('/^main$/');
    assert.equal(
      await page.locator('.lit').count(),
      await page.locator('.frame', { has: page.locator('title', { hasText: /^main\n/ }) }).count(),
    );
    const whole = await page.locator('.lit').count();
    for (const same of ['/^MAIN$/i', '=main']) { // as the page has them
      await page.locator('input').fill(same);
      assert.equal(await page.locator('.lit').count(), whole, same);
    }
    await page.locator('input').fill('/(/');
    assert.equal(await page.locator('output').textContent(), 'not an expression');
  }));

for (const theme of ['light', 'dark']) {
  test(`the picture's ${theme} colours are the page's`, () =>
    withPage(
      'plain.svg',
      async (page) => {
        const found = await page.evaluate(() =>
          [...Array(24).keys()].map((i) => {
            const rect = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
            rect.setAttribute('class', `c${i}`);
            document.documentElement.append(rect);
            return getComputedStyle(rect)
              .fill.match(/\d+/g)
              .map((x) => Number(x).toString(16).padStart(2, '0'))
              .join('');
          }),
        );
        assert.deepEqual(
          found.map((hex) => `#${hex}`),
          palette(theme).slice(0, 24),
        );
      },
      { colorScheme: theme },
    ));
}

// Thousands of frames take seconds to be asked where they are.
for (const name of ['plain', 'nasty', 'empty', ...(process.env.TEST_ALL ? ['threads', 'huge'] : [])]) {
  test(`the report of '${name}' holds the snapshot and lists its functions`, () =>
    withPage(`${name}.html`, async (page, address) => {
      const snapshot = snapshotOf(name);
      const inside = await page.evaluate(() => document.getElementById('snapshot').textContent);
      assert.equal(inside.replaceAll('\\u003c', '<'), readFileSync(join(folder, `${name}.json`), 'utf8'));
      await page.goto(`${address}#functions`);
      const called = snapshot.functions.filter((fn) => fn.calls > 0).map((fn) => fn.name);
      if (called.length > 0) {
        await page.locator('.functions-table tbody tr:not(.spacer):visible th').first().waitFor();
        // The text of a long name is shortened; the tooltip begins with the name.
        const tips = await page.locator('.functions-table tbody tr:not(.spacer):visible th button').evaluateAll((list) => list.map(({ title }) => title));
        const rows = tips.map((tip) => called.find((name) => `${tip}\n`.startsWith(`${tipOf(name)}\n`)));
        assert.deepEqual(rows.filter((name) => name !== undefined).sort(), called.sort());
      } else {
        await page.locator('#main', { hasText: /\w{3}/ }).waitFor(); // it shows a message
      }
    }));
}

test("a function's callers and callees in the report add up to its time", () =>
  withPage('plain.html', async (page, address) => {
    await page.goto(`${address}#functions?fn=uart_write`);
    await page.locator('.sandwich').waitFor();
    const edges = await page.locator('.edge-part').first().locator('.edge-time').allTextContents();
    const snapshot = snapshotOf('plain');
    const uart = snapshot.functions.find((fn) => fn.name === 'uart_write');
    const sum = edges.reduce((all, text) => all + Number.parseFloat(text) * (text.endsWith('ms') ? 1000 : 1), 0);
    assert.ok(Math.abs(sum / uart.total_ticks - 1) < 0.01, `${sum} of ${uart.total_ticks}`);
  }));

test('the flame graph of the report zooms, searches and changes its theme', () =>
  withPage('plain.html', async (page) => {
    await page.locator('.flame-scroll canvas').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('uart_write');
    await page.waitForFunction(() => /%/.test(document.getElementById('search-result').textContent));
    await page.keyboard.press('Escape');
    await page.locator('.flame-scroll canvas').click({ position: { x: 60, y: 85 } });
    await page.waitForFunction(() => location.hash.includes('zoom='));
    const before = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.keyboard.press('t');
    await page.keyboard.press('t');
    assert.notEqual(await page.evaluate(() => getComputedStyle(document.body).backgroundColor), before);
  }));

test("what keys do in the page they do in the report: y copies a frame's name and confirms it", () =>
  withPage('plain.html', async (page) => {
    await page.locator('.flame-scroll canvas').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(() => document.querySelector('.detail-name').innerText !== 'All');
    const name = await page.locator('.detail-name').innerText();
    await page.keyboard.press('y');
    await page.locator('.toast', { hasText: 'Name copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), name);
  }, { permissions: ['clipboard-read', 'clipboard-write'] }));

test('the graph of the report has the callers and callees of a function, with their calls', () =>
  withPage('plain.html', async (page, address) => {
    const { functions, call_tree: tree } = snapshotOf('plain');
    const { id } = functions.find((fn) => fn.name === 'uart_write');
    const calls = new Map();
    tree.function.forEach((fn, row) => {
      const caller = row > 0 ? tree.function[tree.parent[row]] : -1;
      if (caller < 0 || ![caller, fn].includes(id) || !(tree.calls[row] > 0)) return;
      const ends = `${functions[caller].name} → ${functions[fn].name}`;
      calls.set(ends, (calls.get(ends) ?? 0) + tree.calls[row]);
    });
    await page.goto(`${address}#graph?fn=uart_write&depth=1`);
    await page.locator('.graph-box[data-centre]').waitFor();
    const lines = await page.locator('.graph-arrow title').allTextContents();
    const drawn = new Map(lines.map((line) => line.split('\n')));
    for (const [ends, n] of calls) assert.match(drawn.get(ends) ?? '', new RegExp(`\\b${n.toLocaleString('en-US')} calls?$`), ends);
  }));

test('a report of a target that reports which context runs has their loads, and none of now', async () => {
  await withPage('threads.html', async (page, address) => {
    await page.goto(`${address}#tasks`);
    const rows = page.locator('.tasks-table tbody tr:not(.spacer):not([hidden])');
    await rows.first().waitFor();
    const cells = (id) => rows.locator(`.col-${id}`).allInnerTexts();
    assert.deepEqual(await cells('name'), snapshotOf('threads').contexts.map(({ name }) => name));
    assert.deepEqual(await cells('load'), ['90.0 %', '10.0 %']);
    assert.equal(await page.locator('.tasks-table .col-now').count(), 0);
  });
});

test('a report has tabs for checkpoints and messages when there are some, and only then', async () => {
  const views = (page) => page.locator('#tabs a').allTextContents();
  await withPage('plain.html', async (page) => assert.deepEqual(await views(page), ['Flame', 'Functions']));
  const said = { ...snapshotOf('plain'), checkpoints: madeCheckpoints(), messages: madeMessages(0, 20) };
  const html = readFileSync(join(folder, 'plain.html'), 'utf8');
  const begin = html.indexOf('id="snapshot">') + 'id="snapshot">'.length;
  const text = JSON.stringify(said).replaceAll('<', '\\u003c');
  writeFileSync(join(folder, 'said.html'), html.slice(0, begin) + text + html.slice(html.indexOf('</script>', begin)));
  await withPage('said.html', async (page, address) => {
    assert.deepEqual(await views(page), ['Flame', 'Functions', 'Checkpoints', 'Messages']);
    await page.goto(`${address}#checkpoints`);
    await page.locator('.checkpoints-table tbody th', { hasText: 'psa_close' }).waitFor();
    await page.goto(`${address}#messages?severity=fatal`);
    await page.locator('.messages-table td', { hasText: 'assertion failed' }).first().waitFor();
  });
});
