// Deltas that are joined for a busy page lead to the same profile as each of them in turn.

import test from 'node:test';
import assert from 'node:assert/strict';

import { Backlog, joinedMost } from '../../../webroot/js/model/backlog.js';
import { joinDeltas } from '../../../webroot/js/model/joindeltas.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { dice, effort, forSeeds } from './support.mjs';

const functionsMost = 12;
const nodesMost = 40;

function belowOf(seed) {
  const roll = dice(seed);
  return (n) => Math.floor(roll() * n); // from 0 to n - 1
}

/** Makes a daemon that sends random changes as deltas. */
function teller(seed) {
  const below = belowOf(seed);
  const some = (n, make) => Array.from({ length: below(n) }, make);
  let [sequence, nodes, said] = [0, 1, 0];

  const functionRow = (id) => ({ id, name: `f${id}${below(8) === 0 ? 'x' : ''}`, calls: below(1000), total_ticks: below(9) === 0 ? null : below(1000) });

  function tree(indexes) {
    const columns = { index: indexes, parent: indexes.map((i) => (i === 0 ? -1 : (i - 1) >> 1)) };
    for (const name of ['function', 'context', 'calls', 'total_ticks', 'self_ticks']) columns[name] = indexes.map(() => below(functionsMost));
    return columns;
  }

  const snapshot = {
    sequence,
    cleared_at: 0,
    functions: Array.from({ length: functionsMost }, (_, id) => functionRow(id)),
    call_tree: tree([0]),
    messages: [],
  };

  function delta() {
    const known = new Set(some(5, () => below(nodes)));
    for (let more = Math.min(below(4), nodesMost - nodes); more > 0; more--) known.add(nodes++);
    const one = {
      since: sequence,
      sequence: sequence + 1 + below(3),
      cleared_at: 0,
      functions: some(4, () => functionRow(below(functionsMost))),
      call_tree: tree([...known].sort((a, b) => a - b)),
      messages: some(3, () => ({ number: said++, text: `m${below(100)}` })),
      messages_dropped: 0,
    };
    if (below(2) === 0) one.arcs = some(4, () => ({ caller: below(4), callee: below(4), calls: below(100) }));
    if (below(3) === 0) one.checkpoints = some(3, () => ({ id: below(5), passed: below(100) }));
    if (below(3) === 0) one.contexts = some(3, () => ({ id: below(3), name: `c${below(5)}` }));
    if (below(4) === 0) one.limits = [{ id: 1, late: below(10) }];
    if (below(4) === 0) one.link = { crc_errors: below(10) };
    sequence = one.sequence;
    return one;
  }

  return { snapshot, delta, below };
}

function loaded(snapshot) {
  const profile = new Profile();
  profile.load(structuredClone(snapshot));
  return profile;
}

/** Returns the visible part of a profile. */
const seen = (profile) => ({
  ...profile,
  named: null,
  labels: null,
  tree: profile.tree.toRows(),
  arcs: [...profile.arcs].sort(),
  checkpoints: [...profile.checkpoints].sort(),
  contexts: [...profile.contexts].sort(),
});

test('joined deltas lead to the same profile as each of them in turn', () => {
  forSeeds(effort(60, 200), (seed) => {
    const daemon = teller(seed);
    const [each, joined] = [loaded(daemon.snapshot), loaded(daemon.snapshot)];
    const backlog = new Backlog((delta) => assert.ok(joined.apply(structuredClone(delta))));
    for (let i = 0; i < 30; i++) {
      const delta = daemon.delta();
      assert.ok(each.apply(structuredClone(delta)));
      backlog.add(delta);
      if (daemon.below(4) === 0) backlog.more();
    }
    backlog.flush();
    assert.deepEqual(seen(joined), seen(each));
  });
});

test('joining changes neither of the two deltas', () => {
  const daemon = teller(5);
  const two = [daemon.delta(), daemon.delta()];
  const before = structuredClone(two);
  joinDeltas(...two);
  assert.deepEqual(two, before);
});

test('a page gets one delta for each that it takes, and one in any case after a number of them', () => {
  const daemon = teller(7);
  const passed = [];
  const backlog = new Backlog((delta) => passed.push(delta.sequence));
  const first = daemon.delta();
  backlog.add(first);
  assert.deepEqual(passed, [first.sequence], 'the first one comes at once');
  for (let i = 1; i < joinedMost; i++) backlog.add(daemon.delta());
  assert.equal(passed.length, 1, 'the others wait until the page takes one');
  const last = daemon.delta();
  backlog.add(last);
  assert.equal(passed.at(-1), last.sequence, 'or until there are many');
  backlog.more();
  assert.equal(passed.length, 2, 'there is nothing to take');
  const late = daemon.delta();
  backlog.add(late);
  assert.equal(passed.at(-1), late.sequence, 'what was asked for before it came, comes at once');
});

test('a gap between two deltas is visible to the page', () => {
  forSeeds(50, (seed) => {
    const daemon = teller(seed);
    const profile = loaded(daemon.snapshot);
    const applied = [];
    const backlog = new Backlog((delta) => applied.push(profile.apply(structuredClone(delta))));
    const lost = 1 + daemon.below(20);
    for (let i = 0; i < 22; i++) {
      const delta = daemon.delta();
      if (i !== lost) backlog.add(delta);
      if (daemon.below(4) === 0) backlog.more();
    }
    backlog.flush();
    assert.ok(applied.includes(false), `delta ${lost} did not come`);
  });
});

test('a status is not overwritten by older waiting messages', () => {
  const daemon = teller(9);
  const profile = loaded(daemon.snapshot);
  const backlog = new Backlog((delta) => profile.apply(delta));
  backlog.add({ ...daemon.delta(), link: { crc_errors: 1 } });
  backlog.add({ ...daemon.delta(), link: { crc_errors: 2 } });
  const status = { source: { port: 'a' }, target: { ticks_per_second: 1000 }, link: { crc_errors: 3 } };
  profile.applyStatus(status);
  backlog.overtake(status);
  backlog.flush();
  assert.deepEqual([profile.link, profile.target, profile.source], [status.link, status.target, status.source]);
});
