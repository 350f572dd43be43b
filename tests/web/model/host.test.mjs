// The contract between a view and its host: missing members are named, and views use only its members.

import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import test from 'node:test';

import { given, makeHost, makeView } from '../../../webroot/js/host.js';

const whole = () => Object.fromEntries(Object.keys(given).map((name) => [name, null]));
const view = { root: {}, update() {}, actions: [], summary: () => '', next: () => false };

test('a host has all of the contract and nothing else', () => {
  const parts = whole();
  assert.equal(makeHost(parts), parts);
  const { toast, ...less } = whole();
  assert.equal(toast, null);
  assert.throws(() => makeHost(less), /has no toast/);
  assert.throws(() => makeHost({ ...whole(), tost: null }), /has tost, which/);
});

test('parts of a host may be getters, which are asked each time', () => {
  let asked = 0;
  const host = makeHost({
    ...whole(),
    get place() {
      return ++asked;
    },
  });
  assert.deepEqual([host.place, host.place], [1, 2]);
});

test('a view answers all that is asked of it', () => {
  const made = makeView({ id: 'toy', create: (host) => ({ ...view, host }) }, 'the host');
  assert.equal(made.host, 'the host');
  const { summary, ...less } = view;
  assert.equal(summary(), '');
  assert.throws(() => makeView({ id: 'toy', create: () => less }, null), /toy has no summary/);
});

test('views use nothing of a host that is not in the contract', async () => {
  const js = new URL('../../../webroot/js/', import.meta.url);
  const used = new Set();
  for (const room of ['view/', 'part/']) {
    const names = (await readdir(new URL(room, js), { recursive: true })).filter((name) => name.endsWith('.js'));
    for (const name of names) {
      const text = await readFile(new URL(room + name, js), 'utf8');
      for (const [, member] of text.matchAll(/\bhost\.(\w+)/g)) used.add(member);
      for (const [, members] of text.matchAll(/\{([^{}]*)\} = (?:view\.|state\.|this\.#)?host;/g))
        for (const member of members.split(',')) used.add(member.split(':')[0].trim());
    }
  }
  used.delete('js'); // host.js, named in comments
  assert.ok(used.size > 15, [...used].join());
  assert.deepEqual([...used].filter((name) => !(name in given)), []);
});
