// spot.js - paints times as lines through all lanes: the marks of the axis, and the selected time.

/** `painter` is that of the lanes (timeline/canvas.js). */
export function paintSpot(painter) {
  const { context, style, scene, height } = painter;
  if (scene.spot === null) return;
  context.fillStyle = style.accent;
  const x = Math.round(painter.x(scene.spot));
  for (let y = 0; y < height; y += 8) context.fillRect(x, y, 2, 5);
}

export function paintAxis(painter) {
  const { context, style, scene, height } = painter;
  context.fillStyle = style.sunken;
  for (const { ticks } of scene.axis) context.fillRect(Math.round(painter.x(ticks)), 0, 1, height);
}

export function paintGround({ context, style, width, height }) {
  context.fillStyle = style.ground;
  context.fillRect(0, 0, width, height);
}
