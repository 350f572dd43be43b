// Texts for a link to a moment, call, function or context that does not exist.

import assert from 'node:assert/strict';
import test from 'node:test';

import { absentMoment, absentNotice, momentOf } from '../../../webroot/js/model/absence.js';
import { parsePlace } from '../../../webroot/js/model/place.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { timeOf } from '../../../webroot/js/model/time.js';

const held = { oldest: 45e6, newest: 66e6 };
const time = timeOf('', { first: 5e6, reset: null, held, wall: null, ticksPerSecond: 1e6 });
const said = (hash, state = 'connected') => absentMoment(momentOf(parsePlace(hash)), { held, time, state });

test('a place leads to its moment, its call, or the range to show', () => {
  const of = (query) => momentOf(parsePlace(`#timeline?${query}`));
  assert.deepEqual(of('at=100-200&spot=150&call=0-1-120'), { from: 150, to: 150 });
  assert.deepEqual(of('at=100-200&call=0-1-120'), { from: 120, to: 120 });
  assert.deepEqual(of('at=100-200&spot=900'), { from: 100, to: 200 }, 'gone on from the moment');
  assert.deepEqual(of('spot=900'), { from: 900, to: 900 });
  for (const none of ['', 'at=live', 'at=all']) assert.equal(of(none), null);
});

test('for an unavailable moment the text has its time, the available time, and what to do', () => {
  assert.equal(said('#timeline?at=17000000-17600000'), '12.30 s is no longer available: the timeline holds 40.00 s to 61.00 s. Record what is to stay.');
  assert.match(said('#timeline?spot=17300000', 'ended'), /no longer available.*Replay a recording that ends sooner\.$/);
  assert.match(said('#timeline?spot=1000000'), /^-4\.00 s is before the first record: .* another run\.$/);
  assert.match(said('#timeline?spot=70000000'), /^65\.00 s has not come yet: .*\(f\)/);
  assert.match(said('#timeline?spot=70000000', 'paused'), /is after the moment that is paused: .* Resume/);
  assert.match(said('#timeline?spot=70000000', 'ended'), /is after the end: .* another recording\.$/);
  assert.match(said('#timeline?spot=44999999'), /^39\.999999 s .* holds 40\.000000 s to/, 'with digits enough to tell them apart');
});

test('there is no text for a held range, nor for one that reaches over its edges', () => {
  for (const query of ['spot=45000000', 'spot=66000000', 'at=44000000-46000000', 'at=65000000-90000000', 'at=65000000-90000000&spot=65500000'])
    assert.equal(said(`#timeline?${query}`), '', query);
});

test('a missing function or context is named if the view would silently show something else', () => {
  const profile = new Profile();
  const title = (hash) => absentNotice(profile, parsePlace(hash))?.title ?? null;
  assert.equal(title('#functions?fn=nosuch'), null, 'unknown yet');
  profile.load({ sequence: 1, source: { state: 'connected' }, functions: [{ id: 0, name: 'main' }], contexts: [{ id: 3, name: 'idle' }] });
  assert.equal(title('#functions?fn=nosuch'), 'There is no function “nosuch” yet.');
  assert.equal(title('#flame?zoom=[idle]/main/%3Cb%3Ex/y'), 'There is no function “<b>x” yet.');
  assert.equal(title('#flame?zoom=[main]/main'), 'There is no context “[main]” yet.');
  for (const none of ['#functions', '#functions?fn=main', '#flame?zoom=[idle]/main&focus=main&fn=nosuch', '#timeline?fn=nosuch']) assert.equal(title(none), null, none);
  profile.source = { state: 'ended' };
  assert.equal(title('#flame?focus=nosuch'), 'There is no function “nosuch” in this recording.');
});
