// The search box.

import assert from 'node:assert/strict';
import test from 'node:test';

import { buildFrames } from '../../../webroot/js/model/frames.js';
import { placesOf, rankFunctions } from '../../../webroot/js/model/rank.js';
import { exactly, matchFunctions, matchShare, matcher, stepMatch } from '../../../webroot/js/model/search.js';
import { folded, forSeeds, plain, simulated } from './support.mjs';

test('plain text matches a part of the name in any case', () => {
  assert.ok(matcher('UART').test('uart_write'));
  assert.ok(matcher(' write ').test('uart_write'));
  assert.ok(!matcher('u.rt').test('uart'));
  assert.ok(matcher('operator*(').test('Matrix::operator*(Matrix)'));
});

test('text between slashes is a regular expression, with flags', () => {
  assert.ok(matcher('/^uart_(read|write)$/').test('uart_write'));
  assert.ok(!matcher('/^UART/').test('uart_write'));
  assert.ok(matcher('/^UART/i').test('uart_write'));
  assert.ok(matcher('/w/g').test('w') && matcher('/w/g').test('w'));
  assert.ok(matcher('/wri').test('uart_write'));
});

test('a function is found by its name in the ELF, an alias and its file without folders, too', () => {
  const fn = { id: 0, name: 'Uart::send(int)', raw_name: '_ZN4Uart4sendEi', aliases: ['UART_Send'], file: 'src/drivers/serial.cpp' };
  const hits = (text) => matchFunctions([fn, { id: 1, name: 'main' }], matcher(text)).join('');
  for (const text of ['_ZN4', '=_ZN4Uart4sendEi', '/^_ZN4Uart/', 'uart_s', 'serial.c', '=UART_Send', '/^serial/']) assert.equal(hits(text), '10', text);
  for (const text of ['drivers', 'src', '=serial', 'Ei', 'sende']) assert.equal(hits(text), '00', text);
});

test('a name behind = is that function only, by its address where two share the name', () => {
  const functions = ['net', 'net_rx', 'Net'].map((name, id) => ({ id, name, address: `0x0${id}` }));
  assert.deepEqual([...matchFunctions(functions, matcher(exactly('net')))], [1, 0, 0]);
  const twins = ['idle', 'idle'].map((name, id) => ({ id, name, address: `0x0${id}` }));
  assert.deepEqual([...matchFunctions(twins, matcher(exactly('idle@0x01')))], [0, 1]);
  const shared = [{ id: 0, name: 'Default_Handler', aliases: ['ADC_IRQHandler', 'USART1_IRQHandler'] }, { id: 1, name: 'adc' }];
  for (const text of ['ADC_IRQHandler', '=USART1_IRQHandler', '/^usart1/i']) assert.deepEqual([...matchFunctions(shared, matcher(text))], [1, 0], text);
  assert.ok(matcher('==').test('operator=='));
  assert.ok(matcher('=').test('operator='));
});

test('a search goes through every place of a function, after the heaviest of each', () => {
  const profile = folded('main;a;x 10', 'main;b;x 30', 'main;b;y 20', 'main;x;x 5');
  const frames = buildFrames(profile, plain);
  const hits = matchFunctions(profile.functions, matcher('/^[xy]$/'));
  const places = placesOf(frames, rankFunctions(frames, 0, 'total', hits));
  const named = places.map((node) => frames.path(node).map((fn) => profile.functions[fn].name).join(';'));
  assert.deepEqual(named, ['main;b;x', 'main;b;y', 'main;a;x', 'main;x', 'main;x;x']);
});

test('a broken expression shows its error and matches nothing', () => {
  const match = matcher('/(/');
  assert.notEqual(match.error, '');
  assert.ok(!match.test('('));
});

test('nothing typed is no search', () => {
  for (const text of ['', '  ', '/', '//']) assert.ok(matcher(text).empty || matcher(text).error === '');
  assert.ok(matcher('').empty);
});

test('the matched share counts a match inside a match once', () => {
  const profile = folded(
    'main 10',
    'main;net_rx 20',
    'main;net_rx;x;net_ip 30',
    'main;other;net_tx 15',
    'main;other 25',
  );
  const frames = buildFrames(profile, plain);
  const hits = matchFunctions(profile.functions, matcher('net_'));
  assert.deepEqual(matchShare(frames, hits), { weight: 65, frames: 3, share: 0.65 });
});

test('zoomed in, the share is that of the zoomed frame', () => {
  const profile = folded('main;a;x 30', 'main;a 10', 'main;b;x 60');
  const frames = buildFrames(profile, plain);
  const a = frames.find(['main', 'a'].map((name) => profile.idOf(name)));
  const { share, frames: found } = matchShare(frames, matchFunctions(profile.functions, matcher('x')), a);
  assert.deepEqual([share, found], [0.75, 1]);
});

test('a search that matches everything covers all, one that matches nothing covers none', () => {
  forSeeds(4, (seed) => {
    const profile = simulated(seed, 3);
    const frames = buildFrames(profile, plain);
    assert.equal(matchShare(frames, matchFunctions(profile.functions, matcher('/./'))).share, 1);
    assert.equal(matchShare(frames, matchFunctions(profile.functions, matcher('no such name'))).share, 0);
  });
});

test('matches are walked round and round, from either end when none is chosen', () => {
  assert.deepEqual(
    [-1, 0, 1, 2].map((at) => [stepMatch(at, 1, 3), stepMatch(at, -1, 3)]),
    [
      [0, 2],
      [1, 2],
      [2, 0],
      [0, 1],
    ],
  );
  assert.deepEqual([stepMatch(0, 1, 1), stepMatch(-1, -1, 1)], [0, 0]);
});
