// What a device says can be set there, and what is wrong with a value.

import assert from 'node:assert/strict';
import test from 'node:test';

import { linkCards } from '../../../webroot/js/model/link.js';
import { hasModes, modeAnswer, modeText, rangeWords, settingAnswer, settingsOf, valueOf } from '../../../webroot/js/model/setting.js';

const shortest = { name: 'shortest', unit: 'us', least: 0, most: 1000, value: 5 };

test('a device that does not describe itself has no settings', () => {
  assert.deepEqual(settingsOf({ target: {} }), []);
  assert.deepEqual(settingsOf({ target: { description: null } }), []);
  assert.deepEqual(settingsOf({ target: { description: { settings: [shortest] } } }), [shortest]);
});

test('a range has its unit, where there is one', () => {
  assert.equal(rangeWords({ ...shortest, most: 12782640 }), '0 to 12,782,640 us');
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
  assert.equal(valueOf(shortest, '1001').error, 'shortest is from 0 to 1,000 us.');
  assert.equal(valueOf({ ...shortest, least: 1 }, '0').error, 'shortest is from 1 to 1,000 us.');
  assert.match(valueOf(shortest, '9'.repeat(400)).error, /shortest is from/);
});

test('how it tells its calls is on the card of the device', () => {
  assert.equal(modeText({ target: { mode: 'stream' } }), 'stream');
  assert.equal(modeText({ target: { mode: 'toString' } }), null, 'a word from outside is no key of ours');
  assert.equal(modeText({ target: {} }), null);
  const rows = (target) => {
    const { rows: all } = linkCards({ link: [] }).find(({ title }) => title === 'Device');
    return Object.fromEntries(all.map(({ term, of }) => [term, of({ target, source: {}, link: {} })]));
  };
  const known = rows({ mode: 'calls', description: { ring_calls: 64, stack_depth: 32, tasks: 1 } });
  assert.deepEqual([known.Mode, known.Ring, known.Stack, known.Tasks], ['finished calls', '64', '32', '1']);
  const unknown = rows({});
  assert.deepEqual([unknown.Mode, unknown.Ring, unknown.Stack, unknown.Tasks], ['–', '–', '–', '–']);
});

test('a mode that is not to be had is said to be so', () => {
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
  assert.deepEqual(settingAnswer(answer, 'shortest', 9), { now: '8', text: 'The device made 8 of it.' });
  assert.deepEqual(settingAnswer({ target: {} }, 'shortest', 9), { now: '9', text: 'Set.' });
});
