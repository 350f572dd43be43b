// The timeline's model: pictures of calls, lanes, the visible part and requests.

import assert from 'node:assert/strict';
import test from 'node:test';

import { laneAt, lanesRowPx, layLanes, learnDepths, rowTop } from '../../../webroot/js/model/lanes.js';
import { Picture } from '../../../webroot/js/model/picture.js';
import * as sights from '../../../webroot/js/model/sight.js';
import { itemPlace, itemTip, itemWords } from '../../../webroot/js/view/timeline/items.js';
import { Program } from '../mock-program.mjs';
import { dice, forSeeds } from './support.mjs';

/** Makes a picture of lines [context, depth, start, end, function, calls]. */
function picture(...lines) {
  const column = (k, fallback) => lines.map((line) => line[k] ?? fallback);
  return new Picture({
    sequence: 1,
    from: 0,
    to: 1000,
    oldest: 0,
    newest: 1000,
    rows: {
      context: column(0),
      depth: column(1),
      start: column(2),
      duration: lines.map((line) => line[3] - line[2]),
      function: column(4, 0),
      calls: column(5, 1),
    },
    gaps: { from: [300], to: [350], records: [7] },
    markers: { ticks: [100, 400], kind: ['reset', 'message'], text: ['boot', 'hi'], count: [1, 3] },
  });
}

const calls = picture(
  [0, 0, 0, 500, 1],
  [0, 0, 600, 900, 2],
  [0, 1, 10, 20, 3],
  [0, 1, 40, 100, 4],
  [0, 1, 610, 640, 3],
  [1, 0, 45, 55, 5],
);
const names = (item) => item && [item.context, item.depth, item.start];

test('a picture finds the item at a point, with some slack, or nothing', () => {
  const at = (...place) => calls.at(...place);
  assert.equal(calls.fn[at(0, 0, 250)], 1);
  assert.equal(calls.fn[at(0, 1, 50)], 4);
  assert.equal(at(0, 1, 30), -1);
  assert.equal(calls.fn[at(0, 1, 30, 10)], 3);
  assert.equal(calls.fn[at(0, 1, 33, 10)], 4);
  assert.equal(at(0, 2, 50), -1);
  assert.equal(at(7, 0, 50), -1);
});

test('a call that the edge of a window cuts is marked as longer', () => {
  const told = picture([0, 0, 0, 500, 1], [0, 1, 10, 20, 1]);
  told.cuts = [1, 0];
  const profile = { functions: [null, { name: 'app_run', file: 'app.c', line: 7 }], ticksPerSecond: 1000, contexts: new Map() };
  const time = { moment: (ticks) => `${ticks}` };
  const item = (row, depth) => told.item(row, { context: 0, depth });
  assert.equal(itemPlace(item(0, 0), profile), 'Cut by the edge of the window: it took longer than this. app.c:7');
  assert.equal(itemTip(item(0, 0), profile, time).text, 'more than 500 ms · at 0');
  assert.match(itemWords(item(0, 0), profile, time), /^app_run, more than 500 ms, at 0/);
  assert.equal(itemPlace(item(1, 1), profile), 'app.c:7');
  assert.equal(itemTip(item(1, 1), profile, time).text, '10 ms · at 10');
  assert.equal(calls.item(0, { context: 0, depth: 0 }).isCut, false, 'an older daemon sends no cut');
});

