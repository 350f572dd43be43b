// browser.test.mjs - tests the page in a real Chromium: the files of browser/ one after another, in one browser.
//
//   node browser.test.mjs [VIEW ...]      only the files named; all when none is named
//   node browser.test.mjs but VIEW ...    all but these
//
// Runs against its own mock daemon, or against BASE_URL (then it skips the tests that need the mock). Without
// Chromium or playwright-core it prints the reason and exits with 77.

import { readdir } from 'node:fs/promises';

import { beginView, nothingChosen } from './chosen.mjs';
import { missing } from './chromium.mjs';

const why = await missing();
if (why !== '') {
  console.log(`SKIP: ${why}`);
  process.exit(77);
}

/** Ends the program. Without this, node would start the browser and wait for it even if there is no test to run. */
function stop(words) {
  console.error(words);
  process.exit(1);
}

const folder = new URL('browser/', import.meta.url);
const asked = process.argv.slice(2);
const isBut = asked[0] === 'but';
const named = isBut ? asked.slice(1) : asked;
const isWanted = (view) => named.length === 0 || named.includes(view) !== isBut;
const views = (await readdir(folder)).filter((file) => file.endsWith('.test.mjs')).map((file) => file.split('.')[0]);
for (const view of named) if (!views.includes(view)) stop(`There is no browser/${view}.test.mjs. There are: ${views.sort().join(', ')}.`);
for (const view of views.sort().filter(isWanted)) {
  beginView(view);
  await import(new URL(`${view}.test.mjs`, folder));
}
if (nothingChosen() !== '') stop(nothingChosen());
