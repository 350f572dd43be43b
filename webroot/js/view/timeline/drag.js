// drag.js - a pointer that is pressed on a canvas, moved, and let go.

const clickPx = 4; // a press that moves less than this is a click

/**
 * `began(event)` answers what is dragged, which `moved(what, event, { dx, dy })` is told while the pointer moves, and
 * `ended(what, event, dragged)` when it is let go.
 */
export function listenToDrag(canvas, { began, moved, ended }) {
  let press = null;
  canvas.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    press = { x: event.clientX, y: event.clientY, dragging: false, what: began(event) };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (press === null || !(event.buttons & 1)) return;
    if (!press.dragging) {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < clickPx) return;
      press.dragging = true;
      canvas.setPointerCapture(event.pointerId);
    }
    moved(press.what, event, { dx: event.clientX - press.x, dy: event.clientY - press.y });
    press.x = event.clientX;
    press.y = event.clientY;
  });
  const end = (event) => {
    if (press === null) return;
    const { what, dragging } = press;
    press = null;
    ended(what, event, dragging);
  };
  canvas.addEventListener('pointerup', end);
  canvas.addEventListener('pointercancel', end);
}
