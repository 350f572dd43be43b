// Two profiles laid over each other: what changed, path by path and function by function.

import assert from 'node:assert/strict';
import test from 'node:test';

import { alignFunctions } from '../../../webroot/js/model/align.js';
import {
  changeColumns,
  changedBy,
  changeRows,
  changesCsv,
  difference,
  ratio,
} from '../../../webroot/js/model/changes.js';
import {
  changeOf,
  comparisonIngredients,
  divisorsOf,
  grewFrom,
  growComparison,
  strength,
} from '../../../webroot/js/model/compare.js';
import { Profile } from '../../../webroot/js/model/profile.js';
import { cpuMs, dice, folded, forSeeds, Program, simulated } from './support.mjs';

const plainRule = { unit: 'time', order: 'heavy', side: 'after', since: false };

const compareTrees = (aligned, base, current, rule) => growComparison(comparisonIngredients(aligned, base, current, rule), rule).frames;

function laidOver(base, current, rule = {}) {
  const aligned = alignFunctions(base, current);
  return { aligned, frames: compareTrees(aligned, base, current, { ...plainRule, ...rule }) };
}

/** Returns { "a;b": [before, after] } for every path but the root. */
function paths({ aligned, frames }, columns = ['before', 'after']) {
  const out = {};
  for (let node = 0; node < frames.count; node++)
    out[
      frames
        .path(node)
        .map((fn) => aligned.functions[fn].name)
        .join(';')
    ] = columns.map((column) => frames[column][node]);
  return out;
}

function withRate(profile, ticksPerSecond) {
  profile.target = { ...profile.target, ticks_per_second: ticksPerSecond };
  return profile;
}

const rulesOf = (rule = {}) => ({
  unit: 'time',
  measure: 'total',
  since: false,
  seconds: { before: null, after: null },
  ...rule,
});

test('paths are matched by name, independent of ids and order', () => {
  const base = folded('main 5', 'main;a 10', 'main;b 20', 'main;b;a 3');
  const current = folded('main;b;a 6', 'main;b 20', 'main;c 7', 'main 5');
  assert.deepEqual(paths(laidOver(base, current)), {
    '': [38, 38],
    main: [38, 38],
    'main;a': [10, 0],
    'main;b': [23, 26],
    'main;b;a': [3, 6],
    'main;c': [0, 7],
  });
});

test('calls are counted on each path, samples shared as the flame graph shares them', () => {
  const base = folded('main 5 1', 'main;a 10 4');
  const current = folded('main 5 2', 'main;a 30 6');
  const both = laidOver(base, current, { unit: 'calls' });
  assert.deepEqual(paths(both, ['callsBefore', 'callsAfter']), {
    '': [5, 8],
    main: [1, 2],
    'main;a': [4, 6],
  });
  assert.deepEqual(paths(both, ['ticksBefore', 'ticksAfter']).main, [15, 35]);
  base.functions[1].samples = 7;
  current.functions[1].samples = 9;
  assert.deepEqual(paths(laidOver(base, current, { unit: 'samples' }))['main;a'], [7, 9]);
});

test('the input of a comparison can be sent to another thread, with the same result there', () => {
  const [base, current] = [simulated(3, 20), simulated(4, 30)];
  const aligned = alignFunctions(base, current);
  for (const rule of [plainRule, { ...plainRule, unit: 'samples' }, { ...plainRule, order: 'name', side: 'before' }]) {
    const from = comparisonIngredients(aligned, base, current, rule);
    const sent = { ...from };
    for (const side of ['before', 'after']) sent[side] = { ...from[side], tree: from[side].tree.weights() };
    const { frames, unit } = growComparison(structuredClone(sent), rule);
    assert.equal(unit, rule.unit);
    const here = compareTrees(aligned, base, current, rule);
    for (const column of ['before', 'after', 'weight', 'start', 'callsAfter', 'ticksBefore'])
      assert.deepEqual(frames[column], here[column], column);
  }
});

test('calls are compared where nothing has taken any time', () => {
  const [base, current] = [folded('main;a 0 3'), folded('main;a 0 5')];
  const aligned = alignFunctions(base, current);
  const { frames, unit } = growComparison(comparisonIngredients(aligned, base, current, plainRule), plainRule);
  assert.equal(unit, 'calls');
  assert.deepEqual([frames.before[0], frames.after[0]], [3, 5]);
});

