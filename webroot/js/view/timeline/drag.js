// drag.js - handles dragging on a canvas.

const clickPx = 4; // a press that moves less than this is a click

/**
 * `began(event)` answers what is dragged, which `moved(what, event, { dx, dy })` is called with while the pointer moves, and
 * `ended(what, event, dragged)` when it is let go. Two fingers drag nothing: pinched(factor, event), where there is one, is called with how many times farther
 * apart they are, and with an event in the middle between them.
 */
export function listenToDrag(canvas, { began, moved, ended, pinched }) {
  let press = null;
  if (pinched) listenToPinch(canvas, pinched, () => (press = null));
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

/** `begins()` is called for a second finger. */
function listenToPinch(canvas, pinched, begins) {
  const fingers = new Map(); // pointer id -> { clientX, clientY }
  const where = ({ clientX, clientY }) => ({ clientX, clientY });
  canvas.addEventListener('pointerdown', (event) => {
    if (event.pointerType !== 'touch') return;
    fingers.set(event.pointerId, where(event));
    if (fingers.size > 1) begins();
  });
  canvas.addEventListener('pointermove', (event) => {
    const last = fingers.get(event.pointerId);
    if (last === undefined) return;
    fingers.set(event.pointerId, where(event));
    if (fingers.size !== 2) return;
    const other = [...fingers].find(([id]) => id !== event.pointerId)[1];
    const wide = (at) => Math.hypot(at.clientX - other.clientX, at.clientY - other.clientY);
    const middle = (a, b) => (a + b) / 2;
    if (wide(last) > 0 && wide(event) > 0)
      pinched(wide(event) / wide(last), { clientX: middle(event.clientX, other.clientX), clientY: middle(event.clientY, other.clientY) });
  });
  for (const name of ['pointerup', 'pointercancel', 'pointerleave']) canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
}
