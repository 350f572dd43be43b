// fitted.js - fits a canvas bitmap to its element and the screen.

/** Gives the bitmap of `canvas` as many pixels as `width` x `height` of the page have on this screen; true when that changed it. */
function resized(canvas, width, height, ratio) {
  const [wide, high] = [Math.round(width * ratio), Math.round(height * ratio)];
  if (canvas.width === wide && canvas.height === high) return false;
  [canvas.width, canvas.height] = [wide, high];
  return true;
}

/** Makes element and bitmap of `canvas` `width` x `height` pixels of the page, which are those of `context`, on any screen. */
export function fit(canvas, context, width, height) {
  const ratio = devicePixelRatio || 1;
  if (resized(canvas, width, height, ratio)) {
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
}

/** The 2D context of `canvas`, empty, in which `width` x `height` are pixels of the page, on any screen. Its element has a size of its own. */
export function fitted(canvas, width, height) {
  const ratio = devicePixelRatio || 1;
  resized(canvas, width, height, ratio);
  const context = canvas.getContext('2d');
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  return context;
}