test('a profile against itself has changed nowhere', () => {
  forSeeds(5, (seed) => {
    const profile = simulated(seed);
    const { aligned, frames } = laidOver(profile, profile);
    assert.ok(frames.count > 50);
    for (const [before, after] of [
      [frames.before, frames.after],
      [frames.callsBefore, frames.callsAfter],
      [frames.ticksBefore, frames.ticksAfter],
    ])
      assert.deepEqual(before, after);
    const rows = changeRows(aligned, profile, profile, rulesOf({ measure: 'share' }));
    assert.ok(rows.length > 20);
    for (const row of rows) {
      assert.equal(row.own.delta, 0);
      assert.equal(row.mean.delta, 0);
      assert.equal(changedBy(row, 0), false);
      assert.equal(strength(row.own, 0), 0);
    }
  });
});

test('swapping the two sides negates every change', () => {
  forSeeds(5, (seed) => {
    const [a, b] = [simulated(seed, 30), simulated(seed + 100, 50)];
    const there = paths(laidOver(a, b));
    const back = paths(laidOver(b, a));
    assert.deepEqual(Object.keys(there).sort(), Object.keys(back).sort());
    for (const [path, [before, after]] of Object.entries(there))
      assert.deepEqual(back[path], [after, before]);
    const changes = (base, current) => {
      const rows = changeRows(alignFunctions(base, current), base, current, rulesOf());
      return Object.fromEntries(rows.map((row) => [row.entry.name, row.own.delta]));
    };
    const [forth, mirrored] = [changes(a, b), changes(b, a)];
    for (const [name, delta] of Object.entries(forth)) assert.equal(mirrored[name], delta === 0 ? 0 : -delta);
  });
});

test('at every level the changes below a frame and its own add up to its change', () => {
  forSeeds(8, (seed) => {
    for (const unit of ['time', 'calls']) {
      const [base, current] = [simulated(seed, 20), simulated(seed + 7, 60)];
      const { frames } = laidOver(base, current, { unit });
      const left = new Float64Array(frames.count);
      for (let node = 0; node < frames.count; node++) {
        left[node] += frames.after[node] - frames.before[node];
        left[node] -= frames.selfAfter[node] - frames.selfBefore[node];
        if (node > 0) left[frames.parent[node]] -= frames.after[node] - frames.before[node];
      }
      for (const rest of left) assert.ok(Math.abs(rest) < 1e-6, `${rest}`);
      const sum = (profile) => {
        let all = 0;
        for (const fn of profile.functions) all += unit === 'time' ? (fn?.self_ticks ?? 0) : (fn?.calls ?? 0);
        return all;
      };
      assert.equal(frames.before[0], sum(base));
      assert.equal(frames.after[0], sum(current));
    }
  });
});

test('since a mark only later calls count, for paths and functions', () => {
  const base = folded('main 5 1', 'main;a 10 2', 'main;b 4 1');
  const current = folded('main 9 2', 'main;a 50 6', 'main;b 4 1', 'main;c 8 1');
  const both = laidOver(base, current, { since: true });
  assert.deepEqual(paths(both), {
    '': [19, 52],
    main: [19, 52],
    'main;a': [10, 40],
    'main;b': [4, 0],
    'main;c': [0, 8],
  });
  for (const profile of [base, current])
    for (const fn of profile.functions) fn.mean_ticks = fn.total_ticks / fn.calls;
  const rows = changeRows(both.aligned, base, current, rulesOf({ since: true }));
  const a = rows.find((row) => row.entry.name === 'a');
  assert.deepEqual([a.mean.before, a.mean.after], [5, 10]);
  assert.deepEqual([a.calls.before, a.calls.after], [2, 4]);
  assert.equal(rows.find((row) => row.entry.name === 'b').own.kind, 'gone');
  assert.equal(grewFrom(both.aligned), true);
  assert.equal(grewFrom(alignFunctions(current, base)), false);
});

test('widths are those of the chosen side, so that vanished paths are visible', () => {
  const base = folded('main 5', 'main;a 10');
  const current = folded('main 5', 'main;b 40');
  const widths = (side) => paths(laidOver(base, current, { side }), ['weight']);
  assert.deepEqual(widths('after'), { '': [45], main: [45], 'main;a': [0], 'main;b': [40] });
  assert.deepEqual(widths('before'), { '': [15], main: [15], 'main;a': [10], 'main;b': [0] });
  const { frames } = laidOver(base, current, { side: 'before' });
  assert.equal(frames.start[frames.order[frames.childFrom[1] + 1]], 10);
});

test('tick rates that differ are evened out', () => {
  const base = withRate(folded('main 10 1'), 1000);
  const current = withRate(folded('main 10000 1'), 1000000);
  const { frames, aligned } = laidOver(base, current);
  assert.deepEqual([frames.before[1], frames.after[1]], [10000, 10000]);
  assert.equal(changeRows(aligned, base, current, rulesOf())[0].own.delta, 0);
});

