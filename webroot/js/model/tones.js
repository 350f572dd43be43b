// tones.js - the colours of a flame graph's frames: the hue of the function, or the next one if a neighbour of another
// function has it. By file, another tone of the hue, so that a file stays recognizable. A recursive function keeps its
// colour.

import { hueBeside, placeIn, toneBeside } from './colour.js';
import { isPlaceholder } from './placeholder.js';

const unknown = -2;

/**
 * Places in the palette for `frames`: that of the caller, if it is the same function; else never the hue (by file: the tone) of the caller,
 * nor of another function that touches it on the left. They are worked out where they
 * are asked for, since few of 100,000 frames are visible, and do not depend on which. `by` is as in placeIn().
 */
export class Tones {
  #frames;
  #apart; // hueBeside or toneBeside
  #placeOf; // by function: its own palette index, -1 for none
  #tones;
  #left; // by frame whose tone is known: its left neighbour, -1 for none

  constructor(frames, functions, by) {
    this.#frames = frames;
    this.#apart = by === 'file' ? toneBeside : hueBeside;
    const places = new Map();
    this.#placeOf = (fn) => {
      if (!places.has(fn)) places.set(fn, functions[fn] && !isPlaceholder(functions[fn]) ? placeIn(functions[fn], by) : -1);
      return places.get(fn);
    };
    this.#tones = new Int8Array(frames.count).fill(unknown);
    this.#left = new Int32Array(frames.count).fill(-1);
    this.#tones[0] = -1;
  }

  /** The palette index of a frame; -1 for the root, contexts and placeholders. */
  of(node) {
    if (this.#tones[node] === unknown) this.#toneChildren(this.#frames.parent[node]);
    return this.#tones[node];
  }

  #toneChildren(parent) {
    const { start, weight, fn, childFrom, order } = this.#frames;
    const above = this.of(parent);
    let left = this.#lastBelow(this.#left[parent]);
    for (let i = childFrom[parent]; i < childFrom[parent + 1]; i++) {
      const node = order[i];
      this.#tones[node] = -1;
      if (weight[node] === 0) continue;
      const place = this.#placeOf(fn[node]);
      const touches = left >= 0 && start[left] + weight[left] >= start[node];
      const besideLeft = touches && fn[node] !== fn[left] ? this.of(left) : -1;
      if (place >= 0) this.#tones[node] = fn[node] === fn[parent] ? above : this.#apart(place, above, besideLeft);
      this.#left[node] = left;
      left = node;
    }
  }

  /** The rightmost frame below `node`, or -1. */
  #lastBelow(node) {
    if (node < 0) return -1;
    const { weight, childFrom, order } = this.#frames;
    for (let i = childFrom[node + 1] - 1; i >= childFrom[node]; i--) if (weight[order[i]] > 0) return order[i];
    return -1;
  }
}
