// windows.test.mjs - windows and their trigger as text, and the time between windows.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { emptyTimeline } from '../../../webroot/js/model/empty.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { timeOf } from '../../../webroot/js/model/time.js';
import {
  canKeep,
  listWindows,
  longestWords,
  partsOf,
  tellsWindowsOnly,
  triggerNames,
  triggerOf,
  triggerWords,
  unrecorded,
  windowMarks,
  windowNotes,
  windowTitle,
} from '../../../webroot/js/model/windows.js';

const time = timeOf('counter', { first: null, reset: null, held: null, wall: null, ticksPerSecond: 1e6 });
const functions = [
  { id: 0, name: 'main', kind: 'function', address: '0x100', max_ticks: null },
  { id: 1, name: 'spi_read', kind: 'function', address: '0x200', max_ticks: 812 },
  { id: 2, name: '(other)', kind: 'other', address: null, max_ticks: null },
];
const row = (number, from, to, more = {}) => ({
  number,
  from,
  to,
  reason: 'slow',
  ticks: to - 10,
  function: 1,
  duration: 812,
  missed: 0,
  lost: 0,
  excerpt: true,
  state: 'whole',
  ...more,
});

function profileOf(rows, target = {}, excerpts = true) {
  const profile = new Profile();
  profile.load({
    sequence: 1,
    source: { state: 'connected', dialect: 'miniprof', dialect_provides: ['tree', 'timeline'] },
    target: { ticks_per_second: 1000000, mode: 'tree', ...target },
    functions,
    windows: { excerpts, told: rows.length, missed: 0, rows },
  });
  return profile;
}

test('a window shows which function was slow, when, and what is missing', () => {
  const profile = profileOf([]);
  assert.equal(windowTitle(row(0, 0, 0), profile), 'spi_read took 812 µs');
  assert.equal(windowTitle(row(0, 0, 0, { reason: 'asked' }), profile), 'Asked for');
  assert.equal(windowTitle(row(0, 0, 0, { reason: null }), profile), 'A window');
  assert.deepEqual(windowNotes(row(0, 12300000, 12334000), profile, time), ['at 12.33 s', '34.0 ms kept']);
  assert.deepEqual(windowNotes(row(0, 1000, 2000, { state: 'cut', lost: 1, missed: 2, ticks: null }), profile, time), [
    'at 0.001 s',
    '1.00 ms kept',
    'a part of it is missing',
    '1 call lost',
    '2 triggers before it missed',
  ]);
  assert.deepEqual(windowNotes(row(0, 1000, 2000, { excerpt: false }), profile, time), ['at 0.002 s']);
});

test('the newest are first, and those no longer listed are counted', () => {
  const profile = profileOf([row(0, 0, 10), row(7, 20, 30)]);
  profile.windows.told = 8;
  const { rows, gone } = listWindows(profile);
  assert.deepEqual(rows.map(({ number }) => number), [7, 0]);
  assert.equal(gone, 6);
});

test('time between windows is unrecorded, unless a window between them is no longer listed', () => {
  const rows = [row(0, 100, 200), row(1, 500, 600), row(3, 900, 1000), row(4, 1000, 1100)];
  assert.deepEqual(unrecorded(profileOf(rows), 2000), [
    { from: 200, to: 500 },
    { from: 1100, to: 2000 },
  ]);
  assert.deepEqual(unrecorded(profileOf(rows, {}, false), 2000), [], 'where every call is sent');
});

test('windows are markers that lead to all of them', () => {
  const profile = profileOf([row(0, 100, 200), row(1, 500, 600, { ticks: null })]);
  const marks = windowMarks(profile, 0, 1000);
  assert.deepEqual(marks.map(({ start, window }) => [start, window.start, window.end]), [
    [190, 100, 200],
    [500, 500, 600],
  ]);
  assert.equal(marks[0].text, 'spi_read took 812 µs');
  assert.deepEqual(marks[0].look, { start: 100, end: 200 });
  const [far] = windowMarks(profileOf([row(0, 0, 100000, { ticks: 50000, duration: 100 })]), 0, 1e6);
  assert.deepEqual(far.look, { start: 49400, end: 50500 }, 'a short call in a long window can be seen');
  assert.equal(windowMarks(profile, 191, 499).length, 0);
});

test('a trigger is a name and a time with its unit', () => {
  assert.deepEqual(triggerOf(' spi_read ', '500 us'), { value: 'spi_read>500us' });
  assert.deepEqual(triggerOf('a', '1.5µs'), { value: 'a>1.5us' });
  assert.match(triggerOf(' ', '5 us').error, /Name the function/);
  for (const time of ['', '5', 'us', '-5 us', '5 kg', '1e3 us']) assert.match(triggerOf('a', time).error, /unit/, time);
  assert.deepEqual(partsOf('q<int>>500us'), { name: 'q<int>', time: '500 us' });
});

test('a sentence describes the kept windows', () => {
  const words = (trigger, excerpts = true) => triggerWords(profileOf([], { trigger, mode: excerpts ? 'tree' : 'stream' }, excerpts));
  const when = 'spi_read>500us';
  assert.equal(words(null), 'No trigger is set.');
  assert.equal(words({ when, state: 'armed' }), 'The device captures each call of spi_read that takes longer than 500 us.');
  assert.match(words({ when, state: 'arming' }), /^Setting the trigger/);
  assert.match(words({ when, state: 'watching' }), /^Waiting for the device/);
  assert.match(words({ when, state: 'watching' }, false), /^Lists each call/);
  assert.equal(words({ when, state: 'failed', detail: 'It cannot.' }), 'It cannot.');
});

test('functions are offered with their known times', () => {
  const profile = profileOf([]);
  assert.deepEqual(triggerNames(profile), ['spi_read', 'main']);
  assert.equal(longestWords(profile, 'spi_read'), 'Its longest call so far took 812 µs.');
  assert.equal(longestWords(profile, 'main'), '');
  assert.equal(longestWords(profile, 'nobody'), '');
});

test('a delta has all windows or none', () => {
  const profile = profileOf([row(0, 100, 200)]);
  profile.apply({ since: 1, sequence: 2 });
  assert.equal(profile.windows.rows.length, 1);
  profile.apply({ since: 2, sequence: 3, windows: { excerpts: true, told: 2, missed: 0, rows: [row(1, 300, 400)] } });
  assert.deepEqual(profile.windows.rows.map(({ number }) => number), [1]);
  assert.equal(profile.freeze().windows, profile.windows);
});

test('without a window a counted tree has no timeline, and the text says what to do', () => {
  const read = { trouble: '', loaded: true };
  const described = (settings) => ({ description: { settings } });
  const profile = profileOf([], {}, false);
  assert.ok(tellsWindowsOnly(profile));
  assert.equal(canKeep(profile), null);
  assert.match(emptyTimeline(profile, true, read).title, /without a trigger/);
  assert.match(emptyTimeline(profile, true, read).text, /Set a trigger/);
  assert.match(emptyTimeline(profileOf([], described([{ name: 'depth' }])), true, read).text, /firmware has no triggers/);
  assert.match(emptyTimeline(profileOf([], described([{ name: 'window' }])), true, read).text, /Set a trigger/);
  assert.doesNotMatch(emptyTimeline(profileOf([], { mode: 'stream' }, false), true, read).title, /window/);
  profile.source.state = 'ended';
  assert.match(emptyTimeline(profile, true, read).title, /recording/);
});
