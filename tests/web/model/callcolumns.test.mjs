// Calls of the timeline as typed arrays have the same values.

import test from 'node:test';
import assert from 'node:assert/strict';

import { packCalls, packTable } from '../../../webroot/js/model/callcolumns.js';
import { Picture } from '../../../webroot/js/model/picture.js';

const answer = () => ({
  sequence: 7,
  from: 100,
  to: 200,
  oldest: 100,
  newest: 9007199254740991,
  rows: {
    start: [110, 9007199254740990],
    duration: [20, 1],
    function: [0, -1],
    context: [0, 1],
    depth: [1, 2],
    calls: [3, 1],
    busy: [18, 1],
    longest: [9, 1],
  },
  away: { start: [130, 120], duration: [5, 6], kind: ['blocked', 'preempted'], context: [0, 0], depth: [1, 1], count: [1, 1], busy: [5, null] },
  gaps: { from: [], to: [], records: [] },
  markers: { ticks: [], kind: [], text: [], count: [] },
});

test('a picture of packed calls is the picture of the answer', () => {
  const packed = answer();
  packCalls(packed);
  assert.deepEqual(new Picture(packed), new Picture(answer()));
  assert.equal(new Picture(packed).end[1], 9007199254740991, 'ticks are exact');
});

test('rows are packed once, lane by lane in the order of their starts', () => {
  const place = (i) => ({ context: i % 3, depth: (i * 5) % 4, start: (i * 37) % 101 });
  const rows = { context: [], depth: [], start: [], calls: [] };
  for (let i = 0; i < 200; i++) for (const [name, cell] of Object.entries({ ...place(i), calls: i })) rows[name].push(cell);
  const packed = packTable(rows);
  const at = (i) => [packed.context[i], packed.depth[i], packed.start[i]];
  for (let i = 1; i < 200; i++) {
    const [before, now] = [at(i - 1), at(i)];
    const differs = now.findIndex((cell, k) => cell !== before[k]);
    assert.ok(differs < 0 || now[differs] > before[differs], `${before} comes before ${now}`);
  }
  for (let i = 0; i < 200; i++) assert.deepEqual(Object.values(place(packed.calls[i])), at(i), 'a row stays together');
  const again = packTable(packed);
  for (const name of Object.keys(packed)) assert.equal(again[name], packed[name], 'what is packed is not copied');
});

test('columns with texts or unknowns stay lists, and each buffer is listed once', () => {
  const packed = answer();
  const buffers = packCalls(packed);
  assert.deepEqual(packed.away.kind, ['preempted', 'blocked'], 'in order, too');
  assert.deepEqual(packed.away.busy, [null, 5], 'unknown is not 0');
  assert.ok(ArrayBuffer.isView(packed.rows.start) && ArrayBuffer.isView(packed.away.count));
  assert.equal(new Set(buffers).size, 13);
});

test('an answer without calls has nothing to pack', () => {
  assert.deepEqual(packCalls({ sequence: 1, oldest: null, newest: null }), []);
});
