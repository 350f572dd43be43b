// pointer.js - translates mouse, touch and wheel events on the call graph to moving and zooming.

const dragPx = 5; // less is a click

/** on: { by(dx, dy) in pixels, zoom(factor, x, y) about a point of `svg` }. */
export function listenToPan(svg, on) {
  listenToWheel(svg, on);
  const state = { pointers: new Map(), dragged: false };
  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    state.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (state.pointers.size === 1) state.dragged = false;
  });
  svg.addEventListener('pointermove', (event) => move(svg, on, state, event));
  for (const name of ['pointerup', 'pointercancel'])
    svg.addEventListener(name, (event) => state.pointers.delete(event.pointerId));
  // The click after a drag must not open a box.
  const swallow = (event) => {
    if (!state.dragged) return;
    state.dragged = false;
    event.preventDefault();
    event.stopPropagation();
  };
  svg.addEventListener('click', swallow, true);
  svg.addEventListener('dragstart', (event) => event.preventDefault());
}

function listenToWheel(svg, on) {
  const turned = (event) => {
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    const lines = event.deltaMode === 1 ? 16 : 1;
    if (event.shiftKey) on.by(-(event.deltaX || event.deltaY) * lines, 0);
    else on.zoom(Math.exp((-event.deltaY * lines) / 500), event.clientX - box.left, event.clientY - box.top);
  };
  svg.addEventListener('wheel', turned, { passive: false });
}

function move(svg, on, state, event) {
  const { pointers } = state;
  const last = pointers.get(event.pointerId);
  if (last === undefined) return;
  const now = { x: event.clientX, y: event.clientY };
  if (pointers.size === 2) {
    state.dragged = true;
    pinch(svg, on, [...pointers].find(([id]) => id !== event.pointerId)[1], last, now);
  } else {
    if (!state.dragged && Math.hypot(now.x - last.x, now.y - last.y) < dragPx) return;
    if (!state.dragged) svg.setPointerCapture(event.pointerId);
    state.dragged = true;
    on.by(now.x - last.x, now.y - last.y);
  }
  pointers.set(event.pointerId, now);
}

/** One finger moves from `last` to `now` while the other one rests. */
function pinch(svg, on, other, last, now) {
  const box = svg.getBoundingClientRect();
  const wide = (at) => Math.hypot(at.x - other.x, at.y - other.y);
  if (wide(last) > 0)
    on.zoom(wide(now) / wide(last), (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
}
