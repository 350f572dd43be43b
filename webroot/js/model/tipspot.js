// tipspot.js - places a tip beside its subject, fully on the screen.

const [gapPx, edgePx] = [6, 8];

/** The area that the pointer covers: { left, top, right, bottom } in pixels of the window, as all boxes here. */
export const pointerBox = ({ x, y }) => ({ left: x - 4, top: y - 6, right: x + 12, bottom: y + 20 });

const inside = (at, size, room) => Math.max(edgePx, Math.min(at, room - size - edgePx));

/**
 * { left, top } of a tip of { width, height } for a box, in a window of { width, height }: below it, else above, else
 * beside.
 */
export function tipSpot(tip, box, room) {
  const below = box.bottom + gapPx;
  const above = box.top - gapPx - tip.height;
  const fitsBelow = below + tip.height <= room.height - edgePx;
  const left = inside(box.left, tip.width, room.width);
  if (fitsBelow || above >= edgePx) return { left, top: fitsBelow ? below : above };
  const right = box.right + gapPx;
  const fitsRight = right + tip.width <= room.width - edgePx;
  return { left: fitsRight ? right : Math.max(box.left - gapPx - tip.width, 0), top: inside(box.top, tip.height, room.height) };
}
