// colour.js - a colour for each function (or file) that stays the same from run to run.
//
// Eight hues that the colour-blind tell apart (after Paul Tol's "light" scheme), three shades of each. Text on every one of
// them keeps a contrast of 4.5:1 or more, in both themes; a test holds them to that.

const hues = [
  [0xf0, 0x93, 0x6c], [0x86, 0xb4, 0xe2], [0xe9, 0xd8, 0x7e], [0x55, 0xc0, 0xa2],
  [0xf7, 0xae, 0xba], [0xc6, 0xd4, 0x4e], [0xa3, 0xdc, 0xf7], [0xc7, 0xb3, 0xe6],
];
const lightShades = [0, 0.16, -0.07];
const darkShades = [0.46, 0.39, 0.53];
const night = [0x17, 0x1b, 0x26];

export const inkOn = { light: '#14171b', dark: '#f5f7fa' };

/** FNV-1a: small, and spreads names that differ in one letter. */
export function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    h ^= text.charCodeAt(i);
    h = Math.imul(h, 0x01000193);
  }
  h ^= h >>> 15;
  h = Math.imul(h, 0x2c1b3c6d);
  return (h ^ (h >>> 13)) >>> 0;
}

const mix = (a, b, share) => a.map((x, i) => Math.round(x + (b[i] - x) * share));
const hex = (rgb) => `#${rgb.map((x) => x.toString(16).padStart(2, '0')).join('')}`;

export function luminance(rgb) {
  const [r, g, b] = rgb.map((x) => (x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Darkens towards the night until light text stands out well enough. */
function dim(rgb, share) {
  let dark = mix(rgb, night, share);
  while (luminance(dark) > 0.15) dark = mix(dark, night, 0.05);
  return dark;
}

function shade(hue, index, theme) {
  if (theme === 'dark') return dim(hue, darkShades[index]);
  const by = lightShades[index];
  return by >= 0 ? mix(hue, [255, 255, 255], by) : mix(hue, [0, 0, 0], -by);
}

const palettes = {};
for (const theme of ['light', 'dark']) {
  palettes[theme] = hues.flatMap((hue) => lightShades.map((_, index) => hex(shade(hue, index, theme))));
}

/** All colours of a theme, as "#rrggbb". */
export const palette = (theme) => palettes[theme];

/**
 * The colour of a function. By 'function' its name chooses hue and shade; by 'file' the file chooses the hue and the name
 * the shade, so that a module reads as one family.
 */
export function colourOf(fn, by, theme) {
  const name = fn?.name ?? '';
  const family = by === 'file' ? (fn?.file ?? '') : name;
  const hue = hash(family) % hues.length;
  const tone = (hash(name) >>> 8) % lightShades.length;
  return palettes[theme][hue * lightShades.length + tone];
}
