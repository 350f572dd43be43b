// pointer.js - translates mouse, touch and wheel events on the timeline's canvases.

import { listenToDrag } from './drag.js';

const edgePx = 6; // distance that counts as at an edge of the handle
const handlePx = 3; // the handle is at least this wide

/**
 * on: { pan(share), scroll(px), zoom(factor, at), point(spot or null), press(spot), open(spot), ticks(x); pick(start,
 * x, done) selects a range from a time on; moveTo(fromX, toX) moves the handle of the overview; handle() returns its
 * edges [x0, x1]; mark(x) goes to the marked call of the overview there, if any; part(y) of the head }. A spot is {
 * where: 'lanes' | 'overview' | 'axis' | 'markers', x, y, window (the position in the window), isFinger }.
 */
export function listenToTimeline(lanes, head, on) {
  const spotOn = (canvas, whereOf) => (event) => {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    return { where: whereOf(y), x, y, window: { x: event.clientX, y: event.clientY }, isFinger: event.pointerType === 'touch' };
  };
  const spotInLanes = spotOn(lanes, () => 'lanes');
  const spotInHead = spotOn(head, on.part);
  listenToLanes(lanes, on, spotInLanes);
  listenToHead(head, on, spotInHead);
  listenToBoth(lanes, on, spotInLanes);
  listenToBoth(head, on, spotInHead);
}

function listenToLanes(lanes, on, spot) {
  listenToDrag(lanes, {
    began: (event) => ({ start: on.ticks(spot(event).x), picks: event.shiftKey }),
    moved({ start, picks }, event, { dx, dy }) {
      if (picks) {
        on.pick(start, spot(event).x, false);
        return;
      }
      on.pan(-dx / lanes.clientWidth);
      on.scroll(-dy);
    },
    ended({ start, picks }, event, dragged) {
      if (!dragged) on.press(spot(event));
      else if (picks) on.pick(start, spot(event).x, true);
    },
    pinched: (factor, event) => on.zoom(1 / factor, spot(event).x / lanes.clientWidth),
  });
}

/** Moves an edge of the handle, or all of it, or makes a new one. */
function pullHandle(on, from, x, dx) {
  const [x0, x1] = on.handle();
  if (from.edge === 0) on.moveTo(Math.min(x, x1 - handlePx), x1);
  else if (from.edge === 1) on.moveTo(x0, Math.max(x, x0 + handlePx));
  else if (from.inside) on.moveTo(x0 + dx, x1 + dx);
  else on.moveTo(Math.min(from.x, x), Math.max(from.x, x));
}

function listenToHead(head, on, spot) {
  listenToDrag(head, {
    began(event) {
      const at = spot(event);
      const [x0, x1] = on.handle();
      const edge = Math.abs(at.x - x0) <= edgePx ? 0 : Math.abs(at.x - x1) <= edgePx ? 1 : -1;
      return { ...at, start: on.ticks(at.x), edge, inside: at.x > x0 && at.x < x1 };
    },
    moved(from, event, { dx }) {
      const { x } = spot(event);
      if (from.where === 'axis') on.pick(from.start, x, false);
      else if (from.where === 'markers') on.pan(-dx / head.clientWidth);
      else pullHandle(on, from, x, dx);
    },
    ended(from, event, dragged) {
      const at = spot(event);
      if (from.where === 'axis' && dragged) on.pick(from.start, at.x, true);
      else if (!dragged && from.where === 'overview' && on.mark(at.x)) return;
      else if (!dragged && from.where === 'overview' && !from.inside) {
        const [x0, x1] = on.handle();
        on.moveTo(at.x - (x1 - x0) / 2, at.x + (x1 - x0) / 2);
      } else if (!dragged) on.press(at);
    },
    pinched: (factor, event) => on.zoom(1 / factor, spot(event).where === 'overview' ? 0.5 : spot(event).x / head.clientWidth),
  });
}

function listenToBoth(canvas, on, spot) {
  const turned = (event) => {
    event.preventDefault();
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
      on.pan(((event.deltaX || event.deltaY) * lines) / canvas.clientWidth);
      return;
    }
    const steps = Math.max(Math.min(event.deltaY * lines, 120), -120);
    const at = spot(event);
    on.zoom(Math.exp(steps * 0.004), at.where === 'overview' ? 0.5 : at.x / canvas.clientWidth);
  };
  canvas.addEventListener('pointermove', (event) => {
    on.point(event.buttons === 0 ? spot(event) : null);
  });
  canvas.addEventListener('pointerleave', () => on.point(null));
  canvas.addEventListener('dblclick', (event) => on.open(spot(event)));
  canvas.addEventListener('wheel', turned, { passive: false });
}
