// Figures that the daemon describes: cards of the connection panel, columns of the Functions table.

import assert from 'node:assert/strict';
import test from 'node:test';

import { figureText, noFigures } from '../../../webroot/js/model/figures.js';
import { linkCards } from '../../../webroot/js/model/link.js';
import { columnsOf } from '../../../webroot/js/model/table.js';
import { figures } from './support.mjs';

const profile = (link) => ({ link, source: {}, target: {} });
const rowOf = (cards, term) => cards.flatMap(({ rows }) => rows).find((row) => row.term === term);
const titles = (list) => columnsOf(list).map(({ title }) => title);

test('each figure of the link that has a group stands once, on its card', () => {
  const cards = linkCards(figures);
  for (const { title, help, group } of figures.link) {
    const on = cards.filter(({ rows }) => rows.some(({ term }) => term === title));
    assert.equal(on.length, group === null ? 0 : 1, title);
    if (group !== null) assert.equal(rowOf(cards, title).tip, help);
  }
  assert.deepEqual(
    cards.map(({ title }) => title),
    ['Arrived', 'Damaged on the way', 'Lost', 'Where it went', 'Device', 'Connection', 'Names'],
  );
});

test('all that came is shown with where it went', () => {
  const calls = { told: 64380, shown: 64370, running: 10, waiting: 0, unfinished: 0, refused: 0, cleared: 0 };
  const ticks = { ran: 3000, own: 3000, tree: 3000, outside: 1000, unknown: 500 };
  const told = { ...profile({}), ledger: { calls, ticks }, ticksPerSecond: 1000 };
  const of = (term) => rowOf(linkCards(figures), term).of(told);
  assert.equal(of('Calls reported'), '64,380 = 64,370 shown + 10 running');
  assert.equal(of('Time reported'), '3.00 s = 1.50 s in functions + 1.00 s in none of them + 500 ms in unknown ones');
  assert.equal(of('Bytes read'), '–');
});

test('orphan and missing exits are shown', () => {
  const cards = linkCards(figures);
  const of = (term) => rowOf(cards, term).of(profile({ orphan_exits: 1200, missing_exits: 3 }));
  assert.equal(of('Ends without a beginning'), '1,200');
  assert.equal(of('Ends not seen'), '3');
  assert.ok(rowOf(cards, 'Ends not seen').worry);
});

test('a figure unknown to the page is shown as the daemon describes it', () => {
  const link = { key: 'toys', title: 'Toys', help: 'Toys on the line', unit: 'bytes', group: 'arrived', column: null };
  const fn = { key: 'toy_ticks', title: 'Toy', help: 'Time at play', unit: 'ticks', group: null, column: 2 };
  const more = { link: [...figures.link, link], functions: [...figures.functions, fn] };
  const row = rowOf(linkCards(more), 'Toys');
  assert.deepEqual([row.tip, row.worry, row.of(profile({ toys: 1500 }))], ['Toys on the line', false, '1.50 kB']);
  const column = columnsOf(more).find(({ id }) => id === 'toy');
  assert.equal(column.tip, 'Time at play');
  assert.equal(column.text({ fn: { toy_ticks: 5 } }, 1000), '5 ms');
  assert.equal(column.of({ fn: {} }), null);
});

test('columns stand in their order, with their shares beside them', () => {
  assert.deepEqual(titles(figures), [
    ...['Function', 'Self', 'Self %', 'Total', 'Total %', 'Samples', 'Samples %', 'Calls'],
    ...['Mean', 'Min', 'p50', 'p90', 'p99', 'Max', 'Frame', 'Stack', 'Period', 'Jitter', 'Source'],
  ]);
});

test('before the first message of the daemon only figures that are not measured are shown', () => {
  assert.deepEqual(titles(noFigures), ['Function', 'Source']);
  assert.ok(rowOf(linkCards(noFigures), 'Port'));
});

test('values are shown in their unit, unknown ones as a dash', () => {
  const text = (unit, value) => figureText({ unit }, value);
  assert.equal(text('number', 12345), '12,345');
  assert.equal(text('per second', 12345), '12.3 k');
  assert.equal(text('percent', 12.345), '12.3 %');
  assert.equal(text('words', 'as it is'), 'as it is');
  assert.equal(text('a unit of next year', 7), '7');
  for (const unit of ['number', 'bytes', 'ticks', 'per second', 'bytes per second', 'percent', 'words'])
    assert.equal(text(unit, null), '–', unit);
});
