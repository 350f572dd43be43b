// perfetto.js - opens a trace in Perfetto's page, at the user's request: the trace stays in this browser.
//
// As Perfetto documents for other pages, its window is sent PING until it answers PONG, then the trace.

const home = 'https://ui.perfetto.dev';
const askMs = 50;
const patienceMs = 60000;

/** Promises true if the window answered; false if it was closed or time ran out. */
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

/** The menu item; `fetchTrace()` promises the bytes, `title()` is the trace's title in Perfetto. */
export function perfettoItem({ fetchTrace, title, toast }) {
  async function run() {
    const there = open(home); // at once: browsers open windows only during a click
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