test('following shows a few rounds of the main loop, as wide as they can be read', () => {
  const functions = [{}, { calls: 1000, total_ticks: 500000 }, { calls: 10, total_ticks: 10 }];
  const rounds = (depth) => Array.from({ length: 40 }, (_, i) => [0, depth, i * 20, i * 20 + 10, 1, i % 2 ? 1 : 3]);
  const held = { oldest: 0, newest: 1000 };
  const told = picture([0, 0, 0, 3, 2], ...rounds(1), ...rounds(2), [1, 0, 3, 4, 2]);
  assert.deepEqual(sights.typicalCalls(told, functions), { every: 1000 / 80, length: 500, last: 790 });
  assert.equal(sights.typicalCalls(picture([0, 0, 0, 500, 1]), functions), null, 'too few');
  assert.equal(sights.usualSpan({ oldest: 0, newest: 5e7 }, 1e6), 1e6);
  assert.equal(sights.usualSpan({ oldest: 0, newest: 5e7 }, 1e6, { every: 20000, length: 500 }), 80000);
  assert.equal(sights.usualSpan({ oldest: 0, newest: 5e7 }, 1e6, { every: 600, length: 500 }), 15000);
  assert.equal(sights.usualSpan({ oldest: 0, newest: 5e7 }, 1e6, { every: 6e5, length: 5e5 }), 1e6, 'a second at most');
  assert.equal(sights.usualSpan(held, null, { every: 1, length: 0 }), 8);
});

test('a finished recording opens with the newest round, which fills half of the width', () => {
  const held = { oldest: 0, newest: 5e7 };
  const { from, to } = sights.stillSight(held, { every: 20000, length: 500, last: 4e7 });
  assert.equal(to - from, 1000);
  assert.ok(from < 4e7 - 500 && to > 4e7 && to < 4e7 + 50, 'after it is nothing');
  assert.equal(sights.stillSight(held, null), null);
  assert.equal(sights.stillSight({ oldest: 0, newest: 100 }, { every: 90, length: 90, last: 100 }), null, 'all of a short one');
});

test('a call is found by its start, also where another ends there', () => {
  const touching = picture([0, 0, 10, 20, 1], [0, 0, 20, 20, 2], [0, 0, 30, 40, 3]);
  assert.equal(touching.fn[touching.starting(0, 0, 20)], 2);
  assert.equal(touching.fn[touching.starting(0, 0, 10)], 1);
  assert.equal(touching.fn[touching.starting(0, 0, 35)], 3);
  assert.equal(touching.starting(0, 0, 25), -1);
  assert.equal(touching.starting(0, 0, 5), -1);
  assert.equal(touching.starting(0, 3, 5), -1);
});

test('arrows lead to caller, longest callee and neighbours', () => {
  const main = calls.item(calls.at(0, 0, 100), { context: 0, depth: 0 });
  const callee = calls.calleeOf(main);
  assert.deepEqual(names(callee), [0, 1, 40]);
  assert.deepEqual(names(calls.callerOf(callee)), [0, 0, 0]);
  assert.deepEqual(names(calls.beside(callee, 1)), [0, 1, 610]);
  assert.deepEqual(names(calls.beside(callee, -1)), [0, 1, 10]);
  assert.equal(calls.beside(main, -1), null);
  assert.equal(calls.callerOf(main), null);
  const interrupt = calls.item(calls.at(1, 0, 50), { context: 1, depth: 0 });
  assert.equal(calls.calleeOf(interrupt), null);
});

test('the next match comes in the order of time over all lanes, both ways, each once', () => {
  const hits = Uint8Array.from([0, 0, 0, 1, 1, 1]);
  const found = [];
  for (let item = calls.nextHit(hits, 1, null, 0); item; item = calls.nextHit(hits, 1, item)) found.push(names(item));
  assert.deepEqual(found, [
    [0, 1, 10],
    [0, 1, 40],
    [1, 0, 45],
    [0, 1, 610],
  ]);
  const back = [];
  for (let item = calls.nextHit(hits, -1, null, 1000); item; item = calls.nextHit(hits, -1, item))
    back.push(names(item));
  assert.deepEqual(back, found.reverse());
});

test('every call of a run is met by walking the matches, and found where it is', () => {
  forSeeds(5, (seed) => {
    const program = new Program({ seed });
    program.run(6);
    const { timed, functions } = program;
    const all = new Picture(timed.answer(1, null, null, 100000));
    assert.equal(all.count, timed.list.length);
    const hits = new Uint8Array(functions.length).fill(1);
    let met = 0;
    for (let item = all.nextHit(hits, 1, null, 0); item; item = all.nextHit(hits, 1, item)) met++;
    assert.equal(met, all.count);
    for (const call of timed.list) {
      const i = all.at(call.context, call.depth, call.start + call.duration / 2);
      assert.equal(all.start[i], call.start);
      assert.equal(all.fn[i], call.fn);
      const caller = all.callerOf(all.item(i, call));
      if (call.depth > 1) assert.ok(caller.start <= call.start && caller.end >= call.start + call.duration);
    }
  });
});

