// limits.test.mjs - limits as text.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { breachCall, breachIn, breachPlace, keptOf, keptWords, hitsOf, limitFigures, limitName, limitOf, limitsBadge, limitValue, limitWords, newlyBroken, recordingOf } from '../../../webroot/js/model/limits.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { limitFigures as mockFigures } from '../mock-figures.mjs';

const limit = (id, more = {}) => ({
  id, limit: `f${id}:max<1ms`, figure: 'max', unit: 'ns', state: 'kept', detail: null, judged: 12, breaches: 0, broken_now: false,
  now: null, first: null, last: null, worst: null, ...more,
});
const breach = { from: 5000, ticks: 5900, at: '2026-11-20T12:00:00.000Z', value: 1250000 };
const broken = (id, more = {}) => limit(id, { state: 'broken', breaches: 3, first: breach, last: breach, worst: breach, ...more });

function profileOf(limits, source = {}) {
  const profile = new Profile();
  profile.load({ sequence: 1, source, limits });
  return profile;
}

test('the badge shows how many are broken, and is not there without limits', () => {
  assert.equal(limitsBadge(profileOf([])), null);
  assert.deepEqual(limitsBadge(profileOf([limit(1)])), { words: '1 limit', tip: '1 limit, none broken', level: null });
  assert.deepEqual(limitsBadge(profileOf([limit(1), broken(2)])), { words: '1 of 2 limits broken', tip: 'Broken: f2:max<1ms', level: 'bad' });
  assert.equal(limitsBadge(profileOf([broken(2)])).words, '1 limit broken');
  assert.equal(limitsBadge(profileOf([broken(1), broken(2)])).words, '2 limits broken');
});

test('values have a unit that people read', () => {
  const cases = [[1250000, 'ns', '1.25 ms'], [0, 'ns', '0 ns'], [2.5e9, 'ns', '2.5 s'], [20000, 'per_second', '20000/s'], [81.25, 'percent', '81.25 %'], [3, 'calls', '3']];
  for (const [value, unit, words] of cases) assert.equal(limitValue(value, unit), words);
});

test('one line shows the state of a limit', () => {
  assert.equal(limitWords(limit(1)), 'Kept by 12 calls');
  assert.equal(limitWords(limit(1, { figure: 'p99', now: 480000 })), 'Kept, now 480 µs');
  assert.equal(limitWords(broken(1)), 'Broken 3 times, 1.25 ms at the worst');
  assert.equal(limitWords(broken(1, { breaches: 1, now: 900000 })), 'Broken once, 1.25 ms at the worst; now 900 µs');
  assert.equal(limitWords(limit(1, { state: 'waits', detail: 'No call of it has been received yet.' })), 'No call of it has been received yet.');
  assert.equal(limitWords(limit(1, { state: 'waits' })), 'Nothing to judge yet.');
});

test('a delta has all limits or none, and those newly broken are found', () => {
  const profile = profileOf([limit(1), limit(2)]);
  profile.apply({ since: 1, sequence: 2 });
  assert.equal(profile.limits.length, 2);
  profile.apply({ since: 2, sequence: 3, limits: [broken(1), broken(2)] });
  assert.deepEqual(newlyBroken(profile, new Set([1])).map((row) => row.id), [2]);
});

test('a breach has its place on the timeline, with something around it', () => {
  assert.equal(breachPlace(breach, 1000000), '4000-6900');
  assert.equal(breachPlace({ from: 10, ticks: 10 }, 1000000), '0-1010');
});

test('the call of a breach is found by its begin and its function', () => {
  const rows = { start: [4000, 5000, 5000], function: [1, 2, 7], context: [0, 0, 3], depth: [0, 1, 4] };
  assert.equal(breachCall(breach, 7, rows), '3-4-5000');
  assert.equal(breachCall(breach, 1, rows), '');
});

test('the recording of a breach is named: its own, or the one begun before it', () => {
  const row = (name, at) => ({ name, at, limit: 1, bytes: 2000 });
  const rows = [row('a.bin', '2026-11-20T11:59:50.000Z'), row('b.bin', '2026-11-20T12:00:00.000Z'), row('c.bin', '2026-11-20T12:00:07.000Z')];
  const said = (kept) => keptOf({ source: { keeping: kept && { folder: '/var/kept/', rows: kept } } }, breach);
  assert.equal(said(rows), 'It was kept: replay /var/kept/b.bin.');
  assert.equal(said([rows[0], rows[2]]), 'It may be in /var/kept/a.bin, which was begun before it.');
  assert.deepEqual([said([rows[2]]), said([]), said(null)], ['', '', '']);
});

