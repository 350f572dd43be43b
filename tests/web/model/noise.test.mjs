// The verdict of a comparison: it ignores chance, reports a uniform slowdown, and blames no function that only got more time.

import assert from 'node:assert/strict';
import test from 'node:test';

import { changeColumns } from '../../../webroot/js/model/changes.js';
import { strength } from '../../../webroot/js/model/compare.js';
import { growComparison, comparisonIngredients } from '../../../webroot/js/model/compare.js';
import { isNoise, strangersWords, verdictOf } from '../../../webroot/js/model/noise.js';
import { defaults } from '../../../webroot/js/model/place.js';
import { compareProfiles } from '../../../webroot/js/model/versus.js';
import { changeEntries } from '../../../webroot/js/view/compare/list.js';
import { dice, folded, forSeeds } from './support.mjs';

const lay = async (aligned, before, after, rule) => growComparison(comparisonIngredients(aligned, before, after, rule), rule);
const compare = (before, after, place = {}) => compareProfiles(before, after, { ...defaults, ...place }, false, lay);

/** Makes a profile of functions { name: list of durations }, each called from main, which has not returned. */
function told(functions) {
  const sum = (list) => list.reduce((all, one) => all + one, 0);
  const profile = folded('main 0 0', ...Object.entries(functions).map(([name, list]) => `main;${name} ${sum(list)} ${list.length}`));
  profile.provides = () => true;
  for (const fn of profile.functions) {
    const list = functions[fn.name]?.slice().sort((a, b) => a - b);
    if (list === undefined) continue;
    const at = (share) => list[Math.min(Math.floor(list.length * share), list.length - 1)];
    const mean = sum(list) / list.length;
    const stddev = Math.sqrt(sum(list.map((one) => (one - mean) ** 2)) / list.length);
    Object.assign(fn, { mean_ticks: mean, stddev_ticks: stddev, p50_ticks: at(0.5), p90_ticks: at(0.9), p99_ticks: at(0.99), max_ticks: list.at(-1) });
  }
  return profile;
}

const normal = (random, middle, spread) =>
  middle + spread * Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
const many = (n, of) => Array.from({ length: n }, of);
const rowOf = ({ rows }, name) => rows.find(({ entry }) => entry.name === name);

test('two samples of the same calls are noise, ones that differ by far are not', () => {
  let loud = 0;
  forSeeds(60, (seed) => {
    const random = dice(seed);
    const sample = (middle) => many(200, () => normal(random, middle, 150));
    const side = (list) => {
      const fn = told({ f: list }).functions.find(({ name }) => name === 'f');
      return { fn, calls: list.length, mean: fn.mean_ticks };
    };
    loud += isNoise(side(sample(1000)), side(sample(1000))) ? 0 : 1;
    assert.equal(isNoise(side(sample(1000)), side(sample(1100))), false);
  });
  assert.ok(loud <= 2, `${loud} of 60 were no noise`);
});

test('a handful of calls is noise, however different; one outlier does not change the verdict', () => {
  const fn = (more) => ({ calls: 100, p50_ticks: 10, p90_ticks: 10, p99_ticks: 10, max_ticks: 10, ...more });
  assert.equal(isNoise({ fn: fn(), calls: 19, mean: 10 }, { fn: fn(), calls: 500, mean: 90 }), true);
  assert.equal(isNoise({ fn: fn(), calls: 20, mean: 10 }, { fn: fn(), calls: 20, mean: 11 }), false, 'they never differ');
  const off = { fn: fn({ max_ticks: 1010, stddev_ticks: 100 }), calls: 100, mean: 20 };
  assert.equal(isNoise({ fn: fn(), calls: 100, mean: 10 }, off), true);
  assert.equal(isNoise({ fn: null, calls: 0, mean: 0 }, off), false, 'new is new');
});

test('one long call among hundreds makes no significant difference', () => {
  let loud = 0;
  forSeeds(200, (seed) => {
    const random = dice(seed);
    const side = () => {
      const list = many(300, () => (random() < 0.006 ? 50000 : 100 + Math.floor(random() * 3))); // p99 covers only the short ones
      const fn = told({ f: list }).functions.find(({ name }) => name === 'f');
      return { fn, calls: list.length, mean: fn.mean_ticks };
    };
    loud += isNoise(side(), side()) ? 0 : 1;
  });
  assert.ok(loud <= 10, `${loud} of 200 were no noise`);
});

