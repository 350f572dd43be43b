// The state of the connection as text.

import assert from 'node:assert/strict';
import test from 'node:test';

import { emptyState, emptyStateOf } from '../../../webroot/js/model/empty.js';
import { connectionState, crcWords, headerWords, lostText } from '../../../webroot/js/model/health.js';
import { notices } from '../../../webroot/js/model/notices.js';
import { Profile } from '../../../webroot/js/model/profile.js';

function profile({ source = {}, target = {}, link = {} } = {}) {
  const one = new Profile();
  one.load({
    sequence: 1,
    source: { port: '/dev/ttyACM0', state: 'connected', elf: { path: 'fw.elf', state: 'ok' }, ...source },
    target: { profiling: true, ...target },
    link: { packets: 10, ...link },
  });
  return one;
}

test('each state of the source reads differently', () => {
  const of = (state, answers = true) => connectionState(profile({ source: { state } }), answers).title;
  const all = [of('connected'), of('connecting'), of('lost'), of('ended'), of('connected', false)];
  assert.equal(new Set(all).size, all.length);
});

test('a healthy session has no notices', () => {
  assert.deepEqual(notices(profile(), true), []);
});

test('problems of device, ELF and daemon are reported above every view', () => {
  const ids = (parts, answers = true) =>
    notices(profile(parts), answers)
      .map((line) => line.id)
      .join();
  assert.equal(ids({ source: { state: 'lost' } }), 'lost');
  assert.equal(ids({ target: { elf_match: false } }), 'elf');
  assert.equal(ids({ source: { elf: null } }), 'symbols');
  assert.equal(ids({ source: { elf: { path: 'x', state: 'no symbols' } } }), 'symbols');
  assert.equal(ids({ source: { elf: { path: 'x', state: 'unreadable' } } }), 'symbols');
  assert.equal(ids({ source: { elf: { path: 'x', state: 'reading' } } }), 'symbols');
  assert.equal(ids({ source: { detail: 'It does not answer' }, link: { records: 1 } }), 'device');
  assert.equal(ids({ source: { detail: 'It does not answer' }, link: { records: 0 } }), '');
  for (const state of ['connected', 'ended'])
    assert.equal(ids({ source: { state, looks_like: 'syst', detail: 'x' }, link: { records: 1 } }), 'dialect');
  assert.match(
    notices(profile({ source: { dialect: 'miniprof', looks_like: 'syst' } }), true)[0].text,
    /no sense as miniprof but looks like syst; .*--dialect syst\./,
  );
  const lacking = profile({});
  lacking.incompleteBecause = ['3 records of calls were lost.', '1 packet came damaged.'];
  const [said] = notices(lacking, true);
  assert.deepEqual([said.id, said.text], ['incomplete', '3 records of calls were lost. 1 packet came damaged.']);
  const off = notices(profile({ target: { clock_doubt: "It runs at 0.50 of this machine's clock." } }), true);
  assert.deepEqual([off[0].id, off[0].text], ['clock', "It runs at 0.50 of this machine's clock."]);
  assert.equal(ids({ target: { clock_doubt: null } }), '');
  const [chains] = notices(profile({ target: { tree: { doubt: 'Chains of callers are approximate.' } } }), true);
  assert.deepEqual([chains.id, chains.text], ['chains', 'Chains of callers are approximate.']);
  for (const tree of [null, { doubt: null }, {}]) assert.equal(ids({ target: { tree } }), '');
  assert.equal(ids({}, false), 'daemon');
  assert.match(
    notices(profile({ source: { state: 'lost', detail: 'ttyACM0 was unplugged' } }), true)[0].text,
    /ttyACM0 was unplugged\./,
  );
});

test('no ELF is asked for where nothing has an address to look up', () => {
  const one = profile({ source: { elf: null, dialect_provides: ['tree', 'messages'] } });
  one.functions = [{ id: 0, name: 'outer', address: null }];
  assert.deepEqual(notices(one, true), []);
  one.functions.push({ id: 1, name: '0x08000001', address: '0x08000001' });
  assert.deepEqual(notices(one, true).map(({ id }) => id), ['symbols']);
});

