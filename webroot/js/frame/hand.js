// hand.js - whether somebody is moving what is on the screen just now: by a wheel, or by holding a button and pulling.

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
