// A delta with many rows reaches the page in pieces, which together are the delta.

import test from 'node:test';
import assert from 'node:assert/strict';

import { rowsMost, takePieces, withPieces } from '../../../webroot/js/model/pieces.js';

const rowsOf = (n) => Array.from({ length: n }, (_, id) => ({ id, calls: 2 * id }));

for (const n of [0, 1, rowsMost, rowsMost + 1, 2 * rowsMost, 5 * rowsMost + 3]) {
  test(`a delta of ${n} rows is whole again, in pieces that are small`, () => {
    const whole = { since: 1, sequence: 2, functions: rowsOf(n) };
    const data = { ...whole };
    const pieces = takePieces('delta', data);
    assert.equal(pieces.length, Math.max(Math.ceil(n / rowsMost) - 1, 0));
    for (const { functions } of [...pieces.map(({ rows }) => ({ functions: rows })), data]) assert.ok(functions.length <= rowsMost);
    assert.deepEqual(withPieces(pieces.map(({ rows }) => rows), data), whole);
  });
}

test('what has no rows, and what is not a delta, is sent at once', () => {
  assert.deepEqual(takePieces('delta', { since: 1, sequence: 2 }), []);
  assert.deepEqual(takePieces('snapshot', { functions: rowsOf(5 * rowsMost) }), []);
  assert.deepEqual(takePieces('up', undefined), []);
  assert.equal(withPieces([], undefined), undefined);
});
