// Numbers and names as text.

import assert from 'node:assert/strict';
import test from 'node:test';

import * as format from '../../../webroot/js/model/format.js';
import { forms, labelOf, middle, shorten, tipOf, tipOfFunction } from '../../../webroot/js/model/names.js';
import { explain, figuresOf, isPlaceholder } from '../../../webroot/js/model/placeholder.js';

test('durations take the unit that keeps them readable', () => {
  const at1MHz = (ticks) => format.duration(ticks, 1000000);
  assert.deepEqual([0, 1, 12.34, 999, 1000, 123456, 59e6, 3600e6, 8e9].map(at1MHz), [
    '0 µs',
    '1 µs',
    '12.3 µs',
    '999 µs',
    '1.00 ms',
    '123 ms',
    '59.0 s',
    '60 min 0 s',
    '2 h 13 min',
  ]);
  assert.equal(format.duration(999.7, 1000000), '1.00 ms');
});

test('a time has no more digits than a tick resolves, and one more if it is no whole number of ticks', () => {
  const at = (hz) => (ticks) => format.duration(ticks, hz);
  assert.deepEqual([7, 7.09, 12, 12.06, 112, 1234, 99999].map(at(1e6)), ['7 µs', '7.1 µs', '12 µs', '12.1 µs', '112 µs', '1.23 ms', '100 ms']);
  assert.deepEqual([1, 2.5, 9990, 168, 1e9].map(at(168e6)), ['6 ns', '14.9 ns', '59.5 µs', '1.00 µs', '5.95 s']);
  assert.deepEqual([1, 33, 34, 32768, 40000].map(at(32768)), ['31 µs', '1.01 ms', '1.04 ms', '1.00 s', '1.22 s']);
  assert.deepEqual([1, 20, 1500, 20.4].map(at(1000)), ['1 ms', '20 ms', '1.50 s', '20.4 ms']);
  assert.deepEqual([1, 0.01].map(at(4e9)), ['0.3 ns', '< 0.025 ns']);
});

test('without a tick rate durations stay ticks', () => {
  assert.equal(format.duration(12345, null), '12.3 k ticks');
  assert.equal(format.duration(7, null), '7 ticks');
});

test('an unknown value is a dash and never 0', () => {
  for (const write of [
    format.count,
    format.compact,
    format.percent,
    format.bytes,
    format.hertz,
    format.seconds,
    (x) => format.duration(x, 1e6),
  ]) {
    assert.deepEqual([write(null), write(undefined), write(NaN)], ['–', '–', '–']);
  }
});

test('counts are grouped, compact ones are short', () => {
  assert.equal(format.count(1234567), '1,234,567');
  assert.deepEqual([0, 999, 9999, 12345, 999999, 1234567, 5e9].map(format.compact), [
    '0',
    '999',
    '9,999',
    '12.3 k',
    '1.00 M',
    '1.23 M',
    '5.00 G',
  ]);
});

test('a share that is not nothing never reads as 0, one that is not all never as 100', () => {
  assert.deepEqual([0, 0.00001, 0.0012, 0.1234, 0.99996, 1].map(format.percent), [
    '0 %',
    '< 0.01 %',
    '0.12 %',
    '12.3 %',
    '> 99.9 %',
    '100 %',
  ]);
});

test('clock rates and bytes', () => {
  assert.deepEqual([168000000, 1000000, 32768, 921].map(format.hertz), [
    '168 MHz',
    '1 MHz',
    '32.768 kHz',
    '921 Hz',
  ]);
  assert.deepEqual([12, 1234, 1234567].map(format.bytes), ['12 B', '1.23 kB', '1.23 MB']);
});

test('a long C++ name loses arguments, then templates, then name spaces', () => {
  assert.deepEqual(forms('fusion::Matrix<float, 9>::solve(fusion::Vector<float> const&) const'), [
    'fusion::Matrix<float, 9>::solve(fusion::Vector<float> const&) const',
    'fusion::Matrix<float, 9>::solve(…) const',
    'fusion::Matrix<float, 9>::solve',
    'fusion::Matrix<…>::solve',
    'fusion::Matrix::solve',
    'Matrix::solve',
    'solve',
  ]);
});

