// The profile: deltas add up to the snapshot.

import assert from 'node:assert/strict';
import test from 'node:test';

import { CallTree, packRows } from '../../../webroot/js/model/calltree.js';
import { Feed } from '../../../webroot/js/model/feed.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { Program, dice, effort, folded, forSeeds } from './support.mjs';

const head = (sequence) => ({
  sequence,
  captured_at: `t${sequence}`,
  source: { state: 'connected' },
  target: {},
  link: { packets: sequence },
});

function same(profile, program) {
  const { functions, call_tree: tree, arcs } = program.rows();
  assert.deepEqual(profile.functions, functions);
  assert.deepEqual(profile.tree.toRows(), tree);
  const byEnds = (a, b) => a.caller - b.caller || a.callee - b.callee;
  assert.deepEqual([...profile.arcs.values()].sort(byEnds), [...arcs].sort(byEnds));
}

test('the first snapshot and every delta give the present snapshot', () => {
  forSeeds(effort(8, 20), (seed) => {
    const roll = dice(seed * 7919);
    const program = new Program({ seed });
    program.run(Math.floor(roll() * 3));
    program.changes();
    const profile = new Profile();
    profile.load(structuredClone({ ...head(0), ...program.rows() }));
    for (let sequence = 1; sequence <= 12; sequence++) {
      program.run(Math.floor(roll() * 3));
      // When a caller returns at last its subtree moves: the old rows stay, empty.
      if (roll() < 0.3 && program.tree.parent.length > 4) {
        const row = 1 + Math.floor(roll() * (program.tree.parent.length - 1));
        for (const column of ['calls', 'total_ticks', 'self_ticks'])
          program.tree[column][row] = roll() < 0.5 ? 0 : null;
        program.changedRows.add(row);
      }
      assert.ok(
        profile.apply(structuredClone({ ...head(sequence), since: sequence - 1, ...program.changes() })),
      );
      same(profile, program);
    }
    assert.equal(profile.link.packets, 12);
  });
});

test('a delta that does not follow on is refused and changes nothing', () => {
  const profile = folded('main 5');
  const before = profile.tree.toRows();
  const row = {
    index: [1],
    parent: [0],
    function: [0],
    context: [0],
    calls: [9],
    total_ticks: [9],
    self_ticks: [9],
  };
  assert.equal(profile.apply({ ...head(9), since: 7, call_tree: row }), false);
  assert.equal(profile.sequence, 1);
  assert.deepEqual(profile.tree.toRows(), before);
});

test('a delta that begins before the snapshot held and ends after it brings everything up to date, once', () => {
  forSeeds(20, (seed) => {
    const roll = dice(seed);
    const program = new Program({ seed });
    const said = [];
    const step = () => {
      program.run(1);
      for (let i = 0; i < Math.floor(roll() * 3); i++)
        said.push({ number: said.length, ticks: said.length, text: `message ${i}` });
    };
    step();
    program.changes();
    const from = said.length;
    step();
    const profile = new Profile();
    profile.load(structuredClone({ ...head(2), ...program.rows(), messages: said }));
    step();
    const late = { ...head(3), since: 1, ...program.changes(), messages: said.slice(from) };
    assert.ok(profile.apply(structuredClone(late)));
    same(profile, program);
    assert.deepEqual(profile.messages, said);
    assert.equal(profile.apply(structuredClone(late)), false);
  });
});

test('a frozen profile stays as it is while the live one goes on', () => {
  const program = new Program({ seed: 3 });
  program.run(1);
  const live = new Profile();
  live.load(structuredClone({ ...head(1), ...program.rows() }));
  program.changes();
  const frozen = live.freeze();
  const before = structuredClone([frozen.tree.toRows(), frozen.functions, [...frozen.arcs.values()]]);
  program.run(5);
  live.apply(structuredClone({ ...head(2), since: 1, ...program.changes() }));
  assert.deepEqual([frozen.tree.toRows(), frozen.functions, [...frozen.arcs.values()]], before);
  same(live, program);
});

test('functions of one name are distinguished by address, others have their name alone', () => {
  const profile = new Profile();
  profile.load({
    ...head(1),
    functions: [
      { id: 0, name: 'init', address: '0x10' },
      { id: 1, name: 'main', address: '0x20' },
      { id: 2, name: 'init', address: '0x30' },
    ],
  });
  assert.deepEqual(
    [0, 1, 2].map((id) => profile.labelOf(id)),
    ['init@0x10', 'main', 'init@0x30'],
  );
  assert.deepEqual(
    ['init@0x10', 'main', 'init@0x30', 'init', 'gone'].map((label) => profile.idOf(label)),
    [0, 1, 2, 0, -1],
  );
});

test('messages are appended and only the latest are kept', () => {
  const profile = new Profile();
  profile.load({ ...head(0), messages: [{ number: 0, text: 'first' }] });
  for (let sequence = 1; sequence <= 30; sequence++) {
    profile.apply({
      ...head(sequence),
      since: sequence - 1,
      messages: Array.from({ length: 1000 }, (_, i) => ({ number: 1000 * (sequence - 1) + i + 1, text: `${sequence} ${i}` })),
    });
  }
  assert.equal(profile.messages.length, 16384);
  assert.equal(profile.messagesGone, 30001 - 16384);
  assert.equal(profile.messages.at(-1).text, '30 999');
});

