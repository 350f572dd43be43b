// Finds the longest visible call behind rows of merged calls: with one key, as one step for Back.

import assert from 'node:assert/strict';
import test from 'node:test';

import { pursueLongest, pursueOn } from '../../../webroot/js/view/timeline/pursue.js';

const calls = 4096;
const apart = 100; // ticks from start to start

/** Returns the daemon's answer for a visible part: at most eight rows, of calls of 10 ticks and one of `most` ticks at index `longest`. */
function pictureOf({ from, to }, longest, most) {
  const took = (i) => (i === longest ? most : 10);
  const first = Math.ceil(from / apart);
  const end = Math.min(Math.ceil(to / apart), calls);
  const each = Math.max(Math.ceil((end - first) / 8), 1);
  const rows = [];
  for (let i = first; i < end; i += each) rows.push(Array.from({ length: Math.min(each, end - i) }, (_, k) => i + k));
  const last = (row) => row.at(-1) * apart + took(row.at(-1));
  return {
    covers: () => true,
    segments: new Map([['thread', { context: 'thread', first: 0, end: rows.length }]]),
    start: rows.map(([i]) => i * apart),
    end: rows.map(last),
    fn: rows.map(() => 0),
    longest: rows.map((row) => Math.max(...row.map(took))),
    item: (i) => ({ start: rows[i][0] * apart, end: last(rows[i]), calls: rows[i].length }),
  };
}

/** Makes a view with one longer call that counts the steps for Back. `isSlow`: a closer picture has to be requested first. */
function viewOf(longest, isSlow) {
  const whole = { from: 0, to: calls * apart };
  const view = { lit: { hits: null }, sight: { now: whole }, drawn: whole, pursuit: null, selected: null, steps: 0 };
  view.walking = {
    data: { overview: null, held: {} },
    sight: () => view.sight.now,
    shows: () => true,
    profile: () => ({ functions: [{ p50_ticks: 10 }] }),
    pictureAt: () => pictureOf(isSlow ? view.drawn : view.sight.now, longest, 50),
    select(item) {
      view.selected = item;
      return true;
    },
    zoomTo({ start, end }, step = true) {
      view.sight.now = { from: start, to: end };
      view.steps += Number(step);
    },
  };
  return view;
}

for (const longest of [0, 1717, calls - 1])
  for (const isSlow of [false, true])
    test(`call ${longest} of ${calls} is reached, ${isSlow ? 'answer by answer' : 'at once'}, and one step back undoes that`, () => {
      const view = viewOf(longest, isSlow);
      assert.ok(pursueLongest(view));
      for (let answers = 0; view.selected?.calls !== 1; answers++) {
        assert.ok(isSlow && answers < 10 && view.pursuit !== null, 'it goes on');
        view.drawn = view.sight.now;
        pursueOn(view);
      }
      assert.equal(view.selected.start, longest * apart);
      assert.equal(view.steps, 1);
      assert.equal(view.pursuit, null);
    });

test('a user who has moved elsewhere is not taken back', () => {
  const view = viewOf(1717, true);
  pursueLongest(view);
  const { selected } = view;
  view.drawn = view.sight.now = { from: 0, to: 1000 };
  pursueOn(view);
  assert.deepEqual([view.sight.now, view.selected, view.pursuit], [{ from: 0, to: 1000 }, selected, null]);
});

test('a key that comes before the first calls leads there once they are there', () => {
  for (const known of [true, false]) {
    const view = viewOf(1717, false);
    const { pictureAt } = view.walking;
    const whole = view.sight.now;
    if (!known) view.sight.now = null;
    view.walking.pictureAt = () => null;
    assert.ok(pursueLongest(view));
    view.sight.now = whole;
    view.walking.pictureAt = pictureAt;
    pursueOn(view);
    assert.equal(view.selected.start, 1717 * apart);
    assert.equal(view.pursuit, null);
  }
});

test('where nothing was ever held, the key does nothing', () => {
  const view = viewOf(1717, false);
  view.walking.data.held = null;
  view.walking.pictureAt = () => null;
  assert.equal(pursueLongest(view), false);
  assert.equal(view.pursuit, null);
});
