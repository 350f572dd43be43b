// Columns of the timeline show the busy share of their time, and its overview the calls that took too long.

import assert from 'node:assert/strict';
import test from 'node:test';

import { Columns } from '../../../webroot/js/model/columns.js';
import { loadOf, longestIn, outliersOf, totalOf } from '../../../webroot/js/model/overview.js';
import { Picture } from '../../../webroot/js/model/picture.js';
import { dice, forSeeds } from './support.mjs';

const thread = (id) => [id, { id, kind: 'thread' }];
const tasks = new Map([thread(0), thread(1)]); // none of them has a main loop that idles
const looped = (id) => new Map([thread(id)]);

/** Makes a picture of rows { context, depth, start, end, fn, calls, busy, longest }. */
function picture(oldest, newest, rows) {
  const column = (name, other) => rows.map((row) => row[name] ?? other(row));
  const length = ({ start, end }) => end - start;
  return new Picture({
    sequence: 1,
    from: oldest,
    to: newest,
    oldest,
    newest,
    rows: {
      context: column('context', () => 0),
      depth: column('depth', () => 0),
      start: column('start'),
      duration: rows.map(length),
      function: column('fn', () => 0),
      calls: column('calls', () => 1),
      busy: column('busy', length),
      longest: column('longest', length),
    },
  });
}

test('a function that ran for a fortieth of the time fills a fortieth of its columns, merged or not', () => {
  const merged = new Columns(100);
  merged.add(0, 100, 0.025, 7);
  const single = new Columns(100);
  for (let x = 0; x < 100; x += 0.1) single.add(x, x + 0.0025, 1, 7);
  for (const columns of [merged, single])
    for (let i = 0; i < 100; i++) {
      assert.ok(Math.abs(columns.ran[i] - 0.025) < 0.003, `${columns.ran[i]} in ${i}`);
      assert.deepEqual(columns.level(i, 18), { ran: 1, away: 1 });
    }
});

test('columns keep all time that is added, at any bounds', () => {
  forSeeds(20, (seed) => {
    const random = dice(seed);
    const columns = new Columns(50);
    let sum = 0;
    for (let n = 0; n < 40; n++) {
      const x0 = random() * 45;
      const x1 = x0 + random() * 5;
      const share = random();
      columns.add(x0, x1, share, n);
      sum += (x1 - x0) * share;
    }
    const held = columns.ran.reduce((all, one) => all + one, 0);
    assert.ok(Math.abs(held - sum) < 1e-3 * sum, `${held} of ${sum}`);
  });
});

test('a column is full when all of it ran, and is never higher', () => {
  const columns = new Columns(3);
  columns.add(0, 1, 1, 1);
  columns.add(1, 2, 0.5, 1);
  columns.add(1, 2, 0.9, 2);
  assert.deepEqual([0, 1, 2].map((i) => columns.level(i, 18).ran), [18, 18, 0]);
  assert.equal(columns.colour[1], 2, 'of what takes most');
  columns.clear();
  assert.equal(columns.level(1, 18).ran, 0);
});

test('stretches without running are above the calls, and search matches have the colour', () => {
  const columns = new Columns(2);
  columns.add(0, 1, 0.5, 1);
  columns.addAway(0, 1, 0.25, 9);
  assert.deepEqual(columns.level(0, 16), { ran: 8, away: 12 });
  columns.add(0, 1, 0.1, 2, 5);
  columns.add(0, 1, 0.4, 3);
  assert.deepEqual([columns.colour[0], columns.mark[0]], [2, 5]);
});

test('nothing is too short to see', () => {
  const columns = new Columns(2);
  columns.add(1.3, 1.3, 1, 4);
  assert.deepEqual([0, 1].map((i) => columns.level(i, 18).ran), [0, 1]);
});

