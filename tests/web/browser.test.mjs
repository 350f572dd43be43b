// browser.test.mjs - the page in a real Chromium, a file of browser/ after the other in one browser.
//
//   node browser.test.mjs [VIEW ...]      only the files named; all when none is
//
// Runs against a mock daemon of its own, or against BASE_URL (then without what only the mock can do). Exits 77
// and says why when there is no Chromium or no playwright-core.

import { readdir } from 'node:fs/promises';

import { missing } from './chromium.mjs';

const why = await missing();
if (why !== '') {
  console.log(`SKIP: ${why}`);
  process.exit(77);
}

const folder = new URL('browser/', import.meta.url);
const only = process.argv.slice(2);
for (const file of (await readdir(folder)).sort()) {
  const [view, kind] = file.split('.');
  if (kind === 'test' && (only.length === 0 || only.includes(view))) await import(new URL(file, folder));
}
