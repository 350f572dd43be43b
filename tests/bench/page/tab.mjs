// tab.mjs - opens a tab as readers have it, without an observer of its network traffic.
//
// A tab that playwright opens reports to it every byte that the page and its threads receive. At 12 Mbaud that is as much work as
// the page's own, on the same processors. This tab exchanges only the messages sent here.

/** Returns the source text of a call of `fn` in the page, with arguments that JSON can hold. */
const called = (fn, args) => `(${fn})(${args.map((arg) => JSON.stringify(arg)).join()})`;

/** Opens a tab at `address`, of this size in CSS pixels: { send(method, params), evaluate(function, ...arguments), waitFor(selector), close() }. */
export async function openTab(browser, address, { width, height }) {
  const session = await browser.newBrowserCDPSession();
  const { targetId } = await session.send('Target.createTarget', { url: 'about:blank', width, height });
  // Not a flat session: playwright would take its messages for those of its own sessions.
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
  const waiting = new Map(); // id -> { resolve, reject }
  let lastId = 0;
  session.on('Target.receivedMessageFromTarget', ({ sessionId: from, message }) => {
    const { id, result, error } = JSON.parse(message);
    const asked = waiting.get(id);
    if (from !== sessionId || asked === undefined) return;
    waiting.delete(id);
    if (error) asked.reject(new Error(error.message));
    else asked.resolve(result);
  });
  const send = (method, params = {}) =>
    new Promise((resolve, reject) => {
      const id = ++lastId;
      waiting.set(id, { resolve, reject });
      session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) }).catch(reject);
    });
  async function evaluate(fn, ...args) {
    const { result, exceptionDetails: thrown } = await send('Runtime.evaluate', {
      expression: called(fn, args),
      awaitPromise: true,
      returnByValue: true,
    });
    if (thrown) throw new Error(thrown.exception?.description ?? thrown.text);
    return result.value;
  }
  await send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false });
  await send('Page.enable');
  await send('Page.navigate', { url: address });
  return {
    send,
    evaluate,
    /** Waits until the page has an element that matches the selector. */
    waitFor: (selector) =>
      evaluate(
        (wanted) =>
          new Promise((resolve) => {
            const look = () => (document.querySelector(wanted)?.getClientRects().length > 0 ? resolve() : requestAnimationFrame(look));
            look();
          }),
        selector,
      ),
    close: () => session.detach(),
  };
}
