// Limits the length of the page's functions and files: a function should fit on a screen.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import test from 'node:test';

const webroot = new URL('../../../webroot/', import.meta.url);
const linesMost = 60;
const fileLinesMost = 300;

/** Returns acorn's parser, or the reason why these tests are skipped: acorn is not part of node. */
function parserOrWhy() {
  try {
    return { parse: createRequire(import.meta.url)('acorn').parse, skip: false };
  } catch {
    return { parse: null, skip: 'no acorn (run "npm ci" in tests/web)' };
  }
}

const { parse, skip } = parserOrWhy();

async function scripts() {
  const names = (await readdir(webroot, { recursive: true })).filter((name) => name.endsWith('.js'));
  return Promise.all(names.sort().map(async (name) => ({ name, text: await readFile(new URL(name, webroot), 'utf8') })));
}

const isNode = (value) => typeof value?.type === 'string';
const nameOf = ({ id, key }) => id?.name ?? key?.name ?? key?.value ?? null;

/** Appends every function below a node to `found`: { name (its own, or that of the variable it is assigned to), line, lines }. */
function functionsOf(node, found = [], called = '(unnamed)') {
  const name = nameOf(node) ?? called;
  if (node.type.includes('Function'))
    found.push({ name, line: node.loc.start.line, lines: node.loc.end.line - node.loc.start.line + 1 });
  for (const value of Object.values(node))
    for (const one of Array.isArray(value) ? value : [value]) if (isNode(one)) functionsOf(one, found, name);
  return found;
}

const read = (text) => functionsOf(parse(text, { ecmaVersion: 'latest', sourceType: 'module', locations: true }));

test('functions are found wherever they stand, and called by their names', { skip }, () => {
  const text = `function a() {
    const b = () => ({ c() {
    } });
  }
  class D { #e() {} }
  export const f = { g: async () => {
    h(() => 1);
  } };`;
  const found = read(text).map(({ name, lines }) => `${name} ${lines}`);
  assert.deepEqual(found, ['a 4', 'b 2', 'c 2', 'e 1', 'g 3', 'g 1']);
});

test(`no function of the page is longer than ${linesMost} lines`, { skip }, async () => {
  const all = (await scripts()).flatMap(({ name, text }) => read(text).map((one) => ({ file: name, ...one })));
  assert.ok(all.length > 1500, `${all.length} functions`);
  const long = all.filter(({ lines }) => lines > linesMost);
  assert.deepEqual(long.map((one) => `${one.file}:${one.line}: ${one.name} has ${one.lines} lines`), []);
});

test(`no script of the page is longer than ${fileLinesMost} lines`, async () => {
  const long = (await scripts())
    .map(({ name, text }) => ({ name, lines: text.split('\n').length - 1 }))
    .filter(({ lines }) => lines > fileLinesMost);
  assert.deepEqual(long, []);
});
