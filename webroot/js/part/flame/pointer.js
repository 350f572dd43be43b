// pointer.js - translates mouse, touch and wheel events to point, press, pan, zoom and menu.

const gapPx = 4; // a press that moves less than this is a click

function spotOf(canvas, { clientX, clientY }) {
  const { left, top } = canvas.getBoundingClientRect();
  return { x: clientX - left, y: clientY - top, window: { x: clientX, y: clientY } };
}

/**
 * on: { find(x, y): the box at a point of the canvas, or null; point(box, spot): spot is { x, y in the canvas, window:
 * { x, y } }, or null while dragging, outside or for touch; press(box, byFinger); menu(box or null, spot); pan(share of
 * the width); zoom(factor, at); scrolls(): true if the graph is higher than its window }.
 */
export function listenToPointer(canvas, on) {
  let press = null; // { x, moved }

  function find(event) {
    const { x, y } = spotOf(canvas, event);
    return on.find(x, y);
  }

  canvas.addEventListener('pointerdown', (event) => {
    if (event.button === 0) press = { x: event.clientX, moved: false };
  });
  canvas.addEventListener('pointermove', (event) => {
    if (press === null || !(event.buttons & 1)) {
      const spot = spotOf(canvas, event);
      on.point(on.find(spot.x, spot.y), event.pointerType === 'touch' ? null : spot);
      return;
    }
    const dx = event.clientX - press.x;
    if (!press.moved && Math.abs(dx) < gapPx) return;
    if (!press.moved) canvas.setPointerCapture(event.pointerId);
    press = { x: event.clientX, moved: true };
    on.point(null, null);
    on.pan(-dx / canvas.clientWidth);
  });
  canvas.addEventListener('pointerup', (event) => {
    const clicked = press !== null && !press.moved;
    press = null;
    if (clicked && event.button === 0) on.press(find(event), event.pointerType === 'touch');
  });
  canvas.addEventListener('pointercancel', () => {
    press = null;
  });
  canvas.addEventListener('pointerleave', () => on.point(null, null));

  canvas.addEventListener('contextmenu', (event) => {
    // The menu key has no position; it is for the selected frame.
    const keyed = event.button !== 2 && event.clientX === 0;
    if (on.menu(keyed ? null : find(event), { x: event.clientX, y: event.clientY })) event.preventDefault();
  });

  canvas.addEventListener(
    'wheel',
    (event) => {
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
      if (sideways && !event.ctrlKey) {
        event.preventDefault();
        on.pan(((event.deltaX || event.deltaY) * lines) / canvas.clientWidth);
      } else if (event.ctrlKey || event.metaKey || !on.scrolls()) {
        event.preventDefault();
        const steps = Math.max(Math.min(event.deltaY * lines, 120), -120);
        const left = canvas.getBoundingClientRect().left;
        on.zoom(Math.exp(steps * 0.004), (event.clientX - left) / canvas.clientWidth);
      }
    },
    { passive: false },
  );
}
