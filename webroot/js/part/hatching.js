// hatching.js - a canvas pattern of slanting lines, for placeholders and for what was lost.

const tilePx = 8;

/** The pattern for `context`: lines of one colour, as strong as `strength` (0 to 1), on a ground of another. */
export function hatching(context, ground, lines, strength = 1) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = tilePx;
  const paint = tile.getContext('2d');
  paint.fillStyle = ground;
  paint.fillRect(0, 0, tilePx, tilePx);
  paint.strokeStyle = lines;
  paint.globalAlpha = strength;
  paint.lineWidth = 1.2;
  for (const x of [-tilePx, 0, tilePx]) {
    paint.beginPath();
    paint.moveTo(x, tilePx);
    paint.lineTo(x + tilePx, 0);
    paint.stroke();
  }
  return context.createPattern(tile, 'repeat');
}
