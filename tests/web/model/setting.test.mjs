// The settings that a device offers, and the reason why a value is invalid.

import assert from 'node:assert/strict';
import test from 'node:test';

import { linkCards } from '../../../webroot/js/model/link.js';
import { notices, settingsNotice } from '../../../webroot/js/model/notices.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { savedFile } from '../../../webroot/js/model/saved.js';
import { simulated } from './support.mjs';
import { deviations, hasModes, modeAnswer, modeText, rangeWords, settingAnswer, settingsOf, valueOf } from '../../../webroot/js/model/setting.js';

const shortest = { name: 'shortest', unit: 'us', least: 0, most: 1000, value: 5 };

test('a device that does not describe itself has no settings', () => {
  assert.deepEqual(settingsOf({ target: {} }), []);
  assert.deepEqual(settingsOf({ target: { description: null } }), []);
  assert.deepEqual(settingsOf({ target: { description: { settings: [shortest, { ...shortest, name: 'window-function', unit: 'address' }] } } }), [shortest], 'a trigger sets an address by its name');
});

test('settings that are known not to be the defaults stand in one line, with their units', () => {
  const profile = simulated(4);
  assert.deepEqual(deviations(profile), []);
  const packet = { name: 'packet', unit: 'records', value: 20, default: null, throughout: true };
  for (const measured_with of [null, [], [packet]]) {
    profile.measuredWith = measured_with;
    assert.equal(settingsNotice(profile), null);
  }
  const rows = [
    { name: 'shortest', unit: 'us', value: 1500, default: 0, throughout: true },
    { name: 'depth', unit: 'calls', value: 8, default: 32, throughout: false },
  ];
  profile.measuredWith = [packet, ...rows];
  const notice = settingsNotice(profile);
  assert.equal(notice.title, 'Measured with shortest 1,500 µs (default 0), depth 8 calls (default 32, for a part of the time).');
  assert.ok(notices(profile, true).some(({ id }) => id === 'settings'));
  assert.doesNotMatch(notice.text, /trigger/);
  profile.measuredWith = [{ name: 'window', unit: '', value: 1, default: 0, throughout: true }];
  assert.match(settingsNotice(profile).text, /trigger/);
  assert.deepEqual(JSON.parse(savedFile(profile, 'json', new Date(0)).text).measured_with, profile.measuredWith);
});

test('settings in a delta replace the earlier ones', () => {
  const profile = new Profile();
  profile.measuredWith = [];
  const head = { since: -1, sequence: 1, cleared_at: 1 };
  profile.apply({ ...head, measured_with: null });
  assert.equal(profile.measuredWith, null);
});

test('a range has its unit, where there is one', () => {
  assert.equal(rangeWords({ ...shortest, most: 12782640 }), '0 to 12,782,640 µs');
  assert.equal(rangeWords({ ...shortest, unit: '' }), '0 to 1,000');
});

test('a value is a whole number within the range', () => {
  for (const [typed, value] of [
    ['0', 0],
    [' 12 ', 12],
    ['007', 7],
    ['1000', 1000],
  ])
    assert.deepEqual(valueOf(shortest, typed), { value }, typed);
  for (const typed of ['', ' ', '-1', '1.5', '1e3', '0x10', 'ten', '1 000'])
    assert.match(valueOf(shortest, typed).error, /whole number/, typed);
  assert.equal(valueOf(shortest, '1001').error, 'shortest is from 0 to 1,000 µs.');
  assert.equal(valueOf({ ...shortest, least: 1 }, '0').error, 'shortest is from 1 to 1,000 µs.');
  assert.match(valueOf(shortest, '9'.repeat(400)).error, /shortest is from/);
});

test('how it reports its calls is on the card of the device', () => {
  assert.equal(modeText({ target: { mode: 'stream' } }), 'stream');
  assert.equal(modeText({ target: { mode: 'toString' } }), null, 'a word from outside is no key of ours');
  assert.equal(modeText({ target: {} }), null);
  const rows = (target) => {
    const { rows: all } = linkCards({ link: [] }).find(({ title }) => title === 'Device');
    return Object.fromEntries(all.map(({ term, of }) => [term, of({ target, source: {}, link: {} })]));
  };
  const known = rows({ mode: 'calls', description: { ring_calls: 64, stack_depth: 32, tasks: 1 } });
  assert.deepEqual([known.Mode, known.Ring, known.Stack, known.Tasks], ['finished calls', '64 calls', '32 calls', '1']);
  const unknown = rows({});
  assert.deepEqual([unknown.Mode, unknown.Ring, unknown.Stack, unknown.Tasks], ['–', '–', '–', '–']);
});

test('a mode that is unavailable is marked', () => {
  assert.equal(modeAnswer({ mode: 'stream' }, 'stream'), 'Set; it is in mode stream.');
  assert.equal(modeAnswer({ mode: 'calls' }, 'auto'), 'Set; it is in mode calls.');
  assert.equal(modeAnswer({ mode: 'stream' }, 'tree'), 'It cannot do that; it is in mode stream.');
  assert.equal(modeAnswer({ mode: null }, 'tree'), 'Kept for when it is started.');
  assert.equal(hasModes({ target: {} }), false);
  assert.equal(hasModes({ target: { description: { versions: [1] } } }), false);
  assert.equal(hasModes({ target: { description: { versions: [1, 2] } } }), true);
});

test('the value shown is the one that the device has', () => {
  const answer = { target: { description: { settings: [{ ...shortest, value: 8 }] } } };
  assert.deepEqual(settingAnswer(answer, 'shortest', 8), { now: '8', text: 'Set.' });
  assert.deepEqual(settingAnswer(answer, 'shortest', 9), { now: '8', text: 'The device changed it to 8.' });
  assert.deepEqual(settingAnswer({ target: {} }, 'shortest', 9), { now: '9', text: 'Set.' });
});