test('recordings around breaches are shown', () => {
  const keeping = { folder: '/var/kept', made: 0, dropped: 0, error: null, rows: [] };
  assert.equal(keptWords(profileOf([])), '');
  assert.equal(keptWords(profileOf([], { keeping })), 'The time around a broken limit is kept in /var/kept.');
  const rows = [{ name: 'breach-1.bin', at: '', limit: 1, bytes: 2000 }, { name: 'breach-2.bin', at: '', limit: 1, bytes: null }];
  assert.match(keptWords(profileOf([], { keeping: { ...keeping, dropped: 7, rows } })), /^2 recordings \(.*\) of the time around broken limits in \/var\/kept; 7 made room/);
  assert.equal(keptWords(profileOf([], { keeping: { ...keeping, error: 'No room.' } })), 'No room.');
});

test('a limit begins with the name of its function, or with its address if another has that name', () => {
  const functions = [{ id: 0, name: 'operator<(A, B)', address: '0x8000010' }, { id: 1, name: 'init', address: '0x8000100' }, undefined, { id: 3, name: 'init', address: '0x8000200' }];
  assert.deepEqual([0, 1, 3].map((id) => limitName({ functions }, functions[id])), ['operator<(A, B)', '0x8000100', '0x8000200']);
  assert.equal(limitName({ functions: [functions[1], { id: 3, name: 'init', address: null }] }, { id: 3, name: 'init', address: null }), 'init');
});

test('the form makes a limit of its fields, a trigger, or takes all of a limit from the first field', () => {
  assert.deepEqual(limitOf(' spi_read ', 'p99', '500us'), { limit: 'spi_read:p99<500us' });
  assert.deepEqual(limitOf('tick', 'period', '=50us±5us'), { limit: 'tick:period=50us±5us' });
  assert.deepEqual(limitOf('a::B<int>::run:max<1ms', 'max', ''), { limit: 'a::B<int>::run:max<1ms' });
  assert.deepEqual(limitOf('a::B<int>::run', 'max', ''), { error: 'Write a value, such as 500us.' });
  assert.deepEqual(limitOf('', 'max', '1ms'), { error: 'Name the function.' });
  assert.deepEqual(limitOf('spi_read', 'trigger', '500 us'), { when: 'spi_read>500us' });
  assert.match(limitOf('spi_read', 'trigger', '500').error, /^Write a time with its unit/);
});

test('each figure of the daemon has a text about the line that makes it exact', () => {
  for (const [, , says] of limitFigures(mockFigures)) assert.match(says, /^Judged by .*exact/);
  assert.deepEqual(limitFigures(['max', 'newer']).map(([id, name]) => [id, name]), [['max', 'longest call'], ['newer', 'newer'], ['trigger', 'call, on the device']]);
});

test('breaches and calls that met a trigger are one list, the newest first; a breach knows the recording that may have it', () => {
  const at = '2026-11-20T12:00:00.000Z';
  const keeping = { folder: '/kept/', error: null, dropped: 0, rows: [{ name: 'b.bin', at, limit: 1, bytes: 9 }] };
  const profile = profileOf([broken(1, { function: 4 })], { keeping });
  profile.windows = { rows: [{ reason: 'slow', function: 0, ticks: 9000, duration: 100 }, { reason: 'asked', ticks: 9500 }] };
  const hits = hitsOf(profile, [{ number: 0, limit: 1, ...breach }, { number: 1, limit: 77, ...breach }]);
  assert.deepEqual(hits.map(({ ticks, from, fn }) => [ticks, from, fn]), [[9000, 8900, 0], [5900, 5000, 4]]);
  assert.equal(hits[1].words, 'f1:max<1ms: 1.25 ms');
  assert.equal(recordingOf(profile, hits[1]), '/kept/b.bin');
  assert.equal(recordingOf(profile, { at: '2026-11-20T12:00:01.000Z' }), '/kept/b.bin');
  assert.equal(recordingOf(profile, { at: '2026-11-20T11:59:59.000Z' }), '');
});

test('a breach is found in the profile of its recording, also where ticks were counted from elsewhere', () => {
  const hit = { limit: 'f1:max<1ms', from: 3 * 2 ** 32 + 500, ticks: 3 * 2 ** 32 + 900 };
  const recording = profileOf([broken(1, { function: 4, worst: { ...breach, from: 5000, ticks: 5900 } })]);
  assert.deepEqual(breachIn(recording, hit), { from: 500, ticks: 900, fn: 4 });
  assert.deepEqual(breachIn(profileOf([]), hit), { from: hit.from, ticks: hit.ticks, fn: null });
});
