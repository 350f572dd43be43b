// unrecorded.js - marks the time between windows, which was not recorded.

const words = 'not recorded';

/** Paints on the canvas of canvas.js, using its scene and time scale. */
export function paintUnrecorded(lanes) {
  const { context, style, scene, width, height } = lanes;
  for (const { from, to } of scene.unrecorded) {
    const x0 = Math.max(lanes.x(from), 0);
    const x1 = Math.min(lanes.x(to), width);
    if (x1 <= x0) continue;
    context.fillStyle = style.unrecorded;
    context.fillRect(x0, 0, x1 - x0, height);
    context.font = style.small;
    const wide = context.measureText(words).width;
    if (x1 - x0 < wide + 24) continue;
    const x = (x0 + x1 - wide) / 2;
    context.fillStyle = style.sunken; // text on hatching is hard to read
    context.fillRect(x - 5, 2, wide + 10, 17);
    context.fillStyle = style.muted;
    context.textBaseline = 'middle';
    context.fillText(words, x, 11);
  }
}
