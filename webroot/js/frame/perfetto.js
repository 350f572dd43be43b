// perfetto.js - hands a trace over to Perfetto's page, which the reader asked for: it stays in this browser.
//
// The way is the one that Perfetto describes for other pages: its window is asked until it answers, and then given the bytes.

const home = 'https://ui.perfetto.dev';
const askMs = 50;
const patienceMs = 60000;

/** Promises whether the window answered before it was closed, or too long went by. */
function answered(there) {
  return new Promise((resolve) => {
    const begun = performance.now();
    const hear = ({ source, data }) => source === there && data === 'PONG' && end(true);
    const timer = setInterval(() => {
      if (there.closed || performance.now() - begun > patienceMs) end(false);
      else there.postMessage('PING', home);
    }, askMs);
    function end(result) {
      clearInterval(timer);
      removeEventListener('message', hear);
      resolve(result);
    }
    addEventListener('message', hear);
  });
}

/** The item of a menu; `fetchTrace()` promises the bytes, and `title()` is what the trace is called there. */
export function perfettoItem({ fetchTrace, title, toast }) {
  async function run() {
    const there = open(home); // at once: a window is only opened for a press
    if (there === null) {
      toast('bad', 'Perfetto', 'This browser does not let the page open a window; allow it, or save the trace and open it there.');
      return;
    }
    try {
      const buffer = await fetchTrace();
      if (await answered(there)) there.postMessage({ perfetto: { buffer, title: title() } }, home, [buffer]);
      else toast('bad', 'Perfetto', `${home} did not answer. Save the trace, and open it there.`);
    } catch (error) {
      toast('bad', 'Perfetto', error.message);
    }
  }
  return { label: 'Open in Perfetto', side: 'ui.perfetto.dev', run };
}
