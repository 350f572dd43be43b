// Files opened in the page: a snapshot is checked cell by cell; anything else is rejected with the file's name.

import assert from 'node:assert/strict';
import test from 'node:test';

import { checkSize, readSnapshot, snapshotOf, Unreadable } from '../../../webroot/js/model/opened.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { dice, forSeeds, Program, simulated } from './support.mjs';

function file(change = () => {}) {
  const program = new Program({ seed: 1 });
  program.run(5);
  const snapshot = structuredClone({
    schema: 'miniprofd.snapshot',
    schema_version: 1,
    producer: 'miniprofd 0.1.0',
    sequence: 7,
    captured_at: '2026-11-20T12:00:00.123Z',
    source: { port: '/dev/ttyACM0', dialect: 'miniprof', dialect_provides: ['tree'] },
    target: { fw_version: 'v1.4.2', ticks_per_second: 1000000 },
    samples: { hz: null, total: 0 },
    ...program.rows(),
  });
  change(snapshot);
  return snapshot;
}

const sentenceOf = (text) => {
  try {
    readSnapshot('run.json', typeof text === 'string' ? text : JSON.stringify(text));
  } catch (error) {
    assert.ok(error instanceof Unreadable, error.stack);
    assert.match(error.message, /^“run\.json” .*\.$/s);
    return error.message;
  }
  throw new Error('taken');
};

test('a snapshot comes out as it went in, and loads', () => {
  const snapshot = readSnapshot('run.json', JSON.stringify(file()));
  const [profile, direct] = [new Profile(), new Profile()];
  profile.load(snapshot);
  direct.load(file());
  assert.deepEqual(profile.tree.toRows(), direct.tree.toRows());
  assert.deepEqual(
    profile.functions.map((fn) => [fn.name, fn.calls, fn.self_ticks, fn.mean_ticks, fn.file]),
    direct.functions.map((fn) => [fn.name, fn.calls, fn.self_ticks, fn.mean_ticks ?? null, fn.file ?? null]),
  );
  assert.equal(profile.target.fw_version, 'v1.4.2');
  assert.equal(profile.capturedAt, '2026-11-20T12:00:00.123Z');
});

test('a profile in memory and its snapshot are the same', () => {
  const profile = simulated(4);
  const twin = new Profile();
  twin.load(snapshotOf(profile));
  assert.deepEqual(twin.tree.toRows(), profile.tree.toRows());
  assert.deepEqual(twin.functions, profile.functions);
});

test('a file that is no snapshot is rejected in a sentence that names it', () => {
  assert.match(sentenceOf('main;a 12'), /is not JSON/);
  assert.match(sentenceOf('{"schema": "miniprofd.snap'), /is not JSON/);
  for (const other of [
    null,
    1,
    'text',
    [],
    {},
    { $schema: 'https://www.speedscope.app/file-format-schema.json' },
  ])
    assert.match(sentenceOf(other === 'text' ? '"text"' : other), /not a snapshot of miniprofd/);
  assert.match(sentenceOf(file((s) => (s.schema_version = 2))), /newer miniprofd \(schema version 2/);
  assert.match(sentenceOf(file((s) => (s.schema_version = '1'))), /damaged/);
  assert.throws(() => checkSize('big.json', 200e6 + 1), /“big\.json” has 201 MB.*up to 200 MB/);
  assert.throws(() => checkSize('nothing.json', 0), /“nothing\.json” is empty/);
  checkSize('fits.json', 200e6);
});

test('broken columns are found before anything uses them', () => {
  const broken = {
    'is not a list': [
      (s) => delete s.functions,
      (s) => delete s.call_tree,
      (s) => (s.call_tree = null),
      (s) => (s.call_tree.calls = {}),
      (s) => (s.functions = { length: 3 }),
    ],
    'differ in length': [(s) => s.call_tree.calls.pop(), (s) => s.call_tree.parent.push(0)],
    'has no root': [
      (s) => (s.call_tree.parent[0] = 0),
      (s) => Object.keys(s.call_tree).forEach((column) => (s.call_tree[column] = [])),
    ],
    'no parent above it': [
      (s) => (s.call_tree.parent[3] = 3),
      (s) => (s.call_tree.parent[3] = 1e9),
      (s) => (s.call_tree.parent[3] = -1),
      (s) => (s.call_tree.parent[3] = 0.5),
      (s) => (s.call_tree.parent[3] = '0'),
      (s) => (s.call_tree.parent[3] = null),
    ],
    'a function that is not there': [
      (s) => (s.call_tree.function[2] = s.functions.length),
      (s) => (s.call_tree.function[2] = -1),
      (s) => (s.call_tree.function[2] = 'main'),
    ],
    'is not a number': [
      (s) => (s.call_tree.calls[2] = -1),
      (s) => (s.call_tree.total_ticks[2] = '7'),
      (s) => (s.call_tree.self_ticks[2] = []),
      (s) => (s.functions[1].calls = {}),
      (s) => (s.functions[1].mean_ticks = 'long'),
    ],
    'has no name': [(s) => (s.functions[1] = null), (s) => (s.functions[1].name = 7)],
    'has another id': [(s) => (s.functions[1].id = 0)],
  };
  for (const [words, changes] of Object.entries(broken))
    for (const change of changes) {
      const sentence = sentenceOf(file(change));
      assert.ok(sentence.includes(words), `${change}: ${sentence}`);
    }
});

test('a tree too deep to draw is refused, a name too long is cut', () => {
  const n = 30000;
  const chain = (s) => {
    s.call_tree = {
      parent: Array.from({ length: n }, (_, row) => row - 1),
      function: Array.from({ length: n }, (_, row) => (row === 0 ? -1 : 0)),
      calls: Array(n).fill(1),
      total_ticks: Array(n).fill(1),
      self_ticks: Array(n).fill(0),
    };
  };
  assert.match(sentenceOf(file(chain)), /20000 calls deep/);
  const long = readSnapshot('run.json', JSON.stringify(file((s) => (s.functions[1].name = 'x'.repeat(1e6)))));
  assert.equal(long.functions[1].name.length, 4097);
});

test('values of the head are used only if they are valid', () => {
  const { source, target, samples } = readSnapshot(
    'run.json',
    JSON.stringify(
      file((s) => {
        s.target = { fw_version: { toString: 1 }, ticks_per_second: -5 };
        s.source = ['x'];
        s.samples = { hz: '9', total: null };
      }),
    ),
  );
  assert.deepEqual(target, { fw_version: null, elf_build_id: null, ticks_per_second: null });
  assert.deepEqual(source, { port: '', dialect: '', dialect_provides: null });
  assert.deepEqual(samples, { hz: null, total: 0 });
});

test('any damage to a file gives a snapshot or a sentence, never anything else', () => {
  const whole = JSON.stringify(file());
  forSeeds(300, (seed) => {
    const roll = dice(seed);
    let text = whole;
    for (let i = 0; i < 1 + roll() * 3; i++) {
      const at = Math.floor(roll() * text.length);
      const put = ['', '"', '9', '-', 'null', '[', '{}', ',', 'e'][Math.floor(roll() * 9)];
      text = text.slice(0, at) + put + text.slice(at + Math.floor(roll() * 4));
    }
    try {
      new Profile().load(readSnapshot('run.json', text));
    } catch (error) {
      assert.ok(error instanceof Unreadable, error.stack);
    }
  });
});