test('shares, rates and totals only scale', () => {
  const whole = { before: 50, after: 200 };
  assert.deepEqual(divisorsOf('total', whole, {}), { before: 1, after: 1 });
  assert.deepEqual(divisorsOf('share', whole, {}), whole);
  assert.deepEqual(divisorsOf('second', whole, { before: 2, after: 4 }), { before: 2, after: 4 });
  assert.equal(5 / divisorsOf('share', { before: 5, after: 0 }, {}).after, 0);
});

function profileOf(...functions) {
  const profile = new Profile();
  profile.load({
    sequence: 1,
    functions: functions.map((fn, id) => ({ id, calls: 1, self_ticks: 1, total_ticks: 1, ...fn })),
    call_tree: { parent: [-1], function: [-1], calls: [0], total_ticks: [0], self_ticks: [0] },
  });
  return profile;
}

test('functions of one name are distinguished by file, then by their order in memory', () => {
  const base = profileOf(
    { name: 'init', file: 'b.c', address: '0x20' },
    { name: 'init', file: 'a.c', address: '0x10' },
    { name: 'isr', address: '0x90' },
    { name: 'isr', address: '0x80' },
  );
  const current = profileOf(
    { name: 'isr', address: '0x100' },
    { name: 'init', file: 'a.c', address: '0x400' },
    { name: 'init', file: 'c.c', address: '0x300' },
    { name: 'isr', address: '0x200' },
  );
  const { functions, ofBase, ofCurrent, idOf } = alignFunctions(base, current);
  assert.deepEqual(
    functions.map(({ before, after }) => [before?.address ?? '', after?.address ?? '']),
    [
      ['0x20', ''],
      ['0x10', '0x400'],
      ['0x90', '0x200'],
      ['0x80', '0x100'],
      ['', '0x300'],
    ],
  );
  assert.deepEqual([...ofBase], [0, 1, 2, 3]);
  assert.deepEqual([...ofCurrent], [3, 1, 4, 2]);
  assert.equal(new Set(functions.map((fn) => fn.label)).size, 5);
  for (const { id, label } of functions) assert.equal(idOf(label), id);
});

test('a function that moved to another file is still the same when its name is the only one', () => {
  const { functions } = alignFunctions(
    profileOf({ name: 'f', file: 'old.c' }),
    profileOf({ name: 'f', file: 'new.c' }),
  );
  assert.equal(functions.length, 1);
});

test('more functions in the current profile leave the ids as they were', () => {
  forSeeds(5, (seed) => {
    const base = simulated(seed, 10);
    const short = simulated(seed + 1, 5);
    const long = Object.assign(new Profile(), short);
    long.functions = [...short.functions, { id: short.functions.length, name: 'came later', calls: 1 }];
    const ids = (current) => alignFunctions(base, current).functions.map((fn) => fn.name);
    assert.deepEqual(ids(long).slice(0, -1), ids(short));
  });
});

test('strength: thresholds, new and gone', () => {
  const of = (before, after, least = 0.01) => strength(changeOf(before, after), least);
  assert.deepEqual(
    [of(100, 100), of(1000, 1009), of(1000, 1010), of(100, 119), of(100, 120), of(100, 200)],
    [0, 0, 1, 1, 2, 3],
  );
  assert.deepEqual(
    [of(100, 95), of(100, 80), of(100, 50), of(5, 0), of(0, 5), of(0, 0)],
    [-1, -2, -3, -3, 3, 0],
  );
  assert.deepEqual([of(100, 109, 0.1), of(100, 110, 0.1)], [0, 1]);
});

test('changes as text: points of shares, percent, factors, new and gone', () => {
  const share = { unit: 'time', measure: 'share', ticksPerSecond: 1e6 };
  assert.equal(difference(0.0123, share), '+1.2 pp');
  assert.equal(difference(-0.2, share), '−20.0 pp');
  assert.equal(difference(-2500, { ...share, measure: 'total' }), '−2.50 ms');
  assert.equal(difference(12, { unit: 'calls', measure: 'second' }), '+12/s');
  assert.equal(ratio(changeOf(4, 5)), '+25.0 %');
  assert.equal(ratio(changeOf(5, 4)), '−20.0 %');
  assert.equal(ratio(changeOf(1, 14)), '×14');
  assert.equal(ratio(changeOf(0, 14)), 'new');
  assert.equal(ratio(changeOf(14, 0)), 'gone');
  assert.equal(ratio(changeOf(0, 0)), '–');
});

