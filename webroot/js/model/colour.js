// colour.js - a colour for each function (or file), the same in every run.
//
// Eight hues that colour-blind people can distinguish (after Paul Tol's "light" scheme), with three shades each. Text
// on each has a contrast of at least 4.5:1 in both themes, which a test checks.

const hues = [
  [0xf2, 0x9f, 0x7a],
  [0x8f, 0xb7, 0xe6],
  [0xec, 0xd8, 0x86],
  [0x68, 0xc4, 0xa9],
  [0xf4, 0xb1, 0xbf],
  [0xc7, 0xd5, 0x6d],
  [0xa6, 0xda, 0xf2],
  [0xc8, 0xb5, 0xe8],
];
const grey = [0xcf, 0xd4, 0xda]; // for functions without a known file
const lightShades = [0, 0.16, -0.07];
const darkShades = [0.125, 0.15, 0.098]; // luminance: dark enough for light text

export const inkOn = { light: '#14171b', dark: '#f5f7fa' };

/** FNV-1a: a small hash that distributes similar names well. */
function hash(text) {
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
  const [r, g, b] = rgb.map((x) =>
    x / 255 <= 0.04045 ? x / 255 / 12.92 : ((x / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** The same hue at a given luminance, but more saturated: pale tones that are only darkened look muddy. */
function dim(rgb, target) {
  const grey = luminance(rgb) ** (1 / 2.2) * 255;
  const full = rgb.map((x) => Math.min(Math.max(grey + (x - grey) * 1.35, 0), 255));
  let low = 0;
  let high = 1;
  while (high - low > 0.002) {
    const scale = (low + high) / 2;
    if (luminance(full.map((x) => x * scale)) > target) high = scale;
    else low = scale;
  }
  return full.map((x) => Math.round(x * low));
}

function shade(hue, index, theme) {
  if (theme === 'dark') return dim(hue, darkShades[index]);
  const by = lightShades[index];
  return by >= 0 ? mix(hue, [255, 255, 255], by) : mix(hue, [0, 0, 0], -by);
}

const palettes = {};
for (const theme of ['light', 'dark']) {
  palettes[theme] = [...hues, grey].flatMap((hue) =>
    lightShades.map((_, index) => hex(shade(hue, index, theme))),
  );
}

/** All colours of a theme, as "#rrggbb". */
export const palette = (theme) => palettes[theme];

/**
 * The palette index for a function. By 'function', its name chooses hue and shade; by 'file', the file chooses the hue
 * and the name the shade, so that a file's functions look related. Functions without a known file are grey.
 */
export function placeIn(fn, by) {
  const name = fn?.name ?? '';
  const family = by === 'file' ? fn?.file : name;
  const hue = family ? hash(family) % hues.length : hues.length;
  const tone = (hash(name) >>> 8) % lightShades.length;
  return hue * lightShades.length + tone;
}

/** The colour of a function, as "#rrggbb". */
export const colourOf = (fn, by, theme) => palettes[theme][placeIn(fn, by)];

/** The palette index of the next hue, in the same tone, that no neighbour has; -1 stands for no neighbour. */
export function hueBeside(place, ...beside) {
  const [tones, hueOf] = [lightShades.length, (at) => Math.floor(at / lightShades.length)];
  const taken = beside.map(hueOf);
  for (let step = 0; step < hues.length; step++) {
    const hue = (hueOf(place) + step) % hues.length;
    if (!taken.includes(hue)) return hue * tones + (place % tones);
  }
  return place; // all eight taken: never, with at most two neighbours
}

/** The palette index of another tone of the same hue that no neighbour has; -1 stands for no neighbour. */
export function toneBeside(place, ...beside) {
  const first = place - (place % lightShades.length);
  for (let step = 0; step < lightShades.length; step++) {
    const tone = first + ((place - first + step) % lightShades.length);
    if (!beside.includes(tone)) return tone;
  }
  return place; // all three taken: likewise
}

// From decrease to increase in seven steps. Blue and orange are distinct for all kinds of colour blindness. Stronger
// steps are darker (in the dark theme: brighter), so that strength shows in grey, too.
const steps = {
  light: ['#5fa3ea', '#98c4f2', '#cde2f8', '#e4e7ec', '#fbdcb8', '#f6b36f', '#ea8a2f'],
  dark: ['#2468b8', '#214f86', '#223c5c', '#2c333d', '#4f3a20', '#75481a', '#9d5b0e'],
};

/** The colour of a change of -3 (half or less, gone) to +3 (double or more, new). */
export const changeColour = (step, theme) => steps[theme][step + 3];
