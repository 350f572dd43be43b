// drawing.js - when the page is drawn: with the next animation frame, and never so often that it stands still.

const restShare = 3; // after drawing for t ms, data waits 3 t before it is drawn again: the page stays quick under load
const quickMs = 12; // what takes less needs no rest
const handMs = 50; // between two looks at the hand

/**
 * on: { draw(), more() (the next data may come), hand (frame/hand.js) }. While the hand moves what is there, no data is asked for or drawn
 * by itself: the hand's frames come first.
 */
export function createDrawing({ draw, more = () => {}, hand = { isMoving: () => false } }) {
  let resting = 0; // a timer
  let frame = 0;
  let urgent = false; // whether someone waits for the frame, and not just data
  let stale = false; // whether there is data that was not drawn yet

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

  /** A hidden page gets no animation frames; it catches up when it is seen again. */
  function nextFrame() {
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      if (urgent || resting === 0) drawNow();
    });
  }

  return {
    /** New data is there; it is drawn when there is time. */
    whenever() {
      stale = true;
      if (resting === 0) nextFrame();
    },
    /** Someone waits for it. */
    soon() {
      urgent = true;
      nextFrame();
    },
    /** What someone waits for is drawn at once. */
    finish() {
      if (urgent) drawNow();
    },
  };
}