test('the overview is as busy as the busiest depth of a context', () => {
  const told = picture(0, 1000, [
    { depth: 1, start: 0, end: 500, calls: 10, busy: 250, fn: 1 },
    { depth: 2, start: 0, end: 500, calls: 10, busy: 100, fn: 2 },
    { depth: 2, start: 500, end: 1000, calls: 10, busy: 100, fn: 2 }, // its caller has not returned
    { context: 3, start: 0, end: 1000, fn: 3 },
  ]);
  const [first, second] = loadOf(told, 10, tasks, [], (fn) => fn);
  const near = (columns, i, share) => assert.ok(Math.abs(columns.ran[i] - share) < 1e-6, `${columns.ran[i]}`);
  near(first.columns, 0, 0.5);
  near(first.columns, 9, 0.2);
  assert.deepEqual([first.columns.colour[0], first.columns.colour[9]], [1, 2]);
  assert.equal(second.context, 3);
});

test('intervals between checkpoints are no load', () => {
  const told = picture(0, 1000, [{ start: 0, end: 1000, fn: 1 }, { context: 3, start: 0, end: 500, fn: 2 }]);
  const [first, second] = loadOf(told, 10, tasks, [null, { kind: 'pair' }, { kind: 'function' }], (fn) => fn);
  assert.deepEqual([...first.columns.ran], Array(10).fill(0));
  assert.deepEqual([...second.columns.ran], [...Array(5).fill(1), ...Array(5).fill(0)]);
});

test('a load that the daemon counted is drawn as it is, in the colours of the calls', () => {
  const told = picture(0, 1000, [{ start: 100, end: 300, fn: 1 }, { start: 600, end: 700, fn: 2 }]);
  told.load = { from: 0, to: 1000, step: 300, column: [0, 1, 3, 0], context: [0, 0, 0, 2], ran: [30, 60, 100, 3] };
  const [first, second] = loadOf(told, 10, tasks, [], (fn) => fn);
  const shares = (columns) => Array.from(columns.ran, (ran) => Number(ran.toFixed(3)));
  assert.deepEqual(shares(first.columns), [0.1, 0.1, 0.1, 0.2, 0.2, 0.2, 0, 0, 0, 1]);
  assert.deepEqual([...first.columns.colour], [1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
  assert.equal(second.context, 2);
  assert.deepEqual(shares(second.columns), [0.01, 0.01, 0.01, 0, 0, 0, 0, 0, 0, 0]);
  assert.deepEqual(loadOf(told, 10, looped(2), [], (fn) => fn).map(({ context }) => context), [0], 'a main loop idles while it runs');
  const [main] = loadOf(told, 10, looped(0), [], (fn) => fn);
  assert.deepEqual(shares(main.columns), [0, 1, 1, 0, 0, 0, 1, 0, 0, 0], 'its calls are its load');
  const part = Object.assign(told, { from: 350, to: 650 }); // of a range, from an answer about all of it
  assert.deepEqual(shares(loadOf(part, 10, tasks, [], (fn) => fn)[0].columns), [0, 0, 0, 0.2, 0.2, 0.2, 0, 0, 0, 0]);
});

test('time in which a context was kept from running is not part of its load', () => {
  const told = picture(0, 1000, [{ start: 0, end: 1000, fn: 1 }]);
  told.away = picture(0, 1000, [{ start: 0, end: 400 }, { start: 500, end: 600, busy: 25 }, { context: 1, start: 600, end: 1000 }]);
  const [{ columns }] = loadOf(told, 10, tasks, [], (fn) => fn);
  assert.deepEqual(Array.from(columns.ran, (ran) => Number(ran.toFixed(2))), [0, 0, 0, 0, 1, 0.75, 1, 1, 1, 1]);
});

test('the loads of contexts are added up, and the scale fits them except for a few bursts', () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({ start: i * 100, end: i * 100 + 100, calls: 9, busy: 2, fn: 1 }));
  const isr = rows.map((row, i) => ({ ...row, context: 1, busy: i === 50 ? 10 : 0.6 }));
  const told = picture(0, 20000, [...rows, ...isr]);
  const { totals, top, most } = totalOf(loadOf(told, 200, tasks, [], (fn) => fn), 200);
  const near = (found, share) => assert.ok(Math.abs(found - share) < 1e-6, `${found} ${share}`);
  near(totals[0], 0.026);
  near(most, 0.12);
  near(top, 0.03);
  isr[50].busy = 98;
  near(totalOf(loadOf(picture(0, 20000, [...rows, ...isr]), 200, tasks, [], (fn) => fn), 200).top, 0.15);
  isr[50].busy = 2;
  const low = totalOf(loadOf(picture(0, 20000, [...rows, ...isr]), 200, tasks, [], (fn) => fn), 200);
  assert.ok(low.top >= low.most && low.top < 1.25 * low.most, 'a peak that is little higher fits');
  assert.deepEqual(totalOf([], 3), { totals: new Float64Array(3), most: 0, top: 0 });
});