test('rows in any order make the same picture', () => {
  const mixed = picture([0, 1, 40, 100, 4], [1, 0, 45, 55, 5], [0, 0, 0, 500, 1], [0, 1, 10, 20, 3]);
  assert.deepEqual([...mixed.fn], [1, 3, 4, 5]);
  assert.deepEqual([...mixed.segments.values()].map(({ first, end }) => [first, end]), [
    [0, 1],
    [1, 3],
    [3, 4],
  ]);
});

test('gaps and markers are found by place and in turn', () => {
  assert.equal(calls.gapAt(320).records, 7);
  assert.equal(calls.gapAt(299), null);
  assert.equal(calls.gapAt(299, 2).records, 7);
  assert.equal(calls.markerAt(105, 10).text, 'boot');
  assert.equal(calls.markerAt(120, 10), null);
  assert.equal(calls.nextMarker(100, 1).text, 'hi');
  assert.equal(calls.nextMarker(400, 1), null);
  assert.equal(calls.nextMarker(400, -1).text, 'boot');
  assert.deepEqual(calls.nextGap(299, 1), { kind: 'gap', start: 300, end: 350, records: 7, look: { start: 250, end: 400 } });
  assert.equal(calls.nextGap(300, 1), null, 'the one that begins there is where one is');
  assert.equal(calls.nextGap(1000, -1).start, 300);
  assert.equal(calls.nextGap(300, -1), null);
});

test('the nearest of several gaps is the next', () => {
  const some = new Picture({ sequence: 1, from: 0, to: 1000, oldest: 0, newest: 1000, gaps: { from: [700, 300, 500], to: [720, 310, 510], records: [1, 2, 3] } });
  assert.equal(some.nextGap(350, 1).start, 500);
  assert.equal(some.nextGap(600, -1).start, 500);
  assert.equal(some.nextGap(0, 1).start, 300);
  assert.equal(some.nextGap(Infinity, -1).start, 700);
});

test('an answer without calls, gaps or markers is an empty picture', () => {
  const nothing = new Picture({ sequence: 1, from: null, to: null, oldest: null, newest: null, rows: undefined });
  assert.equal(nothing.count, 0);
  assert.equal(nothing.at(0, 0, 5), -1);
  assert.equal(nothing.gapAt(5), null);
  assert.equal(nothing.nextMarker(0, 1), null);
});

test('a lane per context holds a row per depth, keeps its rows, and folds', () => {
  const known = learnDepths(new Map(), [calls]);
  const contexts = new Map([[1, { id: 1, name: 'tick', kind: 'isr' }]]);
  const open = layLanes(known, contexts, new Set(), 18);
  assert.deepEqual(
    open.lanes.map(({ label, rows }) => [label, rows]),
    [
      ['Context 0', 2],
      ['tick · interrupt', 1],
    ],
  );
  assert.equal(laneAt(open, rowTop(open, 0, 1, 18) + 5, 18).depth, 1);
  assert.equal(laneAt(open, rowTop(open, 1, 0, 18), 18).lane.context, 1);
  assert.equal(laneAt(open, open.lanes[0].top + 3, 18).depth, -1);
  assert.equal(laneAt(open, open.height + 1, 18), null);
  learnDepths(known, [picture([0, 1, 0, 5])]);
  const folded = layLanes(known, contexts, new Set([0]), 18);
  assert.equal(folded.lanes[0].rows, 1);
  assert.equal(folded.lanes[0].depths, 2);
  assert.equal(rowTop(folded, 0, 1, 18), -1);
  assert.ok(folded.height < open.height);
});

