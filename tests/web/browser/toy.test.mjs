// toy.test.mjs - adds a view to a copy of the page as the README describes: one file and an entry in list.js. Tab, key and help
// must follow from that.

import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

import { eventually, hash, needsMock, open, ownMock, quiet, testOfAll, text } from './support.mjs';

const copies = [];
after(() => Promise.all(copies.map((root) => rm(root, { recursive: true }))));

const webroot = fileURLToPath(new URL('../../../webroot', import.meta.url));

const toy = `// toy.js - how many functions there are, in large letters.

import { el, setText } from '../dom.js';

function create(host) {
  const root = el('section', { class: 'view', 'aria-label': 'Toy' });
  return {
    root,
    update: () => setText(root, \`\${host.profile.functions.length} functions\`),
    actions: [{ keys: ['y'], label: 'Play', group: 'Toy', run: () => host.toast('ok', 'Played') }],
    summary: () => 'nothing to find',
    next: () => false,
  };
}

export const toy = { id: 'toy', title: 'Toy', create };
`;

/** Makes a copy of the page with the toy view after the first view. */
async function pageWithToy() {
  const root = await mkdtemp(join(tmpdir(), 'miniprofd-toy-'));
  copies.push(root);
  await cp(webroot, root, { recursive: true });
  const list = join(root, 'js/view/list.js');
  const before = await readFile(list, 'utf8');
  const more = before.replace('export const views = [overview,', "import { toy } from './toy.js';\n\nexport const views = [overview, toy,");
  assert.notEqual(more, before, 'the list of views is where it was');
  await writeFile(list, more);
  await writeFile(join(root, 'js/view/toy.js'), toy);
  return root;
}

testOfAll('a new view is one file and its place in the list: tab, key and help follow', needsMock, async (t) => {
  const daemon = await ownMock({ rounds: 10, live: false, root: await pageWithToy() });
  const page = await open(t, '', { daemon: daemon.address });
  const tab = page.locator('#tabs a', { hasText: 'Toy' });
  assert.equal(await tab.getAttribute('title'), 'Toy (2)');
  await page.keyboard.press('2');
  const shown = page.locator('.view:not([hidden])');
  await eventually(async () => assert.match(await shown.innerText(), /^\d+ functions$/));
  assert.equal(await hash(page), '#toy');
  await page.locator('#tabs a[data-view="toy"][aria-current="page"]').waitFor();
  await page.keyboard.press('y');
  await page.locator('.toast', { hasText: 'Played' }).waitFor();
  await page.keyboard.press('/');
  await page.keyboard.type('x');
  await eventually(async () => assert.equal(await text(page, '#search-result'), 'nothing to find'));
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  const keys = await text(page, 'dialog .keys');
  assert.match(keys, /Toy\s+2/, 'the key that leads there');
  assert.match(keys, /Play\s+y/, 'its own');
  quiet();
});
