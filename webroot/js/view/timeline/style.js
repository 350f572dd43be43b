// style.js - colours and fonts of the timeline's canvases, read from the page's style.

import { colourOf } from '../../model/colour.js';
import { isPlaceholder } from '../../model/placeholder.js';
import { awayKinds } from '../../model/picture.js';
import { dotting, hatching, ruling } from '../../part/hatching.js';
import { pixelOf } from './pixels.js';

export class TimelineStyle {
  constructor() {
    this.theme = '';
    this.coloursFor = '';
    this.colours = [];
  }

  /** Reads the style again if theme or names have changed. */
  use(theme, functions, named) {
    if (this.theme !== theme) this.#read(theme);
    this.functions = functions;
    const key = `${theme} ${named}`;
    if (key === this.coloursFor) return;
    this.coloursFor = key;
    this.colours = [];
    this.pixels = [];
  }

  #read(theme) {
    this.theme = theme;
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    this.ground = of('--panel');
    this.sunken = of('--sunken');
    this.line = of('--line');
    this.edge = of('--edge');
    this.plain = of('--ink');
    this.muted = of('--muted');
    this.accent = of('--accent');
    this.accentInk = of('--accent-ink');
    this.accentSoft = of('--accent-soft');
    this.mark = of('--mark');
    this.bad = of('--bad');
    this.badSoft = of('--bad-soft');
    this.warn = of('--warn');
    this.ok = of('--ok');
    this.hatch = of('--hatch');
    this.hatchGround = of('--hatch-ground');
    this.font = `12px ${of('--mono')}`;
    this.small = `11px ${of('--sans')}`;
    const paint = document.createElement('canvas').getContext('2d');
    paint.font = this.font;
    this.letterPx = paint.measureText('0'.repeat(50)).width / 50;
    this.fadedPixel = pixelOf(this.hatchGround);
    this.markPixel = pixelOf(this.mark);
    this.hatchPixel = pixelOf(this.hatch);
    this.placeholder = hatching(paint, this.hatchGround, this.hatch);
    const away = {
      preempted: dotting(paint, this.sunken, this.edge),
      blocked: ruling(paint, this.sunken, this.hatch),
    };
    this.away = awayKinds.map((kind) => away[kind]);
    this.awayPixels = [this.hatch, this.line].map(pixelOf); // about as dark as the patterns: less than any call
    this.unrecorded = hatching(paint, this.sunken, this.line);
    this.lost = hatching(paint, this.badSoft, this.bad, 0.4);
  }

  /** The function's colour as a pixel; for hatched placeholders, the colour of their lines. */
  pixel(fn) {
    const colour = this.colour(fn);
    return (this.pixels[fn] ??= pixelOf(typeof colour === 'string' ? colour : this.hatch));
  }

  colour(fn) {
    return (this.colours[fn] ??= isPlaceholder(this.functions[fn])
      ? this.placeholder
      : colourOf(this.functions[fn], 'function', this.theme));
  }
}

/** Sets the element's height. */
export function setHeight({ style }, px) {
  if (style.height !== `${px}px`) style.height = `${px}px`;
}
