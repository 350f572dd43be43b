// hand.js - detects whether the user is moving something, with the wheel or by dragging.

const stillMs = 150;

/** { isMoving() } */
export function createHand() {
  let moved = -Infinity;
  const note = () => {
    moved = performance.now();
  };
  addEventListener('wheel', note, { capture: true, passive: true });
  addEventListener('pointermove', ({ buttons }) => buttons !== 0 && note(), { capture: true, passive: true });
  return { isMoving: () => performance.now() - moved < stillMs };
}