test('rows are as high as lanes need to fill the window, within limits', () => {
  const known = learnDepths(new Map(), [calls]);
  const layoutOf = (rowPx) => layLanes(known, new Map(), new Set(), rowPx);
  const least = layoutOf(19);
  for (const room of [0, least.height - 1, least.height, least.height + 2]) assert.equal(lanesRowPx(least, 19, room), 19);
  for (let room = least.height + 3; room < least.height + 120; room++) {
    const filled = layoutOf(lanesRowPx(least, 19, room)).height;
    assert.ok(filled <= room && filled > room - 3, `${room} ${filled}`);
  }
  assert.equal(lanesRowPx(least, 19, 2000), 64);
  assert.equal(lanesRowPx(layLanes(new Map(), new Map(), new Set(), 19), 19, 500), 64, 'no lane');
});

test('threads come first, then interrupts, then idle threads, independent of their numbers', () => {
  const known = new Map([3, 0, 2, 1].map((context) => [context, { least: 0, most: 0 }]));
  const kinds = ['idle', 'isr', 'thread', 'unknown'];
  const contexts = new Map(kinds.map((kind, id) => [id, { id, name: id === 0 ? 'IDLE' : `c${id}`, kind }]));
  assert.deepEqual(
    layLanes(known, contexts, new Set(), 18).lanes.map(({ label }) => label),
    ['c2 · thread', 'c3', 'c1 · interrupt', 'IDLE'],
  );
});

/** A thread that was blocked once, and preempted in two stretches, one of which stands for three merged ones. */
const turns = new Picture({
  sequence: 1,
  from: 0,
  to: 1000,
  oldest: 0,
  newest: 1000,
  rows: { context: [0, 0], depth: [0, 1], start: [0, 100], duration: [900, 100], function: [1, 2], calls: [1, 1] },
  away: {
    context: [0, 0, 0],
    depth: [1, 1, 2],
    start: [300, 500, 110],
    duration: [100, 50, 10],
    kind: ['blocked', 'preempted', 'preempted'],
    count: [1, 3, 1],
  },
});

test('stretches in which a context did not run are distinguished, and are no calls', () => {
  assert.equal(turns.count, 2);
  assert.equal(turns.at(0, 1, 350), -1, 'no call there');
  const blocked = turns.awayAt(0, 1, 350);
  assert.deepEqual(blocked, { kind: 'away', why: 'blocked', context: 0, depth: 1, start: 300, end: 400, calls: 1 });
  assert.equal(turns.awayAt(0, 1, 520).why, 'preempted');
  assert.equal(turns.awayAt(0, 1, 520).calls, 3);
  assert.equal(turns.awayAt(1, 1, 520), null);
  assert.equal(turns.awayStarting(0, 1, 500).why, 'preempted');
  assert.equal(turns.awayStarting(0, 1, 410), null, 'it was over by then');
  const close = picture([0, 0, 0, 5]);
  close.away = picture([0, 1, 100, 200, 0], [0, 1, 200, 300, 1]);
  assert.equal(close.awayStarting(0, 1, 200).why, 'blocked', 'not the one that ends there');
  assert.equal(turns.nextHit(Uint8Array.of(1, 0, 0), 1, null, 0), null, 'a search never meets one');
  assert.equal(picture([0, 0, 0, 5]).awayAt(0, 0, 1), null, 'a target that reports none');
  const known = learnDepths(new Map(), [turns]);
  assert.deepEqual(known.get(0), { least: 0, most: 2 }, 'they have a row below the innermost call');
});

test('arrow keys go from a call to the stretches beside and within it, and back to the call around them', () => {
  const call = turns.item(1, { context: 0, depth: 1 });
  const within = turns.awayIn(call);
  assert.equal(within.start, 110);
  assert.equal(turns.callerOf(within).fn, 2);
  const path = [call];
  for (let at = turns.beside(call, 1); at !== null; at = turns.beside(at, 1)) path.push(at);
  assert.deepEqual(
    path.map(({ start }) => start),
    [100, 300, 500],
  );
  const back = [];
  for (let at = path.at(-1); at !== null; at = turns.beside(at, -1)) back.unshift(at);
  assert.deepEqual(back, path);
});

const held = { oldest: 1000, newest: 101000 };