test('an ELF that names few of the functions is doubted, unless the device confirms its build id', () => {
  const told = (names, target = {}) => {
    const one = profile({ source: { elf: { path: 'x', state: 'loaded' } }, target });
    one.functions = names.map((name, id) => ({ id, name, address: id + 1 }));
    return notices(one, true).map(({ id }) => id);
  };
  const target = { elf_match: null };
  assert.deepEqual(told(['0x1', '0x2', '0x3', 'main'], target), ['elf']);
  assert.deepEqual(told(['0x1', '0x2', 'loop', 'main'], target), []);
  assert.deepEqual(told(['0x1'], target), [], 'too few');
  assert.deepEqual(told(['0x1', '0x2', 'main'], target), [], 'too few');
  assert.deepEqual(told(['0x1', '0x2', '0x3'], target), ['elf'], 'few, but none of them is in it');
  assert.deepEqual(told(['0x1', '0x2', '0x3', 'main'], { elf_match: true }), []);
  const two = profile({ source: { elf: { path: 'a', state: 'ok', files: [{ path: 'a' }, { path: 'b' }] } }, target: { elf_match: true } });
  two.functions = ['0x1', '0x2', '0x3', 'main'].map((name, id) => ({ id, name, address: name }));
  assert.match(notices(two, true)[0].title, /in none of these ELFs/, 'it says that of one of them, and the other may be stale');
  const none = profile({ source: { elf: { path: 'x', state: 'ok' } }, target });
  none.functions = ['0x1', '0x2', '0x3'].map((name, id) => ({ id, name, address: name }));
  assert.match(notices(none, true)[0].text, /^0 of 3 addresses that the device sends are in it\. Start/);
});

test('every empty state explains what is happening and what to do', () => {
  const states = [
    { source: { state: 'connecting' } },
    { source: { state: 'lost' } },
    { source: { state: 'ended' } },
    { target: { profiling: false } },
    { target: { profiling: false }, source: { listen_only: true } },
    { source: { dialect: 'tfm', dialect_provides: ['checkpoints', 'timeline'] } },
    {},
  ];
  const seen = new Set();
  for (const parts of states) {
    const { title, text, checks, act } = emptyState(profile(parts), true);
    assert.ok(title !== '' && text !== '' && Array.isArray(checks) && ['', 'start', 'checkpoints'].includes(act));
    seen.add(title + text);
  }
  assert.equal(seen.size, states.length);
  assert.equal(emptyState(profile({ target: { profiling: false } }), true).act, 'start');
  assert.equal(
    emptyState(profile({ target: { profiling: false }, source: { listen_only: true } }), true).act,
    '',
  );
  assert.match(emptyState(new Profile(), false).title, /miniprofd/);
});

test('an empty range is reported, with an offer to show everything', () => {
  const ranged = (more, parts = {}) => Object.assign(profile(parts), { range: { from: 100, to: 200, held_from: 100, ...more } });
  const range = (more) => emptyState(ranged(more), true);
  assert.match(range({ held_from: 300 }).title, /no longer available/);
  assert.match(range({ known: 0 }).title, /^No window/);
  assert.deepEqual([range({}).title, range({}).act], ['No call in this range', 'everything']);
  const hiding = Object.assign(ranged({}), { functions: [{ id: 0, name: 'f', calls: 2 }] });
  assert.match(emptyState(hiding, true, true).title, /^Nothing is left/, 'what is hidden is not missing');
  assert.equal(emptyStateOf('messages', ranged({}), true).title, 'No messages in this range');
});

test('what to check on the wires is shown once the port is open', () => {
  const checks = (source) =>
    emptyState(profile({ source: { state: 'connecting', ...source } }), true).checks.length;
  assert.equal(checks({ baud: null, baud_wanted: 115200 }), 0);
  assert.ok(checks({ baud: 115200, baud_wanted: 115200 }) > 0);
  assert.ok(checks({}) > 0);
});

test('the form of the packets is shown as text, whatever the target uses', () => {
  assert.match(headerWords({ header_order: '55 AA' }), /^55 AA, least significant/);
  assert.match(headerWords({ header_order: 'AA 55' }), /^AA 55, most significant/);
  assert.equal(headerWords({ header_order: null }), 'no packet yet');
  assert.match(crcWords({ crc_init: '0x0000' }), /^0x0000, /);
  assert.match(crcWords({ crc_init: '0xFFFF' }), /protocol/);
  assert.equal(crcWords({}), 'no packet yet');
});

test('after an overflow the page does not say that nothing is lost', () => {
  const text = (overflows, lost) =>
    lostText(profile({ link: { losses_of_unknown_size: overflows, records_lost: lost } }), String);
  assert.deepEqual([text(null, 0), text(0, 0), text(0, 7), text(3, 0), text(3, 7)], ['0', '0', '7', '?', '7+']);
});
