// Colours of functions.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import test from 'node:test';

import { buildFrames } from '../../../webroot/js/model/frames.js';
import { changeColour, colourOf, inkOn, luminance, palette, placeIn } from '../../../webroot/js/model/colour.js';
import { Tones } from '../../../webroot/js/model/tones.js';
import { forSeeds, plain, simulated } from './support.mjs';

const rgb = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));

function contrast(a, b) {
  const [low, high] = [luminance(rgb(a)), luminance(rgb(b))].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

test('text on every colour of both themes has a contrast of 4.5:1 or more', () => {
  for (const theme of ['light', 'dark']) {
    for (const colour of palette(theme))
      assert.ok(
        contrast(colour, inkOn[theme]) >= 4.5,
        `${theme} ${colour} ${contrast(colour, inkOn[theme])}`,
      );
  }
});

test('changes: text is readable on every step, and a stronger change stands out more from none', () => {
  for (const theme of ['light', 'dark']) {
    const colours = [-3, -2, -1, 0, 1, 2, 3].map((step) => changeColour(step, theme));
    for (const colour of colours) assert.ok(contrast(colour, inkOn[theme]) >= 4.5, `${theme} ${colour}`);
    for (const side of [-1, 1])
      for (const step of [1, 2])
        assert.ok(
          contrast(colours[3 + side * (step + 1)], colours[3]) > contrast(colours[3 + side * step], colours[3]),
          `${theme} ${side * step}`,
        );
  }
});

test('no two colours of a theme are the same', () => {
  for (const theme of ['light', 'dark']) assert.equal(new Set(palette(theme)).size, palette(theme).length);
});

test('a function keeps its colour, and many functions use the whole palette', () => {
  const of = (name) => colourOf({ name }, 'function', 'light');
  assert.equal(of('main'), of('main'));
  const used = new Set(Array.from({ length: 500 }, (_, i) => of(`uart_${i}`)));
  assert.ok(used.size >= 20);
});

test('by file, functions of one file are shades of one hue, and those of no file are grey', () => {
  const of = (name, file) => palette('light').indexOf(colourOf({ name, file }, 'file', 'light'));
  const family = new Set(Array.from({ length: 30 }, (_, i) => Math.floor(of(`f${i}`, 'src/a.c') / 3)));
  assert.equal(family.size, 1);
  const [r, g, b] = rgb(colourOf({ name: 'memcpy', file: null }, 'file', 'light'));
  assert.ok(Math.max(r, g, b) - Math.min(r, g, b) < 24);
});

/** Returns the colours of css/base.css by theme: { light, dark }, each { name: "#rrggbb" }. */
async function tokens() {
  const css = await readFile(new URL('../../../webroot/css/base.css', import.meta.url), 'utf8');
  const read = (selector) => {
    const start = css.indexOf(`${selector} {`);
    assert.ok(start >= 0, selector);
    const block = css.slice(start, css.indexOf('}', start));
    return Object.fromEntries(
      [...block.matchAll(/--([a-z0-9-]+): (#[0-9a-f]{6});/g)].map(([, name, hex]) => [name, hex]),
    );
  };
  return { light: read(':root'), dark: read(":root[data-theme='dark']") };
}

const pairs = [
  ...[
    'ground',
    'panel',
    'sunken',
    'raised',
    'accent-soft',
    'ok-soft',
    'warn-soft',
    'bad-soft',
    'pressed',
  ].map((on) => ['ink', on]),
  ...['ground', 'panel', 'sunken', 'raised', 'accent-soft', 'hatch-ground'].map((on) => ['muted', on]),
  ...['ground', 'panel', 'raised', 'accent-soft'].map((on) => ['accent', on]),
  ['accent-ink', 'accent'],
  ...['more', 'less'].flatMap((trend) => [
    ...['panel', 'sunken', 'accent-soft'].map((on) => [trend, on]),
    ...['ink', 'muted'].map((ink) => [ink, `${trend}-soft`]),
  ]),
  ...['ok', 'warn', 'bad'].flatMap((level) => [
    [level, 'panel'],
    [level, `${level}-soft`],
  ]),
  ['mark', 'ground'],
];
const shapes = [
  ['edge', 'ground'],
  ['edge', 'panel'],
  ['bar-self', 'panel'],
  ['bar-self', 'ground'],
];

test('ink and ground of the page keep 4.5:1, lines and bars that matter 3:1, in both themes', async () => {
  const { light, dark } = await tokens();
  for (const [theme, colours] of Object.entries({ light, dark })) {
    for (const [ink, ground] of pairs) {
      const found = contrast(colours[ink], colours[ground]);
      assert.ok(found >= 4.5, `${theme}: ${ink} on ${ground} is ${found.toFixed(2)}`);
    }
    for (const [line, ground] of shapes) {
      const found = contrast(colours[line], colours[ground]);
      assert.ok(found >= 3, `${theme}: ${line} on ${ground} is ${found.toFixed(2)}`);
    }
  }
});

test('each colour has a dark one', async () => {
  const { light, dark } = await tokens();
  assert.ok(Object.keys(dark).length > 20);
  assert.deepEqual(Object.keys(dark), Object.keys(light));
});

test('a function that calls itself keeps its colour at each level', () => {
  // 1 calls itself twice, the second time beside another function.
  const frames = { count: 5, parent: [-1, 0, 1, 2, 2], fn: [-1, 0, 0, 0, 1], start: [0, 0, 0, 0, 40], weight: [90, 90, 80, 40, 30], childFrom: [0, 1, 2, 4, 4, 4], order: [1, 2, 3, 4] };
  const toned = new Tones(frames, [{ name: 'parse' }, { name: 'read' }], 'function');
  const [own, first, second, other] = [1, 2, 3, 4].map((node) => toned.of(node));
  assert.deepEqual([first, second], [own, own]);
  assert.notEqual(Math.floor(other / 3), Math.floor(own / 3));
});

test('neighbours of two functions in a flame graph never have one hue, or by file one tone of that of their file', () => {
  forSeeds(8, (seed) => {
    const profile = simulated(seed, 6);
    const frames = buildFrames(profile, { ...plain, order: seed % 2 ? 'heavy' : 'name' });
    for (const by of ['function', 'file']) {
      const hueOf = (place) => Math.floor(place / 3);
      const look = by === 'file' ? (place) => place : hueOf;
      const [toned, again] = [1, 2].map(() => new Tones(frames, profile.functions, by));
      for (let node = frames.count - 1; node > 0; node--) again.of(node);
      const tones = Array.from({ length: frames.count }, (_, node) => toned.of(node));
      tones.forEach((tone, node) => assert.equal(again.of(node), tone, 'whatever is asked for first'));
      const rows = [];
      for (let node = 1; node < frames.count; node++) {
        if (tones[node] < 0 || frames.weight[node] === 0) continue;
        if (by === 'file') assert.equal(hueOf(tones[node]), hueOf(placeIn(profile.functions[frames.fn[node]], by)));
        if (frames.fn[node] === frames.fn[frames.parent[node]]) assert.equal(tones[node], tones[frames.parent[node]]);
        else assert.notEqual(look(tones[node]), look(tones[frames.parent[node]]));
        (rows[frames.depth[node]] ??= []).push(node);
      }
      for (const row of rows.filter(Boolean)) {
        row.sort((a, b) => frames.start[a] - frames.start[b]);
        for (let i = 1; i < row.length; i++)
          if (frames.start[row[i - 1]] + frames.weight[row[i - 1]] === frames.start[row[i]] && frames.fn[row[i - 1]] !== frames.fn[row[i]] && frames.fn[row[i]] !== frames.fn[frames.parent[row[i]]])
            assert.notEqual(look(tones[row[i - 1]]), look(tones[row[i]]));
      }
    }
  });
});