test('the columns show a dash where a side has nothing, and order by the size of the change', () => {
  const base = folded('main 10 1', 'main;gone 10 1');
  const current = folded('main 60 1', 'main;fresh 40 1');
  const rows = changeRows(alignFunctions(base, current), base, current, rulesOf({ measure: 'share' }));
  const how = { unit: 'time', measure: 'share', ticksPerSecond: null, rates: false };
  const columns = changeColumns(how);
  const cells = (name) => {
    const row = rows.find(({ entry }) => entry.name === name);
    return Object.fromEntries(columns.map((column) => [column.id, column.text(row)]));
  };
  assert.deepEqual(
    ['before', 'after', 'delta', 'ratio'].map((id) => cells('gone')[id]),
    ['50.0 %', '–', '−50.0 pp', 'gone'],
  );
  assert.equal(cells('fresh').ratio, 'new');
  assert.equal(cells('main').delta, '+10.0 pp');
  const delta = columns.find(({ id }) => id === 'delta');
  assert.deepEqual(
    [...rows].sort((a, b) => delta.of(b) - delta.of(a)).map(({ entry }) => entry.name),
    ['gone', 'fresh', 'main'],
  );
});

test('CSV quotes fields where needed, and no name becomes a formula', () => {
  const base = folded('=1+1 10 1', 'a"b,c 4 2');
  const rows = changeRows(alignFunctions(base, base), base, base, rulesOf());
  const csv = changesCsv(rows, { unit: 'time', measure: 'total', rates: false });
  assert.deepEqual(csv.split('\r\n'), [
    'function,file,time_before,time_after,mean_ticks_before,mean_ticks_after,calls_before,calls_after',
    `"'=1+1",,10,10,10,10,1,1`,
    '"a""b,c",,4,4,2,2,2,2',
    '',
  ]);
});

test('the mean since a mark is exact although the mean sent is rounded', () => {
  const at = (calls, total) => {
    const profile = folded(`f ${total} ${calls}`);
    profile.functions[0].mean_ticks = Math.round((total / calls) * 1000) / 1000;
    return profile;
  };
  const [base, current] = [at(1000003, 3000011), at(1000004, 3000018)];
  const [row] = changeRows(alignFunctions(base, current), base, current, rulesOf({ since: true }));
  assert.equal(row.mean.after, 7);
});

test('a run of the made-up firmware grew from its own beginning', () => {
  const program = new Program({ seed: 3 });
  const at = () => {
    const profile = new Profile();
    profile.load(structuredClone({ sequence: 1, ...program.rows() }));
    return profile;
  };
  program.run(20);
  const base = at();
  program.run(20);
  const current = at();
  assert.equal(grewFrom(alignFunctions(base, current)), true);
  const { frames } = laidOver(base, current, { since: true });
  const whole = laidOver(base, current).frames;
  assert.equal(frames.after[0], whole.after[0] - whole.before[0]);
});

/** Makes a tree of `rows` paths. With another `seed` a tenth of the paths differ. */
function large(seed, rows) {
  const [roll, other] = [dice(1), dice(seed)];
  const functions = Array.from({ length: 2000 }, (_, id) => ({
    id,
    name: `f${id}`,
    calls: 1,
    self_ticks: 1,
  }));
  const tree = { parent: [-1], function: [-1], calls: [0], total_ticks: [0], self_ticks: [0] };
  for (let row = 1; row < rows; row++) {
    const fn = Math.floor(roll() * 2000);
    tree.parent.push(Math.max(row - 1 - Math.floor(roll() * 200), 0));
    tree.function.push(other() < 0.1 ? Math.floor(other() * 2000) : fn);
    tree.calls.push(1);
    tree.total_ticks.push(Math.floor(other() * 100));
    tree.self_ticks.push(1);
  }
  const profile = new Profile();
  profile.load({ sequence: 1, functions, call_tree: tree });
  return profile;
}

test('ten times as many paths are laid over each other in not much more than ten times the time', () => {
  /** Returns the least processor time of three tries with `rows` paths a side, in ms. */
  function least(rows) {
    const [base, current] = [large(1, rows), large(2, rows)];
    return Math.min(...Array.from({ length: 3 }, () => cpuMs(() => assert.ok(laidOver(base, current).frames.count > rows))));
  }
  const [few, many] = [least(10000), least(100000)];
  assert.ok(many < 40 * few, `${few} ms and ${many} ms; work that grows with the square takes 100 times as long`);
});
