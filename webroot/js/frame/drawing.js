// drawing.js - schedules drawing: with the next animation frame, but never so often that the page blocks.

const restShare = 3; // after drawing for t ms, new data waits 3 t, which keeps the page responsive under load
const quickMs = 12; // drawing that took less needs no rest
const handMs = 50; // interval of checks for user movement

/** The steps that draw the page, which are run in their order. */
class Steps {
  #steps;
  #next = 0;

  constructor(steps) {
    this.#steps = steps;
    this.costMs = 0; // of the steps since the first
  }

  /** True if the next step is the first. */
  get isWhole() {
    return this.#next === 0;
  }

  /** Runs the next step; `isData`, its argument, is true if only data has changed. */
  one(isData) {
    if (this.isWhole) this.costMs = 0;
    const began = performance.now();
    this.#steps[this.#next](isData);
    this.costMs += performance.now() - began;
    this.#next = (this.#next + 1) % this.#steps.length;
  }

  all() {
    this.#next = 0;
    do this.one(false);
    while (!this.isWhole);
  }
}

/**
 * on: { steps (functions that draw the page, in this order), more() (requests the next data), hand (frame/hand.js) }. For an
 * action of the user all steps are run in one frame. New data is drawn with one step a frame, so that no frame takes long;
 * while the user moves something, no data is requested or drawn.
 */
export function createDrawing({ steps, more = () => {}, hand = { isMoving: () => false } }) {
  const round = new Steps(steps);
  let resting = 0; // a timer
  let frame = 0;
  let urgent = false; // true: a user action waits for the frame, not just data
  let stale = false; // true: there is data that was not drawn yet

  function rested() {
    resting = hand.isMoving() ? setTimeout(rested, handMs) : 0;
    if (resting !== 0) return;
    if (round.isWhole) more();
    if (stale || !round.isWhole) nextFrame();
  }

  function rest() {
    clearTimeout(resting);
    if (round.costMs < quickMs) rested();
    else resting = setTimeout(rested, round.costMs * restShare);
  }

  function drawNow() {
    [urgent, stale] = [false, false];
    round.all();
    rest();
  }

  function drawData() {
    if (round.isWhole) stale = false;
    round.one(true);
    if (round.isWhole) rest();
    else rested();
  }

  /** A hidden page gets no animation frames; it catches up when it becomes visible. */
  function nextFrame() {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (urgent) drawNow();
      else if (resting === 0 && (stale || !round.isWhole)) drawData();
    });
  }

  return {
    /** Draws new data when there is time. */
    whenever() {
      stale = true;
      if (resting === 0) nextFrame();
    },
    /** Draws with the next frame, for a user action. */
    soon() {
      urgent = true;
      nextFrame();
    },
    /** Draws at once if a user action waits for it. */
    finish() {
      if (urgent) drawNow();
    },
  };
}
