// pointer.js - from mouse, finger and wheel on the timeline's canvases to what they mean.

const clickPx = 4; // a press that moves less than this is a click
const edgePx = 6; // so near to an edge of the overview's handle means the edge

const wheelLines = (event) => (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);

/** Calls `moved(event, first)` while the pointer is down and has moved, `ended(event, moved)` when it is let go. */
function listenToDrag(canvas, { began, moved, ended }) {
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

/**
 * on: { pan(share), scroll(px), zoom(factor, at), point(spot or null), press(spot), open(spot), pick(x0, x1, done)
 * selects a range, moveTo(fromX, toX) moves the handle of the overview; handle() its edges [x0, x1]; part(y) of the
 * head }. A spot is { where: 'lanes' | 'overview' | 'axis' | 'markers', x, y }.
 */
export function listenToTimeline(lanes, head, on) {
  const spot = (canvas, event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { where: canvas === lanes ? 'lanes' : on.part(y), x, y };
  };

  listenToDrag(lanes, {
    began: (event) => ({ start: spot(lanes, event).x, picks: event.shiftKey }),
    moved({ start, picks }, event, { dx, dy }) {
      if (picks) {
        on.pick(start, spot(lanes, event).x, false);
        return;
      }
      on.pan(-dx / lanes.clientWidth);
      on.scroll(-dy);
    },
    ended({ start, picks }, event, dragged) {
      if (!dragged) on.press(spot(lanes, event));
      else if (picks) on.pick(start, spot(lanes, event).x, true);
    },
  });

  listenToDrag(head, {
    began(event) {
      const at = spot(head, event);
      const [x0, x1] = on.handle();
      const edge = Math.abs(at.x - x0) <= edgePx ? 0 : Math.abs(at.x - x1) <= edgePx ? 1 : -1;
      return { ...at, edge, inside: at.x > x0 && at.x < x1 };
    },
    moved(from, event, { dx }) {
      const { x } = spot(head, event);
      if (from.where === 'axis') on.pick(from.x, x, false);
      else if (from.where === 'markers') on.pan(-dx / head.clientWidth);
      else {
        const [x0, x1] = on.handle();
        if (from.edge === 0) on.moveTo(Math.min(x, x1 - 3), x1);
        else if (from.edge === 1) on.moveTo(x0, Math.max(x, x0 + 3));
        else if (from.inside) on.moveTo(x0 + dx, x1 + dx);
        else on.moveTo(Math.min(from.x, x), Math.max(from.x, x));
      }
    },
    ended(from, event, dragged) {
      const at = spot(head, event);
      if (from.where === 'axis' && dragged) on.pick(from.x, at.x, true);
      else if (!dragged && from.where === 'overview' && !from.inside) {
        const [x0, x1] = on.handle();
        on.moveTo(at.x - (x1 - x0) / 2, at.x + (x1 - x0) / 2);
      } else if (!dragged) on.press(at);
    },
  });

  for (const canvas of [lanes, head]) {
    canvas.addEventListener('pointermove', (event) => {
      if (event.buttons === 0) on.point(spot(canvas, event));
    });
    canvas.addEventListener('pointerleave', () => on.point(null));
    canvas.addEventListener('dblclick', (event) => on.open(spot(canvas, event)));
    canvas.addEventListener(
      'wheel',
      (event) => {
        event.preventDefault();
        const sideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
        if (sideways) {
          on.pan(((event.deltaX || event.deltaY) * wheelLines(event)) / canvas.clientWidth);
          return;
        }
        const steps = Math.max(Math.min(event.deltaY * wheelLines(event), 120), -120);
        const at = spot(canvas, event);
        on.zoom(Math.exp(steps * 0.004), at.where === 'overview' ? 0.5 : at.x / canvas.clientWidth);
      },
      { passive: false },
    );
  }
}
