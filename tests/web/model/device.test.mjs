// Commands that the device and the recording accept, and the texts for their answers.

import assert from 'node:assert/strict';
import test from 'node:test';

import {
  answerWords,
  isRecording,
  payloadOf,
  recordingExtent,
  refusalWords,
  whyNoCommand,
  whyNot,
  whyNoRecord,
} from '../../../webroot/js/model/device.js';
import { notices } from '../../../webroot/js/model/notices.js';

const profile = (source = {}) => ({ source: { port: '/dev/ttyACM0', state: 'connected', ...source } });
const recording = { path: '/tmp/a.bin', bytes: 1234567, since: '2026-11-20T12:00:00.500Z', error: null };

test('a payload is up to 8 bytes in hex digits, however they are written', () => {
  for (const [typed, hex] of [
    ['', ''],
    ['  ', ''],
    ['0a1b', '0a1b'],
    ['0A 1b', '0a1b'],
    ['0x0a, 0X1B', '0a1b'],
    ['00:11:22:33:44:55:66:77', '0011223344556677'],
  ])
    assert.deepEqual(payloadOf(typed), { hex }, typed);
  assert.match(payloadOf('0g').error, /hex digits/);
  assert.match(payloadOf('0').error, /Two digits/);
  assert.match(payloadOf('a b').error, /Two digits/, 'each part is bytes of its own');
  assert.match(payloadOf('00112233445566778899').error, /At most 8 bytes; these are 10/);
});

test('commands need a device that accepts them', () => {
  assert.equal(whyNoCommand(profile(), true), '');
  assert.match(whyNoCommand(profile(), false), /does not answer/);
  assert.match(whyNoCommand(profile({ listen_only: true }), true), /--no-control/);
  assert.match(whyNoCommand(profile({ state: 'lost' }), true), /no device/);
  assert.match(whyNoCommand(profile({ port: 'file:run.bin', listen_only: true }), true), /recording/);
  const runs = { ...profile(), target: { profiling: true } };
  assert.match(whyNot('start', runs, true), /profiles already/);
  assert.equal(whyNot('stop', runs, true), '');
  assert.equal(whyNot('start', { ...runs, target: { profiling: null } }, true), '');
});

test('a recording needs a source that is not one already', () => {
  assert.equal(whyNoRecord(profile({ listen_only: true }), true), '');
  assert.equal(whyNoRecord(profile({ state: 'connecting' }), true), '', 'what will come is recorded');
  assert.equal(whyNoRecord(profile({ port: '-' }), true), '');
  assert.match(whyNoRecord(profile(), false), /does not answer/);
  assert.match(whyNoRecord(profile({ port: 'file:run.bin' }), true), /file/);
  assert.match(whyNoRecord(profile({ port: '-', state: 'ended' }), true), /nothing more/);
  assert.equal(whyNoRecord(profile({ port: 'file:run.bin', recording }), true), '', 'it can be ended');
});

test('the extent of a recording counts on by itself and never backwards', () => {
  const at = (seconds) => Date.parse(recording.since) + seconds * 1000;
  assert.deepEqual(recordingExtent(recording, at(65.9)), ['1:05', '1.23 MB']);
  assert.deepEqual(recordingExtent(recording, at(-3)), ['0:00', '1.23 MB']);
  assert.deepEqual(recordingExtent(recording, at(3 * 3600 + 61)), ['3:01:01', '1.23 MB']);
});

test('a recording with gaps is reported with their size, and goes on', () => {
  const gappy = profile({ recording: { ...recording, error: null, bytes_lost: 1234567 } });
  assert.ok(isRecording(gappy.source));
  const notice = notices({ loaded: true, target: {}, link: {}, ...gappy }, true).find(({ id }) => id === 'recording');
  assert.equal(notice.level, 'warn');
  assert.match(notice.text, /1\.23 MB are missing/);
});

test('a recording that broke off is reported and does not count as one', () => {
  const error = 'The recording /tmp/a.bin ends here: disk full';
  const broken = profile({ recording: { ...recording, error } });
  assert.ok(isRecording(profile({ recording }).source));
  assert.ok(!isRecording(broken.source));
  assert.ok(!isRecording(profile({ recording: null }).source));
  const list = notices({ loaded: true, target: {}, link: {}, ...broken }, true);
  const told = list.find((one) => one.id === 'recording');
  assert.equal(told.level, 'bad');
  assert.match(told.text, /disk full\.$/);
});

test("the device's answer is shown as it is: ACK, a packet, NACK, or silence", () => {
  const target = {
    profiling: true,
    buffer_usage_percent: 3,
    buffer_overflows: 1,
    records_captured: 12345,
    fw_version: 'v1.2',
    mcu_clock_hz: 48000000,
    elf_build_id: '0x12345678',
  };
  assert.equal(answerWords('reset', { target }).text, 'The device answered ACK.');
  assert.equal(
    answerWords('status', { target }).text,
    'The device answered STATUS: profiling, buffer 3 % full, 1 overflow, 12,345 records captured.',
  );
  assert.match(
    answerWords('metadata', { target }).text,
    /METADATA: firmware v1\.2, 48 MHz, build 0x12345678\.$/,
  );
  const refused = refusalWords('config', { status: 409, title: 'Conflict', message: 'The device refused.' });
  assert.equal(refused.title, 'Send a configuration: refused');
  assert.match(refused.text, /NACK/);
  const silent = refusalWords('stop', { status: 504, title: 'x', message: 'It did not answer.' });
  assert.match(silent.text, /Silence/);
  assert.equal(refusalWords('stop', { status: 503, title: 'No device', message: 'No device' }).text, '');
});