test('the mean of calls counted on the target is derived from their total, on both sides alike', async () => {
  const counted = (by) => {
    const profile = told({ a: many(180, () => 100 * by), b: many(180, () => 50) });
    for (const fn of profile.functions) for (const key of Object.keys(fn)) if (/^(mean|stddev|p..|max)_ticks$/.test(key)) fn[key] = null;
    return profile;
  };
  assert.match(verdictOf((await compare(counted(1), counted(1.5))).rows, 0.05).text, /^The same calls take .* longer than before\. 1 function slower \(a \+50/);
  const each = told({ a: many(180, () => 150), b: many(180, () => 50) });
  for (const fn of each.functions) fn.mean_ticks *= 3; // from entry to exit, including other tasks
  assert.match(verdictOf((await compare(counted(1), each)).rows, 0.05).text, /1 function slower \(a \+50/);
});

test('a large change within noise is not counted as none', async () => {
  const spread = (middle) => many(30, (_, i) => (i % 2 === 0 ? 10 : 2 * middle - 10));
  const made = await compare(told({ a: spread(100), b: many(30, () => 50) }), told({ a: spread(120), b: many(30, () => 50) }));
  assert.equal(verdictOf(made.rows, 0.05).text, 'The same calls take as long as before. 1 as before, 1 changed within noise.');
});

test('if the time of calls is unknown, the verdict says that and not that they are too few', async () => {
  const summed = () => {
    const profile = told({ a: many(180, () => 0) });
    for (const fn of profile.functions) Object.assign(fn, { mean_ticks: null, total_ticks: null });
    return profile;
  };
  assert.match(verdictOf((await compare(summed(), summed())).rows, 0.05).text, /^The time of one call is unknown for them/);
});

test('by default a function that got faster makes no other one worse', async () => {
  const before = told({ a: many(100, () => 100), b: many(100, () => 100) });
  const after = told({ a: many(100, () => 50), b: many(100, () => 100) });
  const made = await compare(before, after);
  assert.equal(made.how.measure, 'call');
  assert.equal(strength(rowOf(made, 'a').own, 0.05), -3);
  assert.equal(strength(rowOf(made, 'b').own, 0.05), 0);
  const { text, trend } = verdictOf(made.rows, 0.05);
  assert.equal(text, 'The same calls take 25.0 % less than before. 1 function faster (a −50.0 %), 1 as before.');
  assert.equal(trend, 'less');
  assert.ok(strength(rowOf(await compare(before, after, { measure: 'share' }), 'b').own, 0.05) > 0, 'as shares it does');
});

test('the list of the largest changes names the figure of its bars', async () => {
  const made = await compare(told({ a: many(100, () => 100), b: many(1000, () => 100) }), told({ a: many(100, () => 200), b: many(1000, () => 130) }));
  const { entries } = changeEntries(made, { hits: null, least: 0.05, selectedFn: -1, width: 1000, most: 9 });
  assert.deepEqual(entries.map(({ name, part }) => [name, part]), [['b', 1], ['a', 1 / 3]]);
  assert.equal(entries[0].tip, 'b\n100 ticks → 130 ticks a call\nThe bar: 30.0 k ticks more over all calls');
});

test('long names are short in the verdict, so that all of it can be read', async () => {
  const long = 'fusion::Matrix<float,9,9>::multiply(fusion::Matrix<float,9,9>const&)';
  const made = await compare(told({ [long]: many(100, () => 100) }), told({ [long]: many(100, () => 200) }));
  assert.match(verdictOf(made.rows, 0.05).text, /1 function slower \(fusion::Matrix<…>::multiply \+100/);
});

test('a uniform slowdown shows', async () => {
  const at = (by) => told({ a: many(100, () => 100 * by), b: many(50, () => 300 * by) });
  const made = await compare(at(1), at(1.3));
  assert.deepEqual(made.rows.filter(({ mean }) => mean.kind === 'both').map(({ own }) => strength(own, 0.05)), [2, 2]);
  assert.match(verdictOf(made.rows, 0.05).text, /^The same calls take 30\.0 % longer than before\. 2 functions slower/);
  for (let node = 1; node < made.frames.count; node++)
    if (made.frames.callsAfter[node] > 0) assert.equal(strength(made.change(node), 0.05), 2);
});

test('with too few calls all is grey, and the verdict says what is missing', async () => {
  const made = await compare(told({ a: [10, 20, 30] }), told({ a: [40, 50, 60] }));
  assert.equal(strength(rowOf(made, 'a').own, 0), 0);
  assert.match(verdictOf(made.rows, 0.05).text, /^Not enough to say yet: a function has to be called 20 times/);
  const more = await compare(told({ a: [10, 20], b: many(30, () => 5) }), told({ a: [30, 40], b: many(30, () => 5) }));
  assert.equal(verdictOf(more.rows, 0.05).text, 'The same calls take as long as before. 1 as before, 1 called too rarely to say.');
});

test('percentiles and the longest call stand on both sides', async () => {
  const made = await compare(told({ a: many(100, (_, i) => i + 1) }), told({ a: many(100, (_, i) => 2 * i + 2) }));
  assert.deepEqual(rowOf(made, 'a').each, {
    p50: { before: 51, after: 102 },
    p99: { before: 100, after: 200 },
    max: { before: 100, after: 200 },
  });
});

test('without self times per call, shares are compared', async () => {
  const sampled = folded('main 5 0', 'main;a 10 0');
  sampled.provides = () => true;
  assert.equal((await compare(sampled, sampled)).how.measure, 'share');
});

test('a rare function without calls yet is not gone; a frequent one is', async () => {
  const before = told({ often: many(1000, () => 5), seldom: many(10, () => 5), soon: many(400, () => 5) });
  const after = told({ often: many(100, () => 5), seldom: [], soon: [] });
  const made = await compare(before, after);
  assert.equal(strength(rowOf(made, 'seldom').own, 0), 0);
  assert.equal(strength(rowOf(made, 'soon').own, 0), -3);
  const without = await compare(before, told({ often: many(100, () => 5) }));
  assert.equal(strength(rowOf(without, 'seldom').own, 0), -3, 'the other program has no such function');
});

test('another firmware is recognized by the share of common functions; a version of the same one gets a verdict', async () => {
  const calls = (by, ...names) => told(Object.fromEntries(names.map((name) => [name, many(100, () => 100 * by)])));
  const of = (profile, target) => Object.assign(profile, { target });
  const one = of(calls(1, 'crc', 'a', 'b', 'c', 'd', 'e'), { elf_build_id: '0x1', fw_version: 'motor 1.0' });
  const other = of(calls(0.3, 'crc', 'v', 'w', 'x', 'y', 'z'), { elf_build_id: '0x2', fw_version: 'tasks 1.0' });
  const { strangers } = await compare(one, other);
  assert.deepEqual(strangers, { before: 7, after: 7, shared: 2 });
  assert.match(strangersWords(strangers), /^This is another firmware: only 2 of its functions have the same name \(7 before, 7 after\)/);
  const later = of(calls(0.3, 'crc', 'a', 'b', 'c', 'new'), { elf_build_id: '0x3', fw_version: 'motor 1.1' });
  assert.equal((await compare(one, later)).strangers, null);
  const part = (...names) => of(calls(1, ...names), one.target);
  assert.equal((await compare(part('a', 'b', 'c'), part('x', 'y', 'z'))).strangers, null, 'parts of one build');
  assert.equal((await compare(one, of(calls(1, 'v', 'w', 'x', 'y'), {}))).strangers, null, 'unknown of which');
});

test('unknown figures of a function are a dash, never 0', async () => {
  const side = () => {
    const profile = told({ a: many(100, () => 10) });
    for (const fn of profile.functions) Object.assign(fn, { p50_ticks: null, p99_ticks: null });
    return profile;
  };
  const made = await compare(side(), side());
  const cell = (id) => changeColumns(made.how).find((column) => column.id === id).text(rowOf(made, 'a'));
  assert.deepEqual([cell('p50'), cell('p99'), cell('max')], ['–', '–', '10 ticks → 10 ticks']);
});
