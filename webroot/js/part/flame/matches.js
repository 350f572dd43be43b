// matches.js - the search matches in a flame graph, computed once for each graph, zoom and text.

import { placesOf } from '../../model/rank.js';
import { matchFunctions, matchShare, stepMatch } from '../../model/search.js';

export class Matches {
  #frames = null;
  #key = '';
  #text = '';
  #at = -1; // index in #places of the current match
  #places = null; // every matching frame, once the user steps through them

  constructor() {
    this.hits = null; // one byte per function; null without a search
    this.share = null; // of matchShare()
    this.list = []; // of `rank`
  }

  /**
   * Updates frames, functions, zoom and search text; `match` is the matcher of `text`, and `named` changes when
   * functions are renamed. `rank(hits)` returns the entries of the list beside the graph.
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

  /** The functions to highlight: the one pointed at, or all that match. */
  lit(fn, functions) {
    if (fn < 0) return this.hits;
    const only = new Uint8Array(functions.length);
    only[fn] = 1;
    return only;
  }
}
