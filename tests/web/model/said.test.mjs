// Checkpoints and messages: the rows of their views and the texts in them.

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  checkpointColumns,
  checkpointRows,
  columns,
  filterCheckpoints,
  logScale,
  sortCheckpoints,
} from '../../../webroot/js/model/checkpoints.js';
import { emptyStateOf } from '../../../webroot/js/model/empty.js';
import { notices } from '../../../webroot/js/model/notices.js';
import {
  filterMessages,
  messageLines,
  messageOf,
  origins,
  pieces,
  placeOfMessage,
  severities,
} from '../../../webroot/js/model/messages.js';
import { timeOf } from '../../../webroot/js/model/time.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { matcher } from '../../../webroot/js/model/search.js';
import { madeCheckpoints, madeMessages } from '../mock-said.mjs';

function profile({ checkpoints = [], messages = [], dropped = 0, source = {} } = {}) {
  const one = new Profile();
  one.load({
    sequence: 1,
    source: { state: 'connected', dialect: 'miniprof', ...source },
    target: {},
    link: {},
    checkpoints,
    messages,
    messages_dropped: dropped,
  });
  return one;
}

test('each row of the snapshot is a row, named as well as it can be', () => {
  const rows = checkpointRows(profile({ checkpoints: madeCheckpoints() }));
  assert.equal(rows.length, madeCheckpoints().length);
  assert.equal(rows[0].name, 'psa_connect');
  assert.equal(rows[0].topic, 'crypto (4)');
  assert.equal(rows[0].path, 'connect start (0) → connect end (1)');
  assert.equal(rows.find((row) => row.row.topic === 9).name, '7 → 8');
  assert.equal(rows[0].context, 'secure');
  assert.deepEqual(new Set(rows.filter((row) => row.kind === 'average').map((row) => row.path)), new Set(['averaged by the target']));
  assert.equal(rows.filter((row) => row.none).length, 1);
});

test('a pair of two topics or worlds names both; one of an older file is of one', () => {
  const made = madeCheckpoints();
  const rows = checkpointRows(profile({ checkpoints: made }));
  const across = rows.filter(({ row }) => row.to_topic === 11);
  const shown = ({ name, topic, path, context }) => [name, topic, path, context];
  assert.deepEqual(across.map(shown), [
    ['psa_call, until stored', 'crypto (4) → storage (11)', 'crypto (4): call start (2) → storage (11): 6', 'non-secure → secure'],
    ['9: 7 → storage (11): 8', '9 → storage (11)', '9: 7 → storage (11): 8', 'secure'],
  ]);
  const { to_topic: _topic, to_topic_name: _name, to_context: _context, ...older } = made[0];
  assert.deepEqual(checkpointRows(profile({ checkpoints: [older] })).map(shown), [shown(rows[0])]);
});

test('a pair that was never measured sorts last either way and has no part in the scale', () => {
  const rows = checkpointRows(profile({ checkpoints: madeCheckpoints() }));
  const mean = columns.find((column) => column.id === 'mean');
  for (const rising of [true, false]) assert.ok(sortCheckpoints(rows, mean, rising).at(-1).none);
  const { low, high, at } = logScale(rows);
  assert.equal(low, Math.min(...rows.map(({ row }) => row.min_ticks ?? row.mean_ticks ?? Infinity)));
  assert.equal(at(low), 0);
  assert.equal(at(high), 1);
  assert.ok(Math.abs(at(Math.sqrt(low * high)) - 0.5) < 0.02);
  assert.equal(logScale([]), null);
});

test('columns without a word in them are left out', () => {
  const averages = checkpointRows(profile({ checkpoints: madeCheckpoints() })).filter((row) => row.kind === 'average');
  assert.deepEqual(
    checkpointColumns(averages).map((column) => column.id),
    ['name', 'path', 'context', 'mean'],
  );
});

test('the filter of checkpoints looks at every text of the row', () => {
  const rows = checkpointRows(profile({ checkpoints: madeCheckpoints() }));
  const found = (text) => filterCheckpoints(rows, matcher(text)).length;
  assert.equal(found('/^secure$/'), rows.filter((row) => row.context === 'secure').length);
  assert.equal(found('/→ secure/'), 1);
  assert.equal(found('connect start'), 2);
  assert.equal(found('crypto'), 8);
  assert.equal(found('averaged'), 2);
});

