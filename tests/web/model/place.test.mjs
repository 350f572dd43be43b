// The address describes the reader's position, and the same address leads back there.

import assert from 'node:assert/strict';
import test from 'node:test';

import { defaults, formatPlace, parsePlace } from '../../../webroot/js/model/place.js';
import { dice, forSeeds } from './support.mjs';

test('the plain place is just the view', () => {
  assert.equal(formatPlace(defaults), '#overview');
  assert.deepEqual(parsePlace(''), defaults);
});

test('any place written and read again is the same place', () => {
  const letters = 'ab:/<>&=?#,% é漢"\'()*[]~;+';
  forSeeds(200, (seed) => {
    const roll = dice(seed);
    const word = () =>
      Array.from(
        { length: 1 + Math.floor(roll() * 12) },
        () => [...letters][Math.floor(roll() * [...letters].length)],
      ).join('');
    const words = () => Array.from({ length: Math.floor(roll() * 4) }, word);
    const place = {
      ...defaults,
      view: 'functions',
      zoom: words(),
      search: word(),
      fn: word(),
      hide: words(),
      focus: words(),
      inverted: roll() < 0.5,
      collapse: roll() < 0.5,
      unit: roll() < 0.5 ? 'calls' : 'time',
      order: roll() < 0.5 ? 'name' : 'heavy',
      sort: 'p99',
      rising: roll() < 0.5,
      measure: roll() < 0.5 ? 'call' : 'share',
      side: roll() < 0.5 ? 'before' : 'after',
      since: roll() < 0.5,
      row: roll() < 0.5 ? '2-15' : '0x08001234',
      pane: roll() < 0.5 ? 'code' : 'source',
      range: roll() < 0.5 ? '' : '18446744073709551614-18446744073709551615',
      at: ['', 'all', 'live', 'live-5000', '7-12'][Math.floor(roll() * 5)],
      call: roll() < 0.5 ? '' : '0-12-123456789012',
    };
    assert.deepEqual(parsePlace(formatPlace(place)), place);
  });
});

test('nonsense in an address falls back to the default', () => {
  const place = parsePlace(
    '#flame?row=x&pane=both&unit=parsecs&order=&colour=9&measure=yards&least=2&__proto__=x&constructor=1&search=%E0%A4%A&zoom=' +
      '&range=9-3&at=now&call=1-2',
  );
  assert.deepEqual({ ...place, search: '' }, { ...defaults, view: 'flame' });
});

test('the address of the view that became a panel opens that, over the view that opens', () => {
  for (const hash of ['#link', '#link?search=a']) {
    const { view, panel } = parsePlace(hash);
    assert.deepEqual([view, panel], ['overview', 'link'], hash);
  }
  assert.equal(formatPlace(parsePlace('#flame?panel=link')), '#flame?panel=link');
  assert.equal(parsePlace('#flame?panel=other').panel, '');
});
