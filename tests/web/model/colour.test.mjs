// Colours of functions.

import assert from 'node:assert/strict';
import test from 'node:test';

import { colourOf, inkOn, luminance, palette } from '../../../webroot/js/model/colour.js';

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