test('a zoom keeps the time under the pointer in place', () => {
  forSeeds(200, (seed) => {
    const roll = dice(seed);
    const sight = { from: 20000 + roll() * 1000, to: 30000 + roll() * 1000 };
    const at = roll();
    const factor = 0.5 + roll();
    const next = sights.zoomSight(sight, factor, at, held);
    const before = sight.from + (sight.to - sight.from) * at;
    const after = next.from + (next.to - next.from) * at;
    assert.ok(Math.abs(before - after) < 1e-6);
    assert.ok(Math.abs(next.to - next.from - (sight.to - sight.from) * factor) < 1e-6);
  });
});

test('after any movement some of the timeline is visible, and the size is within limits', () => {
  forSeeds(100, (seed) => {
    const roll = dice(seed);
    let sight = sights.wholeSight(held);
    for (let i = 0; i < 60; i++) {
      sight =
        roll() < 0.5
          ? sights.zoomSight(sight, 0.05 + roll() * 3, roll(), held)
          : sights.panSight(sight, roll() * 4 - 2, held);
      assert.ok(sight.to - sight.from >= 7.999 && sight.to - sight.from <= 102001);
      assert.ok(sight.from < held.newest && sight.to > held.oldest, JSON.stringify(sight));
    }
  });
});

test('a revealed call is visible, and nothing moves if it already was', () => {
  const sight = { from: 20000, to: 30000 };
  assert.equal(sights.revealing(sight, 22000, 23000, held), sight);
  for (const [start, end] of [
    [10000, 11000],
    [40000, 40500],
    [29900, 30100],
    [5000, 90000],
  ]) {
    const next = sights.revealing(sight, start, end, held);
    assert.equal(Math.round(next.to - next.from), 10000);
    assert.ok(next.from <= start && start < next.to);
    if (end - start < 10000) assert.ok(end <= next.to);
  }
});

test('the address of a sight leads back to it', () => {
  assert.deepEqual(sights.readAt(sights.writeAt('fixed', { from: 10.4, to: 99.6 }, 0)), {
    mode: 'fixed',
    span: 0,
    from: 10,
    to: 100,
  });
  assert.deepEqual(sights.readAt(sights.writeAt('live', null, 5000.2)), { mode: 'live', span: 5000 });
  assert.equal(sights.readAt('all').mode, 'all');
  assert.equal(sights.readAt('').mode, 'usual');
});

test('a request covers the sight, is in whole columns, merges to a pixel or two, and is bounded', () => {
  forSeeds(300, (seed) => {
    const roll = dice(seed);
    const size = 10 ** (1 + roll() * 9);
    const all = { oldest: Math.floor(roll() * 1e9), newest: 0 };
    all.newest = all.oldest + Math.ceil(size * (1 + roll() * 50));
    const sight = sights.settle({ from: all.oldest + roll() * size, to: all.oldest + size * (1 + roll()) }, all);
    const lanes = Math.ceil(roll() * 40);
    const asked = sights.request(sight, 1200, lanes, all);
    const [from, to] = [Number(asked.from), Number(asked.to)];
    assert.ok(from <= Math.max(sight.from, all.oldest) && to >= Math.min(sight.to, all.newest) - 1);
    assert.equal(from % asked.grain, 0);
    assert.ok(asked.max <= sights.rowsMost);
    const pixel = (sight.to - sight.from) / 1200;
    if (lanes <= 20) assert.ok(asked.grain <= Math.max(2.2 * pixel, 1), `${asked.grain} of ${pixel} a pixel`);
    // The daemon computes the same grain.
    const columns = Math.floor((Math.floor(asked.max / lanes) - 2) / 2);
    assert.equal(Math.floor((to - from) / columns) + 1, asked.grain);
  });
});

test('many lanes get coarser columns, never more rows than the daemon sends', () => {
  const sight = { from: 1000, to: 101000 };
  const asked = sights.request(sight, 2000, 900, held);
  assert.ok(asked.max <= sights.rowsMost);
  assert.ok(Number(asked.to) >= held.newest - asked.grain);
});