test('messages are filtered by severity, origin and text, and keep their number', () => {
  const one = profile({ messages: madeMessages(1000, 80), dropped: 1000 });
  const all = filterMessages(one, { least: '', origin: '' }, matcher(''));
  assert.deepEqual(
    all.map((row) => row.n),
    Array.from({ length: 80 }, (_, i) => 1000 + i),
  );
  for (const least of severities) {
    const wanted = severities.slice(0, severities.indexOf(least) + 1);
    const rows = filterMessages(one, { least, origin: '' }, matcher(''));
    assert.equal(rows.length, one.messages.filter((message) => wanted.includes(message.severity)).length);
  }
  assert.equal(filterMessages(one, { least: '', origin: '3:2' }, matcher('arp')).length, 10);
  assert.equal(filterMessages(one, { least: 'error', origin: '3:2' }, matcher('arp')).length, 0);
  assert.deepEqual(
    origins(one.messages).map(({ name, count }) => [name, count]),
    [
      ['0:0', 10],
      ['7:0', 10],
      ['boot', 10],
      ['net', 40],
      ['ui', 10],
    ],
  );
});

test('a marker finds its message by its time, and by its text where several have the same', () => {
  const messages = madeMessages(0, 40);
  for (const i of [3, 4]) messages[i].ticks = 9000;
  const found = (start, text) => messageOf(messages, { start, text })?.number ?? null;
  assert.equal(found(9000, messages[4].text.slice(0, 123)), 4);
  assert.equal(found(9000, messages[3].text), 3);
  assert.equal(found(9000, 'cleaned'), 3, 'the first of that time, where no text fits');
  assert.equal(found(9001, messages[3].text), null);
});

test('the place of a message gives up the filters and the search that would leave it out, and no others', () => {
  const [message] = madeMessages(11, 1); // a warning of 3:2 about ARP
  const place = (least, origin, words) => placeOfMessage(message, { severity: least, origin }, matcher(words));
  assert.deepEqual(place('warning', '3:2', 'arp'), { view: 'messages', message: '11' });
  assert.deepEqual(place('error', '3:2', ''), { view: 'messages', message: '11', severity: '', origin: '' });
  assert.deepEqual(place('', '0:1', 'i2c'), { view: 'messages', message: '11', severity: '', origin: '', search: '' });
});

test('invisible characters in a text are replaced by signs, and none reverses the writing', () => {
  const shown = (text) => pieces(text).map(({ text: piece, sign }) => (sign ? `<${piece}>` : piece)).join('');
  assert.equal(shown('a\nb\tc'), 'a<⏎>b<⇥>c');
  assert.equal(shown('\x1b[31m\0'), '<‹ESC›>[31m<‹NUL›>');
  assert.equal(shown('x\u202ey'), 'x<‹bidi 202E›>y');
  assert.equal(shown('x\u2028\u200by'), 'x<‹2028›‹200B›>y');
  assert.equal(shown('שלום 🔥 <b>'), 'שלום 🔥 <b>');
  assert.equal(shown(''), '');
});

const time = (ticksPerSecond) => timeOf('counter', { first: null, reset: null, held: null, wall: null, ticksPerSecond });

test('messages are copied as one line each, with any content', () => {
  const rows = filterMessages(profile({ messages: madeMessages(0, 8) }), { least: '', origin: '' }, matcher(''));
  const lines = messageLines(rows, time(1000000)).split('\n');
  assert.equal(lines.length, 8);
  for (const line of lines) assert.equal(line.split('\t').length, 4);
  assert.equal(lines[1], '0.001000 s\tinfo\tnet\tlink up, 100 Mbit/s full duplex');
});

test('times of messages are to the microsecond, or ticks', () => {
  assert.equal(time(1000000).listed(1234567), '1.234567 s');
  assert.equal(time(null).listed(1234567), '1234567');
  assert.equal(time(1).listed(null), '');
});

test('an empty view names the dialects that fill it, or the data it waits for', () => {
  const state = (what, source) => emptyStateOf(what, profile({ source }), true);
  assert.match(state('checkpoints', { dialect_provides: ['tree'] }).checks.join(), /--dialect tfm/);
  assert.match(state('messages', { dialect_provides: ['tree'] }).checks.join(), /--dialect syst/);
  assert.match(state('messages', { dialect_provides: ['tree'] }).text, /miniprof/);
  assert.match(state('messages', { dialect_provides: ['messages'] }).title, /no messages yet/);
  assert.match(state('checkpoints', { dialect_provides: ['checkpoints'], state: 'ended' }).title, /recording/);
  assert.match(state('messages', { dialect_provides: ['messages'], state: 'lost' }).title, /lost/);
});

test('a target that reports no functions is not asked for an ELF', () => {
  const ids = (dialect_provides) => notices(profile({ source: { elf: null, dialect_provides } }), true).map(({ id }) => id);
  assert.deepEqual(ids(['checkpoints', 'timeline']), []);
  assert.deepEqual(ids(['tree', 'messages']), []);
  assert.deepEqual(ids(['tree', 'timeline']), ['symbols']);
});
