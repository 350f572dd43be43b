// The page's rules: which scripts may access the document and which may build addresses; no inline scripts or styles.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const webroot = join(dirname(fileURLToPath(import.meta.url)), '../../../webroot');

async function files(folder = '') {
  const found = [];
  for (const entry of await readdir(join(webroot, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...(await files(path)));
    else found.push({ path, text: await readFile(join(webroot, path), 'utf8') });
  }
  return found;
}

const all = await files();
const scripts = all.filter(({ path }) => path.endsWith('.js'));
const code = (text) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '');

test('the model never uses the document', () => {
  const model = scripts.filter(({ path }) => path.startsWith('js/model/'));
  assert.ok(model.length > 10);
  for (const { path, text } of model)
    assert.doesNotMatch(
      code(text),
      /\b(document|canvas|localStorage|navigator|fetch|Element)\b|(?<![.\w])window\.[a-z]/,
      path,
    );
});

test('only api.js knows addresses of the daemon', () => {
  for (const { path, text } of scripts) {
    if (path !== 'js/api.js') assert.doesNotMatch(code(text), /api\/v1|\bfetch\(|EventSource/, path);
  }
});

test('text never becomes markup', () => {
  for (const { path, text } of scripts)
    assert.doesNotMatch(
      code(text),
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|\beval\(|new Function/,
      path,
    );
});

test('the HTML has no inline script, style or handler', () => {
  const { text } = all.find(({ path }) => path === 'index.html');
  assert.doesNotMatch(text, /<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=/i);
});

test('nothing comes from another host', () => {
  for (const { path, text } of all) {
    const hosts = [...text.matchAll(/https?:\/\/[^\s"'`)]+/g)]
      .map(([url]) => url)
      .filter((url) => !/^http:..www.w3.org.(2000.svg|1999.xhtml)$/.test(url)); // names of XML namespaces
    // Perfetto's page is opened on request only; the page loads nothing from there.
    assert.deepEqual(hosts, path === 'js/frame/perfetto.js' ? ['https://ui.perfetto.dev'] : [], path);
  }
});

test('neither the page nor its tests call functions that browsers and node lacked in 2022', async () => {
  const tests = join(webroot, '../tests/web');
  const own = [];
  for (const folder of ['.', 'model', 'browser'])
    for (const name of await readdir(join(tests, folder)))
      if (name.endsWith('.mjs') && name !== 'rules.test.mjs') own.push({ path: name, text: await readFile(join(tests, folder, name), 'utf8') });
  assert.ok(own.length > 40);
  for (const { path, text } of [...scripts, ...own])
    assert.doesNotMatch(code(text), /\.(toSorted|toReversed|toSpliced|isWellFormed|toWellFormed)\(|Object\.groupBy|withResolvers|import\.meta\.(dirname|filename)/, path);
});

test('each script begins with a line of its name and purpose', () => {
  for (const { path, text } of scripts)
    assert.match(
      text.split('\n')[0],
      new RegExp(`^// ${path.split('/').at(-1).replace('.', '\\.')} - [a-z].*\\.?$`),
      path,
    );
});
