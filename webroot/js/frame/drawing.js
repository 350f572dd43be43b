// drawing.js - when the page is drawn: with the next animation frame, and never so often that it stands still.

const restShare = 3; // after drawing for t ms, data waits 3 t before it is drawn again: the page stays quick under load
const quickMs = 12; // what takes less needs no rest

/** Calls `draw()`. */
export function createDrawing(draw) {
  let resting = 0;
  let frame = 0;
  let urgent = false; // whether someone waits for the frame, and not just data

  function rest(costMs) {
    clearTimeout(resting);
    resting = 0;
    if (costMs < quickMs) return;
    resting = setTimeout(() => {
      resting = 0;
      nextFrame();
    }, costMs * restShare);
  }

  function drawNow() {
    const began = performance.now();
    urgent = false;
    draw();
    rest(performance.now() - began);
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
    whenever: nextFrame,
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
