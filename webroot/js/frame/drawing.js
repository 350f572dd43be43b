// drawing.js - schedules drawing: with the next animation frame, but never so often that the page blocks.

const restShare = 3; // after drawing for t ms, new data waits 3 t, which keeps the page responsive under load
const quickMs = 12; // drawing that took less needs no rest
const handMs = 50; // interval of checks for user movement

/**
 * on: { draw(), more() (requests the next data), hand (frame/hand.js) }. While the user moves something, no data is
 * requested or drawn, so that those frames come first.
 */
export function createDrawing({ draw, more = () => {}, hand = { isMoving: () => false } }) {
  let resting = 0; // a timer
  let frame = 0;
  let urgent = false; // true: a user action waits for the frame, not just data
  let stale = false; // true: there is data that was not drawn yet

  function rested() {
    resting = hand.isMoving() ? setTimeout(rested, handMs) : 0;
    if (resting !== 0) return;
    more();
    if (stale) nextFrame();
  }

  function drawNow() {
    const began = performance.now();
    [urgent, stale] = [false, false];
    draw();
    const costMs = performance.now() - began;
    clearTimeout(resting);
    if (costMs < quickMs) rested();
    else resting = setTimeout(rested, costMs * restShare);
  }

  /** A hidden page gets no animation frames; it catches up when it becomes visible. */
  function nextFrame() {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (urgent || resting === 0) drawNow();
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
