// matches.js - what of a flame graph the search matches, worked out once for each graph, zoom and text.

import { placesOf } from '../../model/rank.js';
import { matchFunctions, matchShare, stepMatch } from '../../model/search.js';

export class Matches {
  #frames = null;
  #key = '';
  #text = '';
  #at = -1; // the place gone to last
  #places = null; // every frame that matches, once they are gone through

  constructor() {
    this.hits = null; // one byte per function; null without a search
    this.share = null; // as matchShare() has it
    this.list = []; // as `rank` has given it
  }

  /**
   * Takes the frames shown with their functions, the zoom and what is searched for: `match` is the matcher of `text`, and
   * `named` changes when functions get other names. `rank(hits)` lists what the list beside the graph is of.
   */
  learn({ frames, functions, named, zoom, match, text }, rank) {
    const key = `${named}|${text}|${zoom}`;
    if (this.#frames === frames && this.#key === key) return;
    if (this.#text !== text) this.#at = -1;
    [this.#frames, this.#key, this.#text] = [frames, key, text];
    this.hits = match.empty ? null : matchFunctions(functions, match);
    this.share = this.hits === null ? null : matchShare(frames, this.hits, zoom);
    this.list = rank(this.hits);
    this.#places = null;
  }

  /** The matching frame after (+1) or before (-1) the last one, or -1. */
  next(step) {
    if (this.hits === null || this.list.length === 0) return -1;
    this.#places ??= placesOf(this.#frames, this.list);
    this.#at = stepMatch(Math.min(this.#at, this.#places.length - 1), step, this.#places.length);
    return this.#places[this.#at];
  }

  /** What the painter lights: one function that is pointed at, or all that match. */
  lit(fn, functions) {
    if (fn < 0) return this.hits;
    const only = new Uint8Array(functions.length);
    only[fn] = 1;
    return only;
  }
}