test('a shortened name fits any given width', () => {
  const names = [
    'main',
    'std::map<int, std::vector<char>>::find(int const&)',
    'operator<<(std::ostream&, X)',
    '[depth 1 not seen]',
    '<img src=x onerror=alert(1)>',
    'a(',
    'x>y',
    '::',
    '(anonymous namespace)::f()',
    '',
  ];
  for (const name of names) {
    for (let room = 0; room < 60; room++) assert.ok(shorten(name, room).length <= room, `${name} in ${room}`);
    assert.equal(shorten(name, 1000), name);
  }
});

test('both ends of a name of 10,000 letters are shown, and no character is split', () => {
  const long = `std::tuple<${'std::vector<int>, '.repeat(600)}char>::get_the_end`;
  assert.ok(long.length > 10000);
  for (const room of [24, 60, 240]) {
    const cut = middle(long, room);
    assert.ok(cut.length <= room && cut.startsWith('std::tuple<') && cut.endsWith('get_the_end'), cut);
  }
  assert.ok(tipOf(long).length <= 500 && tipOf(long).endsWith('get_the_end'));
  assert.equal(tipOf('main'), 'main');
  assert.equal(middle('abcdef', 5), 'ab…ef');
  assert.equal(middle('abcdef', 6), 'abcdef');
  for (let room = 2; room < 12; room++) assert.doesNotMatch(middle('😀'.repeat(8), room), /\p{Surrogate}/u, `${room}`);
  const plain = `handler_${'x'.repeat(10000)}_of_uart`;
  assert.match(shorten(plain, 40), /^handler_x+…x+_of_uart$/);
  assert.equal(shorten(plain, 10), 'hand…_uart', 'in little room both ends, too');
  assert.equal(shorten('reporter · thread', 12), 'reporter', 'the kind of a context says less than its name');
  assert.deepEqual(['adc_send_1', 'adc_send_2', 'adc_update'].map((name) => shorten(name, 8)), ['adc…nd_1', 'adc…nd_2', 'adc…date']);
  assert.equal(shorten('format_decimal_signed', 15), 'format…l_signed');
  assert.equal(shorten(plain, 7), 'handle…', 'in less the beginning says more');
  assert.equal(shorten(plain, 4), 'han…');
  for (const room of [1, 2, 3]) assert.equal(shorten(plain, room), '', 'less than that says nothing');
  assert.equal(shorten('Matrix::at', 2), 'at', 'what is short itself is there');
});

test('placeholders are recognized by their kind, not their name, and each is explained', () => {
  for (const kind of ['running', 'not_seen', 'cycle', 'below', 'other', 'outside', 'unknown']) {
    const row = { kind, number: 3, name: 'main', calls: 0, total_ticks: 0, self_ticks: 0 };
    assert.ok(isPlaceholder(row));
    assert.match(explain(row), /\.$/);
    const ticks = ['outside', 'unknown'].includes(kind) ? 0 : null; // these have times but no calls
    assert.deepEqual([figuresOf(row).calls, figuresOf(row).total_ticks], [null, ticks]);
  }
  assert.match(explain({ kind: 'not_seen', number: 3 }), /depth 3/);
  for (const row of [{ kind: 'function', name: '[depth 0 running]' }, { kind: 'pair', number: 1, name: '[boot]' }, undefined]) {
    assert.ok(!isPlaceholder(row));
    assert.equal(explain(row), '');
    assert.equal(figuresOf(row), row);
  }
});

test('a function with other names at its address shows that, and its tip has them all', () => {
  const fn = { name: 'Default_Handler', aliases: ['ADC_IRQHandler', 'WWDG_IRQHandler'] };
  assert.equal(labelOf(fn), 'Default_Handler and 2 others');
  assert.equal(labelOf({ name: 'write', aliases: ['_write'] }), 'write and 1 other');
  assert.equal(labelOf({ name: 'main' }), 'main');
  assert.equal(labelOf({ name: 'ovl_a or ovl_b', aliases: ['ovl_b'] }), 'ovl_a or ovl_b');
  assert.equal(tipOfFunction(fn), 'Default_Handler\nAlso called ADC_IRQHandler, WWDG_IRQHandler');
  assert.equal(tipOfFunction({ name: 'f()', raw_name: '_Z1fv' }), 'f()\n_Z1fv');
});
