// gestures.mjs - simulates a hand that zooms and pans, the same every time: wheel and pointer events at 60 Hz.

const stepMs = 1000 / 60;
const ctrl = 2;
const shift = 8;

/** Sends the event of `step(i)`, or none, `steps` times at the rate of a screen, without waiting for the page. */
async function atScreenRate(tab, steps, step) {
  const sent = [];
  const began = performance.now();
  for (let i = 0; i < steps; i++) {
    const event = step(i);
    if (event) sent.push(tab.send('Input.dispatchMouseEvent', event));
    const ahead = began + (i + 1) * stepMs - performance.now();
    if (ahead > 0) await new Promise((resolve) => setTimeout(resolve, ahead));
  }
  await Promise.all(sent);
}

const placeOf = (selector) => {
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  return { x, y, width, height };
};

/** Zooms in and out and pans in an element of a tab (tab.mjs), `times` times, with the pointer moving along. */
export async function zoomAndPan(tab, selector, times) {
  const box = await tab.evaluate(placeOf, selector);
  const at = (i) => ({
    x: box.x + box.width * (0.3 + 0.4 * Math.abs(((i * 0.013) % 2) - 1)),
    y: box.y + Math.min(box.height - 10, 40 + ((i * 3) % 120)),
  });
  const wheel = (i, deltaY, modifiers) => ({ type: 'mouseWheel', ...at(i), deltaX: 0, deltaY, modifiers });
  for (let n = 0; n < times; n++) {
    await atScreenRate(tab, 40, (i) => wheel(i, -60, ctrl));
    await atScreenRate(tab, 40, (i) => wheel(i, 40, shift));
    await atScreenRate(tab, 40, (i) => ({ type: 'mouseMoved', ...at(i) }));
    await atScreenRate(tab, 40, (i) => wheel(i, -40, shift));
    await atScreenRate(tab, 40, (i) => wheel(i, 60, ctrl));
  }
}
