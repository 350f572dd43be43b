// Following the newest calls on the timeline: the visible part is drawn, however far the target gets between two answers.

import assert from 'node:assert/strict';
import test from 'node:test';

import { request } from '../../../webroot/js/model/sight.js';
import { TimelineData } from '../../../webroot/js/view/timeline/data.js';
import { layersOf } from '../../../webroot/js/view/timeline/layers.js';
import { Sight } from '../../../webroot/js/view/timeline/sight.js';
import { holdTimeouts } from './support.mjs';

/** Makes a target that is `step()` ticks further with each answer, and has a call of 10 ticks every 20 ticks. */
function target(step) {
  let newest = 1000000;
  return ({ from, to }, max) => {
    const start = [];
    for (let at = Math.max(Math.ceil(from / 20) * 20, 0); at < Math.min(to, newest) && start.length < max; at += 20) start.push(at);
    const same = (value) => start.map(() => value);
    const rows = { start, duration: same(10), function: same(0), context: same(0), depth: same(0), calls: same(1) };
    newest += step();
    return { sequence: newest, from, to, oldest: 0, newest, rows };
  };
}

for (const step of [100, 5000, 200000])
  test(`${step} ticks further with each answer, what is followed is drawn`, async () => {
    const span = 2000;
    const answer = target(() => step);
    const load = async (range, max) => answer(range === null ? { from: 0, to: 100 } : { from: Number(range.from), to: Number(range.to) }, max);
    let told = () => {};
    const data = new TimelineData(load, () => told());
    const host = { place: { at: `live-${span}`, range: '' }, live: { source: { state: 'connected' } }, whole: { functions: [], ticksPerSecond: 1000000 } };
    const sight = new Sight(host, data, () => {});
    const next = () => new Promise((resolve) => (told = resolve));
    const first = next();
    data.refresh(1, true);
    await first;
    sight.read();
    let before = 0;
    for (let frames = 0, moved = 0; moved < 5; frames++) {
      assert.ok(frames < 100, 'it goes on');
      const some = next();
      sight.keepUp();
      data.need(request(sight.wanted, 500, 1, data.held), { sight: sight.wanted, sequence: Infinity, live: true, following: true });
      await some;
      sight.keepUp();
      if (data.followed === null) continue;
      const layers = layersOf(data, sight.now, span / 500, true);
      assert.ok(layers.every(({ picture, to }) => picture !== data.overview || to <= layers.at(-1).from), 'no stand-in at the newest end');
      const most = layers.find(({ picture }) => picture !== data.overview);
      assert.ok(most !== undefined && most.to - most.from > span * 0.8, JSON.stringify(sight.now));
      if (sight.now.to > before) moved++;
      before = sight.now.to;
    }
  });

/** Follows the target that `load` answers for, with `span` ticks visible. Returns { data, sight, layers(), turn() }. */
function following(load, span) {
  const data = new TimelineData(load, () => {});
  const host = { place: { at: `live-${span}`, range: '' }, live: { source: { state: 'connected' } }, whole: { functions: [], ticksPerSecond: 1000000 } };
  const sight = new Sight(host, data, () => {});
  const layers = () => layersOf(data, sight.now, span / 500, true);
  /** Does the work of one frame and waits for its answers. */
  const turn = async (sequence) => {
    await data.refresh(sequence, true);
    if (sight.now === null) sight.read();
    sight.keepUp();
    data.need(request(sight.wanted, 500, 1, data.held), { sight: sight.wanted, sequence, live: true, following: true });
    for (let i = 0; i < 5; i++) await Promise.resolve();
    sight.keepUp();
  };
  return { data, sight, layers, turn };
}

for (const [what, dies] of [
  ['the daemon dies', () => Promise.reject(new Error('gone'))],
  ['the device dies', null],
])
  test(`when ${what} the last picture stays as it is`, async (t) => {
    holdTimeouts(t);
    let now = 0;
    t.mock.method(performance, 'now', () => now);
    let isDead = false;
    const answer = target(() => (isDead ? 0 : 1500));
    const load = async (range, max) => {
      if (isDead && dies !== null) return dies();
      return answer(range === null ? { from: 0, to: 10000000 } : { from: Number(range.from), to: Number(range.to) }, max);
    };
    const { data, sight, layers, turn } = following(load, 2000);
    for (let sequence = 1; sequence < 8; sequence++, now += 200) await turn(sequence);
    isDead = true;
    // The page still requests the last data that arrived.
    for (let i = 0; i < 3 && dies === null; i++, now += 200) await turn(8);
    const [last, drawn] = [{ ...sight.now }, layers()];
    assert.ok(drawn.length > 0 && drawn.every(({ picture }) => picture !== data.overview));
    for (let i = 0; i < 20; i++, now += 700) await turn(dies === null ? 8 : 9 + i);
    assert.deepEqual(sight.now, last);
    assert.deepEqual(layers(), drawn);
  });