test('a profile shows that it was cleared if the daemon reports it, not if counts fall', () => {
  const profile = new Profile();
  const at = (sequence, cleared_at) => profile.load({ ...head(sequence), cleared_at });
  at(1, 0);
  assert.equal(profile.clearing, 0);
  at(5, 0);
  assert.equal(profile.clearing, 0, 'fewer calls alone say nothing');
  at(6, 6);
  assert.equal(profile.clearing, 1);
  profile.apply({ ...head(7), cleared_at: 6, since: 6 });
  assert.equal(profile.clearing, 1);
  profile.beginAnew();
  assert.equal(profile.clearing, 2);
});

test('checkpoints are identified by their row: averages differ in nothing else', () => {
  const profile = new Profile();
  const average = (id, name, mean) => ({ id, name, topic: null, from: null, to: null, mean_ticks: mean });
  profile.load({ ...head(0), checkpoints: [average(0, 'a', 1), average(1, 'b', 2)] });
  profile.apply({ ...head(1), since: 0, checkpoints: [average(1, 'b', 3), average(2, 'c', 4)] });
  assert.deepEqual(
    [...profile.checkpoints.values()].map((row) => [row.name, row.mean_ticks]),
    [
      ['a', 1],
      ['b', 3],
      ['c', 4],
    ],
  );
});

function feedOver(snapshots) {
  const profile = new Profile();
  const asked = [];
  const feed = new Feed(
    profile,
    () =>
      new Promise((resolve, reject) => {
        asked.push({ resolve, reject });
      }),
    () => {},
  );
  if (snapshots) feed.snapshot(snapshots);
  return { profile, feed, asked };
}

const delta = (since, sequence, packets) => ({ ...head(sequence), since, link: { packets } });

test('a gap in the deltas is closed by one snapshot and the deltas received since', async () => {
  const { profile, feed, asked } = feedOver({ ...head(1) });
  const done = feed.delta(delta(3, 4, 40));
  feed.delta(delta(4, 5, 50));
  feed.delta(delta(5, 6, 60));
  feed.delta(delta(6, 7, 70));
  assert.equal(asked.length, 1);
  asked[0].resolve({ ...head(5), link: { packets: 55 } });
  await done;
  assert.equal(profile.sequence, 7);
  assert.equal(profile.link.packets, 70);
});

test('a snapshot that cannot be fetched is asked for again at the next delta', async () => {
  const { profile, feed, asked } = feedOver({ ...head(1) });
  const done = feed.delta(delta(3, 4, 40));
  asked[0].reject(new Error('gone'));
  await done;
  assert.equal(profile.sequence, 1);
  feed.delta(delta(4, 5, 50));
  assert.equal(asked.length, 2);
});

test('a snapshot that lies between two deltas of the stream does not set off one fetch after another', async () => {
  const { profile, feed, asked } = feedOver({ ...head(1) });
  const done = feed.delta(delta(2, 4, 40));
  asked[0].resolve({ ...head(5), link: { packets: 50 } });
  await done;
  await feed.delta(delta(4, 6, 60));
  await feed.delta(delta(6, 8, 80));
  assert.equal(asked.length, 1);
  assert.equal(profile.link.packets, 80);
});

test('a delta sent twice, as after a reconnect, is ignored', async () => {
  const { profile, feed, asked } = feedOver({ ...head(5) });
  await feed.delta(delta(3, 4, 40));
  assert.equal(asked.length, 0);
  assert.equal(profile.sequence, 5);
});

test('a tree packed into typed arrays is the same tree, and unknown values stay unknown', () => {
  const snapshot = {
    parent: [-1, 0, 1],
    function: [-1, 0, 1],
    context: [0, 0, 2],
    calls: [0, null, 3],
    total_ticks: [0, 2 ** 53, null],
    self_ticks: [0, 1, 2],
  };
  const delta = {
    index: [4, 1],
    parent: [1, 0],
    function: [2, 0],
    calls: [7, 8],
    total_ticks: [null, 9],
    self_ticks: [1, 1],
  };
  const grown = (through) => {
    const tree = new CallTree();
    tree.load(through(snapshot));
    tree.apply(through(delta));
    tree.apply(undefined);
    return tree.toRows();
  };
  const sent = grown((rows) => structuredClone(packRows(rows)));
  assert.deepEqual(
    sent,
    grown((rows) => rows),
  );
  assert.deepEqual(sent.calls, [0, 8, 3, 7]);
  assert.deepEqual(sent.total_ticks, [0, 9, null, null]);
  assert.deepEqual(sent.context, [0, 0, 2, 0]);
});

test('nodes that a snapshot leaves out take their places when a delta has them', () => {
  const tree = new CallTree();
  tree.load({ index: [0, 3, 7], parent: [-1, 0, 1], function: [-1, 5, 6], context: [0, 0, 0], calls: [0, 1, 2], total_ticks: [0, 9, 4], self_ticks: [0, 5, 4] });
  tree.apply({ index: [3, 5, 6, 400], parent: [0, 3, 5, 7], function: [5, 8, 9, 4], context: [0, 0, 0, 0], calls: [2, 1, 1, 1], total_ticks: [12, 3, 2, 1], self_ticks: [5, 1, 2, 1] });
  assert.deepEqual(tree.toRows().function, [-1, 5, 6, 8, 9, 4]);
  assert.deepEqual(tree.toRows().parent, [-1, 0, 1, 1, 3, 2]);
  assert.deepEqual(tree.toRows().calls, [0, 2, 2, 1, 1, 1]);
  const twin = tree.copy();
  twin.apply({ index: [400], parent: [7], function: [4], context: [0], calls: [9], total_ticks: [9], self_ticks: [9] });
  assert.equal(twin.toRows().calls[5], 9);
  assert.equal(tree.toRows().calls[5], 1);
});
