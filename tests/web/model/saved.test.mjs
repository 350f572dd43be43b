// Files that the page saves: a snapshot that it can open again, and folded stacks that add up.

import assert from 'node:assert/strict';
import test from 'node:test';

import { readSnapshot } from '../../../webroot/js/model/opened.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { fileName, savedFile } from '../../../webroot/js/model/saved.js';
import { simulated } from './support.mjs';

const now = new Date('2026-11-20T12:34:56.789Z');

test('a snapshot that the page saves is one that it opens, to the tick', () => {
  const profile = simulated(4);
  profile.target = { ...profile.target, fw_version: 'motor demo/../1.0' };
  profile.incompleteBecause = ['12 records were lost.'];
  const { name, text } = savedFile(profile, 'json', now);
  assert.equal(name, 'miniprofd-motor_demo_.._1.0-20261120-123456.json');
  const named = (path) => fileName({ source: { elf: { path } }, target: { fw_version: '2.1+rc' } }, new Date('2026-11-20T12:34:56Z'));
  assert.equal(named('/build/motor.v2.elf'), 'motor.v2-2.1+rc-20261120-123456', 'as the daemon names its own');
  assert.equal(named('a b/.elf'), '_elf-2.1+rc-20261120-123456');
  const files = [{ path: 'boot.elf', functions: 20 }, { path: 'app.elf', functions: 300 }, { path: 'rom.elf', functions: 300 }];
  assert.equal(fileName({ source: { elf: { path: 'boot.elf', files } }, target: {} }, now), 'app-20261120-123456', 'after that with most functions');
  const told = JSON.parse(text);
  assert.equal(told.complete, false);
  assert.deepEqual(told.incomplete_because, ['12 records were lost.']);
  const twin = new Profile();
  twin.load(readSnapshot(name, text));
  assert.deepEqual(twin.tree.toRows(), profile.tree.toRows());
  assert.deepEqual(
    twin.functions.map((fn) => [fn.name, fn.calls, fn.total_ticks, fn.self_ticks]),
    profile.functions.map((fn) => [fn.name, fn.calls, fn.total_ticks, fn.self_ticks]),
  );
});

test('folded stacks have the self time of every chain of callers, and names that cannot be taken for two', () => {
  const profile = simulated(4);
  profile.functions[profile.tree.fn[1]].name = 'operator; new\nline';
  const { name, text } = savedFile(profile, 'collapsed', now);
  assert.match(name, /\.folded$/);
  const lines = text.trimEnd().split('\n');
  const self = Array.from(profile.tree.self.subarray(1, profile.tree.length)).filter((ticks) => ticks > 0);
  assert.equal(lines.length, self.length);
  const sum = (list) => list.reduce((all, one) => all + one, 0);
  assert.equal(sum(lines.map((line) => Number(/ (\d+)$/.exec(line)[1]))), sum(self));
  assert.ok(lines.some((line) => line.startsWith('operator: new line')));
});
