// Moments and marks of a time axis, and ranges as written in the address.

import assert from 'node:assert/strict';
import test from 'node:test';

import { axisMarks, moment, niceStep } from '../../../webroot/js/model/axis.js';
import { rangeTicks, readRange, wholeTicks, writeRange } from '../../../webroot/js/model/range.js';
import { dice, forSeeds } from './support.mjs';

test('a moment has the digits that distinguish it from its neighbour', () => {
  assert.equal(moment(12345678, 1e6, 1), '12.345678 s');
  assert.equal(moment(12345678, 1e6, 1000), '12.346 s');
  assert.equal(moment(12345678, 1e6, 5e6), '12 s');
  assert.equal(moment(1234567.8e6, 1e6, 1e5), '1,234,567.8 s');
  assert.equal(moment(12345678, null), 'tick 12,345,678');
});

test('steps are 1, 2 or 5 times a power of ten', () => {
  assert.deepEqual(
    [0.0011, 0.002, 0.3, 1, 1.01, 4.2, 70].map(niceStep).map((step) => Number(step.toPrecision(3))),
    [0.002, 0.002, 0.5, 1, 2, 5, 100],
  );
});

test('marks lie inside, evenly, apart as asked, and read differently', () => {
  forSeeds(300, (seed) => {
    const roll = dice(seed);
    const ticksPerSecond = [1e6, 168e6, 1000, null][Math.floor(roll() * 4)];
    const from = Math.floor(roll() * 10 ** (roll() * 11));
    const to = from + Math.ceil(10 ** (roll() * 9));
    const { marks, step } = axisMarks(from, to, ticksPerSecond, 0.1);
    assert.ok(marks.length <= 11, `${marks.length} marks`);
    const slack = step / 100;
    for (const { ticks } of marks) assert.ok(ticks >= from - slack && ticks <= to + slack);
    assert.equal(new Set(marks.map(({ text }) => text)).size, marks.length, JSON.stringify(marks));
    for (const { text } of marks) assert.ok(text.length <= 18, `${text} of ${from} ... ${to}`);
    const letters = Math.max(...marks.map(({ text }) => text.length), 0);
    assert.ok(marks.length * letters <= 14 * 12, `${marks.length} marks of ${letters} letters`);
  });
});

test('marks are in the unit that fits the step', () => {
  const texts = (from, to, rate) => axisMarks(from, to, rate, 0.25).marks.map(({ text }) => text);
  assert.deepEqual(texts(0, 4e6, 1e6), ['0 s', '1 s', '2 s', '3 s', '4 s']);
  assert.deepEqual(texts(0, 2000, 1e6), ['0.0 ms', '0.5 ms', '1.0 ms', '1.5 ms', '2.0 ms']);
  assert.deepEqual(texts(5, 25, null), ['5', '10', '15', '20', '25']);
  // Marks show whole times however far from zero, so that the reader does not have to add.
  assert.deepEqual(texts(12e6, 12e6 + 40, 1e6), ['12.00000 s', '12.00001 s', '12.00002 s', '12.00003 s', '12.00004 s']);
  assert.deepEqual(texts(97.57e6, 97.65e6, 1e6), ['97.58 s', '97.60 s', '97.62 s', '97.64 s']);
  assert.deepEqual(texts(12345678900, 12345679100, null), ['12,345,678,900', '12,345,679,000', '12,345,679,100']);
});

test('ranges are whole ticks, exact for 64 bits, and anything else is rejected', () => {
  assert.deepEqual(readRange('18446744073709551614-18446744073709551615'), {
    from: '18446744073709551614',
    to: '18446744073709551615',
  });
  for (const text of ['', '5', '5-4', '-1-4', '1.5-4', '1e3-4000', 'a-b', '1-2-3']) {
    assert.equal(readRange(text), null, text);
    assert.equal(rangeTicks(text), 0);
  }
  assert.equal(writeRange(20.4, 3.6), '4-20');
  assert.equal(writeRange(-5, 2 ** 60), '0-1152921504606846976');
  assert.equal(wholeTicks(1e300), '18446744073709551615');
  assert.equal(wholeTicks(NaN), '0');
  assert.equal(rangeTicks('100-350'), 250);
});
