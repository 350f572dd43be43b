// Moments as the page shows them, and as the reader enters them.

import assert from 'node:assert/strict';
import test from 'node:test';

import { createTime } from '../../../webroot/js/frame/time.js';
import { innermostAt } from '../../../webroot/js/model/innermost.js';
import { Picture } from '../../../webroot/js/model/picture.js';
import { parsePlace } from '../../../webroot/js/model/place.js';
import { parseMoment, placeOfMoment, timeOf, zeros } from '../../../webroot/js/model/time.js';

const held = { oldest: 5e6, newest: 95e6 };
const noon = new Date(2026, 10, 20, 12, 0, 0).getTime();
const known = { first: 5e6, reset: 25e6, held, wall: { ticks: 15e6, ms: noon }, ticksPerSecond: 1e6 };
const at = (zero, more = {}) => timeOf(zero, { ...known, ...more });

test('the first record stays where it was when its call is held no more, also for a page that comes then', () => {
  const page = () => createTime({ place: { get: () => ({ zero: '' }) }, toast() {}, profile: () => ({ ticksPerSecond: 1e6, messages: [] }), fetchTimeline: null, learnt() {} });
  const [open, late, old] = [page(), page(), page()];
  open.learn({ first: 5e6, oldest: 5e6, newest: 8e6 });
  for (const one of [open, late]) one.learn({ first: 5e6, oldest: 7e6, newest: 9e6 });
  assert.deepEqual([open.now.zero, late.now.zero], [5e6, 5e6]);
  open.learn({ first: 4e6, oldest: 4e6, newest: 9e6 });
  assert.equal(open.now.zero, 4e6, 'a call has ended that began before');
  for (const oldest of [7e6, 8e6]) old.learn({ oldest, newest: 9e6 });
  assert.equal(old.now.zero, 7e6, 'a daemon that does not send it');
});

test('time counts from the first record, the last reset, the counter, a moment of choice or the clock', () => {
  const words = (zero) => at(zero).moment(35.5e6, 1e5);
  assert.deepEqual(['', 'reset', 'counter', '5500000', 'clock'].map(words), ['30.5 s', '10.5 s', '35.5 s', '30.0 s', '12:00:20.5']);
  for (const [zero] of zeros) assert.equal(parsePlace(`#flame?zero=${zero}`).zero, zero);
  assert.equal(parsePlace('#flame?zero=yesterday').zero, '');
  assert.equal(at('').moment(4e6, 1e6), '-1 s');
});

test('an unknown origin of time is not used', () => {
  assert.equal(at('reset', { reset: null }).moment(6e6, 1e5), '1.0 s');
  assert.equal(at('clock', { wall: null }).isClock, false);
  assert.equal(at('', { first: null }).moment(6e6, 1e5), '6.0 s');
  assert.equal(at('', { ticksPerSecond: null }).moment(5000100), 'tick 100');
});

test('the marks of an axis are at round times from the origin', () => {
  const { marks } = at('').marks(5e6, 45e6, 0.25);
  assert.deepEqual(marks.map(({ text }) => text), ['0 s', '10 s', '20 s', '30 s', '40 s']);
  assert.deepEqual(marks.map(({ ticks }) => ticks), [5e6, 15e6, 25e6, 35e6, 45e6]);
  const clock = at('clock').marks(15e6, 17e6, 0.25);
  assert.deepEqual(clock.marks.map(({ text }) => text), ['12:00:00.0', '12:00:00.5', '12:00:01.0', '12:00:01.5', '12:00:02.0']);
  assert.equal(at('clock').listed(15e6 - 43200e6 - 1e6), '23:59:59.000000 −1 d');
});

test('a time is taken as people write it', () => {
  const ticks = (text, zero = '') => parseMoment(text, at(zero)).ticks;
  const wanted = { '12.3 s': 12.3, '12.3': 12.3, ' 12.3S ': 12.3, '350ms': 0.35, '1:02.5': 62.5, '0:01:02.5': 62.5, '1 min 2.5 s': 62.5, '500 us': 5e-4, '250 µs': 2.5e-4, '9 ns': 9e-9, '.5 s': 0.5, '1,000 ms': 1 };
  for (const [text, seconds] of Object.entries(wanted)) assert.ok(Math.abs(ticks(text) - (5e6 + seconds * 1e6)) < 1e-3, text);
  assert.equal(ticks('7000000 ticks', 'counter'), 7e6);
  assert.equal(ticks('12:00:05', 'clock'), 20e6);
  assert.equal(ticks('-10 s', 'reset'), 15e6);
});

test('an invalid or unavailable time gives a sentence', () => {
  const error = (text, more) => parseMoment(text, at('', more)).error;
  for (const text of ['', 'soon', '12 parsecs', '1:2:3:4', '12.3 s s', '1e3', '-', '. s', '12..3 s']) assert.match(error(text), /^Write a time, such as/, text);
  assert.equal(error('99 s'), 'That is after the available time: 0.00 s to 90.00 s.');
  assert.equal(error('-1 s'), 'That is before the available time: 0.00 s to 90.00 s.');
  assert.match(error('1 s', { held: null }), /No calls have arrived yet/);
  assert.match(error('1.5 s', { ticksPerSecond: null }), /write ticks/);
  assert.equal(parseMoment('90.05 s', at('')).ticks, held.newest); // as exact as the text above
});

test('the place of a moment has it in the middle, as close as the reader was', () => {
  const [from, to] = placeOfMoment(50e6, { held }, 2000).at.split('-').map(Number);
  assert.deepEqual([from, to], [49999000, 50001000]);
  const far = placeOfMoment(50e6, { held }, 89e6);
  assert.equal(parsePlace(`#timeline?at=${far.at}&spot=${far.spot}`).spot, '50000000');
  assert.ok(far.at.split('-').map(Number)[0] > 49e6);
});

test('the innermost call of a moment is found, in the context that ran last', () => {
  const rows = { start: [0, 10, 20, 60], duration: [100, 80, 5, 10], function: [0, 1, 2, 3], context: [0, 0, 0, 1], depth: [0, 1, 2, 0], calls: [1, 1, 1, 1] };
  const picture = new Picture({ sequence: 1, from: 0, to: 100, oldest: 0, newest: 100, rows }, 1);
  const fn = (ticks) => innermostAt(picture, ticks)?.fn ?? null;
  assert.deepEqual([5, 15, 22, 40, 65, 200].map(fn), [0, 1, 2, 1, 3, null]);
});
