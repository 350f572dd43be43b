// wordcount.mjs - counts the page's own words and buttons, view by view, with the mock daemon of the same tree.
//
//   node wordcount.mjs [TREE ...]      counts in this tree, or in those named (checkouts of other commits)
//
// Counted are the words of buttons, labels, headings, column heads, notes and tips, not the profile's data (names, figures, tables).

import { fileURLToPath, pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

import { launch, missing } from './chromium.mjs';

const why = await missing();
if (why !== '') {
  console.log(`SKIP: ${why}`);
  process.exit(77);
}

/** Runs in the page: returns { buttons, words } of the visible part. */
function countShown() {
  const isSeen = (one) => one.checkVisibility({ visibilityProperty: true });
  const isData = (one) => one.closest('tbody, li, .lane-head, datalist') !== null;
  const panel = document.querySelector('#panel'); // an open panel is counted alone
  const within = panel !== null && isSeen(panel) ? panel : document;
  const own = [...within.querySelectorAll('button, a[href], select, input, label, h1, h2, h3, th, p, dt, kbd, .overview-note')].filter((one) => isSeen(one) && !isData(one));
  const texts = own.flatMap((one) => [one.matches('p, label') && one.querySelector('button, input') ? '' : one.innerText ?? '', one.title]);
  const words = texts.join(' ').split(/\s+/).filter((word) => /[a-z]/i.test(word)).length;
  return { buttons: own.filter((one) => one.matches('button, a[href], select, input')).length, words };
}

async function count(tree, browser) {
  const { startMock } = await import(pathToFileURL(resolve(tree, 'tests/web/mock-server.mjs')));
  const mock = await startMock({ rounds: 60, live: false, tasks: true });
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(mock.address);
  await page.locator('#tabs a[aria-current]').waitFor();
  const ids = await page.locator('#tabs a').evaluateAll((tabs) => tabs.filter(({ hidden }) => !hidden).map((one) => one.dataset.view));
  const rows = [];
  for (const id of [...ids, ...(ids.includes('link') ? [] : ['graph', 'source', 'compare', 'link'])]) {
    await page.goto(`${mock.address}#${id}`);
    await page.waitForLoadState('networkidle', { timeout: 3000 }).catch(() => {}); // the stream of updates stays open
    rows.push([id, await page.evaluate(countShown)]);
  }
  await page.keyboard.press('?');
  await page.locator('dialog[open]').waitFor();
  const help = await page.locator('dialog[open]').innerText();
  rows.push(['help', { buttons: 0, words: help.split(/\s+/).filter((word) => /[a-z]/i.test(word)).length }]);
  await page.close();
  await mock.stop();
  return rows;
}

const browser = await launch();
for (const tree of process.argv.length > 2 ? process.argv.slice(2) : [resolve(fileURLToPath(new URL('.', import.meta.url)), '../..')]) {
  const rows = await count(tree, browser);
  const sum = (what) => rows.reduce((all, [, counted]) => all + counted[what], 0);
  console.log(`${tree}: ${sum('buttons')} buttons, ${sum('words')} words`);
  for (const [id, { buttons, words }] of rows) console.log(`  ${id.padEnd(12)} ${String(buttons).padStart(4)} ${String(words).padStart(6)}`);
}
await browser.close();
process.exit(0);
