// pan.js - moves and zooms a drawing in its window: wheel, drag, two fingers, and by order.

const least = 0.25;
const most = 3;
const dragPx = 5; // less is a click

/**
 * `layer` is the group that is moved inside `svg`. Answers { fit(box, middle), reveal(box), zoom(factor),
 * moved() }; boxes are { x, y, width, height } in units of the drawing.
 */
export function createPan(svg, layer) {
  let scale = 1;
  let x = 0;
  let y = 0;
  let touched = false; // whether the reader has moved it since it was fitted
  const pointers = new Map();
  let dragged = false;

  const size = () => ({ width: svg.clientWidth, height: svg.clientHeight });

  function apply() {
    layer.setAttribute('transform', `translate(${x.toFixed(2)} ${y.toFixed(2)}) scale(${scale.toFixed(4)})`);
  }

  function zoomAt(factor, atX, atY) {
    const next = Math.min(Math.max(scale * factor, least), most);
    x = atX - ((atX - x) * next) / scale;
    y = atY - ((atY - y) * next) / scale;
    scale = next;
    touched = true;
    apply();
  }

  svg.addEventListener(
    'wheel',
    (event) => {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const lines = event.deltaMode === 1 ? 16 : 1;
      if (event.shiftKey) {
        x -= (event.deltaX || event.deltaY) * lines;
        touched = true;
        apply();
      } else {
        zoomAt(Math.exp((-event.deltaY * lines) / 500), event.clientX - box.left, event.clientY - box.top);
      }
    },
    { passive: false },
  );

  svg.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    if (pointers.size === 1) dragged = false;
  });

  svg.addEventListener('pointermove', (event) => {
    const last = pointers.get(event.pointerId);
    if (last === undefined) return;
    const now = { x: event.clientX, y: event.clientY };
    if (pointers.size === 2) {
      const [other] = [...pointers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
      const box = svg.getBoundingClientRect();
      const wide = (at) => Math.hypot(at.x - other.x, at.y - other.y);
      dragged = true;
      if (wide(last) > 0)
        zoomAt(wide(now) / wide(last), (now.x + other.x) / 2 - box.left, (now.y + other.y) / 2 - box.top);
    } else {
      if (!dragged && Math.hypot(now.x - last.x, now.y - last.y) < dragPx) return;
      if (!dragged) svg.setPointerCapture(event.pointerId);
      dragged = true;
      touched = true;
      x += now.x - last.x;
      y += now.y - last.y;
      apply();
    }
    pointers.set(event.pointerId, now);
  });

  for (const name of ['pointerup', 'pointercancel'])
    svg.addEventListener(name, (event) => pointers.delete(event.pointerId));
  // What was a drag is no click on the box below it.
  svg.addEventListener(
    'click',
    (event) => {
      if (!dragged) return;
      dragged = false;
      event.preventDefault();
      event.stopPropagation();
    },
    true,
  );
  svg.addEventListener('dragstart', (event) => event.preventDefault());

  return {
    /** Shows all of `box` where it fits at a readable size, else `middle` in the middle. */
    fit(box, middle, readable = 0.8) {
      const { width, height } = size();
      const margin = 24;
      const wanted = Math.min((width - 2 * margin) / box.width, (height - 2 * margin) / box.height, 1);
      scale = Math.max(wanted, readable);
      const fits = (length, room) => length * scale <= room;
      const centre = (from, length, room, own, ownLength) => {
        if (fits(length, room)) return room / 2 - (from + length / 2) * scale;
        const middled = room / 2 - (own + ownLength / 2) * scale;
        return Math.min(Math.max(middled, room - margin - (from + length) * scale), margin - from * scale);
      };
      x = centre(box.x, box.width, width, middle.x, middle.width);
      y = centre(box.y, box.height, height, middle.y, middle.height);
      touched = false;
      apply();
    },
    /** Moves no more than is needed to have the box in sight. */
    reveal(box) {
      const { width, height } = size();
      const margin = 12;
      const left = x + box.x * scale;
      const top = y + box.y * scale;
      const over = (from, length, room) =>
        from < margin ? margin - from : Math.min(room - margin - (from + length), 0);
      const byX = over(left, box.width * scale, width);
      const byY = over(top, box.height * scale, height);
      if (byX === 0 && byY === 0) return;
      x += byX;
      y += byY;
      touched = true;
      apply();
    },
    zoom(factor) {
      const { width, height } = size();
      zoomAt(factor, width / 2, height / 2);
    },
    moved: () => touched,
  };
}
