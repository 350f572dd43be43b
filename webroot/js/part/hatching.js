// hatching.js - canvas patterns: diagonal lines for placeholders and losses, dots and level lines for contexts that did
// not run.

const tilePx = 8;

/** A repeated pattern for `context` on a ground of one colour; `draw(paint, size)` draws one tile. */
function pattern(context, ground, draw) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = tilePx;
  const paint = tile.getContext('2d');
  paint.fillStyle = ground;
  paint.fillRect(0, 0, tilePx, tilePx);
  draw(paint, tilePx);
  return context.createPattern(tile, 'repeat');
}

/** Diagonal lines of one colour, with opacity `strength` (0 to 1), on a ground of another. */
export function hatching(context, ground, lines, strength = 1) {
  return pattern(context, ground, (paint, size) => {
    paint.strokeStyle = lines;
    paint.globalAlpha = strength;
    paint.lineWidth = 1.2;
    for (const x of [-size, 0, size]) {
      paint.beginPath();
      paint.moveTo(x, size);
      paint.lineTo(x + size, 0);
      paint.stroke();
    }
  });
}

/** Dots, for preempted contexts. */
export function dotting(context, ground, dots) {
  return pattern(context, ground, (paint, size) => {
    paint.fillStyle = dots;
    for (const [x, y] of [[0, 0], [size / 2, size / 2]]) paint.fillRect(x + 1, y + 1, 2, 2);
  });
}

/** Level lines, for blocked contexts. */
export function ruling(context, ground, lines) {
  return pattern(context, ground, (paint, size) => {
    paint.fillStyle = lines;
    for (const y of [1, 1 + size / 2]) paint.fillRect(0, y, size, 1);
  });
}