test('a match is seen in the overview, also where more of something else runs', () => {
  const told = picture(0, 1000, [
    { depth: 0, start: 0, end: 1000, fn: 1 },
    { depth: 1, start: 0, end: 100, calls: 5, busy: 5, fn: 2 },
  ]);
  const [{ columns }] = loadOf(told, 10, tasks, [], (fn) => fn, (fn) => fn === 2);
  assert.deepEqual([columns.colour[0], columns.colour[1]], [2, 1]);
});

test('the one call of 343 ms in an hour of short calls is an outlier, even in a merged row', () => {
  const rows = Array.from({ length: 1000 }, (_, i) => ({ start: i * 3.6e6, end: (i + 1) * 3.6e6 - 10, calls: 900, busy: 9e4, longest: 120, fn: 1 }));
  Object.assign(rows[617], { longest: 343000, busy: 433000 });
  Object.assign(rows[100], { longest: 2000 });
  const functions = [{}, { kind: 'function', name: 'f', p50_ticks: 100 }];
  const found = outliersOf(picture(0, 3.6e9, rows), functions, 40, 1);
  assert.deepEqual(found, [{ row: 617, excess: 342900 }], 'and the much smaller one is none beside it');
  rows[617].longest = 120;
  assert.deepEqual(outliersOf(picture(0, 3.6e9, rows), functions, 40, 1).map(({ row }) => row), [100]);
  rows[100].longest = 120;
  assert.deepEqual(outliersOf(picture(0, 3.6e9, rows), functions, 40, 1), []);
});

test('outliers stand apart, and their number is limited', () => {
  const rows = Array.from({ length: 100 }, (_, i) => ({ start: i * 10, end: i * 10 + 9, calls: 2, busy: 9, longest: 1000 + i, fn: 0 }));
  const functions = [{ kind: 'function', name: 'f', p50_ticks: 5 }];
  const told = picture(0, 1000, rows);
  const starts = outliersOf(told, functions, 40, 100).map(({ row }) => told.start[row]);
  assert.deepEqual(starts, [990, 890, 790, 690, 590, 490, 390, 290, 190, 90]);
  assert.equal(outliersOf(told, functions, 4, 1).length, 4);
});

test('the longest visible call is the one that exceeds its usual time most, of those that match', () => {
  const told = picture(0, 1000, [
    { start: 0, end: 400, fn: 0 },
    { depth: 1, start: 10, end: 90, calls: 4, busy: 70, longest: 60, fn: 1 },
    { depth: 1, start: 200, end: 210, fn: 2 },
    { depth: 1, start: 600, end: 900, fn: 1 },
  ]);
  const functions = [390, 10, 5].map((p50_ticks, i) => ({ kind: 'function', name: `f${i}`, p50_ticks }));
  const found = (from, to, hits = null) => told.start[longestIn(told, functions, { from, to }, hits)];
  assert.equal(found(0, 1000), 600);
  assert.equal(found(0, 500), 10, 'not the longest one, which always takes that long');
  assert.equal(found(0, 1000, Uint8Array.from([0, 0, 1])), 200);
  assert.equal(found(950, 1000), undefined);
});
