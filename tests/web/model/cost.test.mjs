// The cost of measuring: per call, as a share of all time, and the times of functions without it.

import assert from 'node:assert/strict';
import test from 'node:test';

import { costWords, hookShare, hookTicks, hookWords, slowdownText } from '../../../webroot/js/model/cost.js';
import { explain } from '../../../webroot/js/model/placeholder.js';
import { columnsFor, functionRows, hasCorrected } from '../../../webroot/js/model/table.js';
import { figures, folded } from './support.mjs';

/** Makes a profile of main (600 ticks in one call) and leaf (400 ticks in ten), at 1000 ticks per second. */
function measured(description, mode = 'stream') {
  const profile = folded('main 600 1', 'main;leaf 400 10');
  profile.target = { ...profile.target, ticks_per_second: 1000, mode, description };
  return profile;
}

const hooks = { hook_ticks: 20, tick_hz: 1000 };

test('the hooks have a share of the time that grows with the calls, and is that of this tick', () => {
  assert.equal(hookTicks(measured(hooks)), 20);
  assert.equal(hookShare(measured(hooks)), (11 * 20) / 1000);
  assert.equal(hookTicks(measured({ hook_ticks: 2000, tick_hz: 100000 }, 'calls')), 20);
  assert.equal(hookWords(measured(hooks)), '20 ms (20 ticks)');
  assert.match(costWords(measured(hooks)), /^Measuring adds 20 ms \(20 ticks\) to a call, 22\.0 % of the time in all\./);
});

test('mode tree has hooks of its own', () => {
  const both = { ...hooks, hook_ticks_tree: 30 };
  assert.deepEqual([hookTicks(measured(both)), hookTicks(measured(both, 'tree'))], [20, 30]);
});

test('it is unknown of a target that does not report it, and of a tree that the target counts', () => {
  for (const profile of [measured(undefined), measured({ hook_ticks: null, tick_hz: 1000 }), measured(hooks, 'tree')])
    assert.deepEqual([hookTicks(profile), hookShare(profile)], [null, null]);
  assert.equal(hookWords(measured({ hook_ticks: null, tick_hz: 1000 })), '–');
});

test('the slowdown is the figure that the daemon sends, and a dash where it sends none', () => {
  const text = (slowdown) => slowdownText({ slowdown });
  assert.equal(text({ factor: 2.204, at_least: false }), '2.2 ×');
  assert.equal(text({ factor: 1.0213, at_least: false }), '1.021 ×');
  assert.equal(text({ factor: 3, at_least: true }), '≥ 3.0 ×');
  for (const none of [null, undefined, { factor: null, at_least: false, words: 'Unknown.' }]) assert.equal(text(none), '–');
});

test('corrected times replace measured ones, and are marked as corrected', () => {
  const profile = measured(hooks);
  assert.equal(hasCorrected(profile), false);
  const [main, leaf] = profile.functions;
  Object.assign(main, { corrected_self_ticks: 490, corrected_total_ticks: 790 });
  Object.assign(leaf, { corrected_self_ticks: 210, corrected_total_ticks: null });
  Object.assign(main, { corrected_error_ticks: 50, corrected_is_rough: false });
  assert.equal(hasCorrected(profile), true);
  const shown = (isCorrected) => {
    const rows = functionRows(profile, isCorrected);
    const columns = columnsFor(figures, rows, isCorrected).filter(({ id }) => /^(self|total)/.test(id));
    return [columns.map(({ id, title }) => `${id} ${title}`), ...rows.map((row) => columns.map((one) => one.text(row, 1000)))];
  };
  assert.deepEqual(shown(false), [
    ['self Self', 'selfShare Self %', 'total Total', 'totalShare Total %'],
    ['600 ms', '60.0 %', '1.00 s', '100 %'],
    ['400 ms', '40.0 %', '400 ms', '40.0 %'],
  ]);
  assert.deepEqual(shown(true), [
    ['self ≈ Self', 'selfShare Self %', 'total ≈ Total', 'totalShare Total %'],
    ['≈ 490 ms', '70.0 %', '≈ 790 ms', '100 %'],
    ['≈ 210 ms', '30.0 %', '–', '–'],
  ]);
});

test('a corrected time that is less than its correction is shown with its error', () => {
  const profile = measured(hooks);
  const [, leaf] = profile.functions;
  Object.assign(leaf, { corrected_self_ticks: 110, corrected_total_ticks: 110, corrected_error_ticks: 100, corrected_total_error_ticks: 130, corrected_is_rough: true });
  const rows = functionRows(profile, true);
  const texts = columnsFor(figures, rows, true).filter(({ id }) => ['self', 'total'].includes(id)).map((one) => one.text(rows[1], 1000));
  assert.deepEqual(texts, ['≈ 110 ms ± 100 ms', '≈ 110 ms ± 130 ms']);
  delete leaf.corrected_total_error_ticks; // an older daemon
  const total = columnsFor(figures, rows, true).find(({ id }) => id === 'total');
  assert.equal(total.text(functionRows(profile, true)[1], 1000), '≈ 110 ms');
});

test('a function that still runs is shown as running', () => {
  const { functions } = measured(hooks);
  assert.equal(explain(functions[0]), '');
  assert.match(explain({ ...functions[0], running: 1 }), /still runs/);
});
