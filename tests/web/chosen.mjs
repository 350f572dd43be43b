// chosen.mjs - chooses the browser tests that run: all, or those whose view (a file of browser/) or name TEST_FILTER gives.

const asked = process.env.TEST_FILTER ?? '*';
let view = ''; // the view whose file is being read

/** Sets the view of all tests declared from now on. */
export function beginView(name) {
  view = name;
}

let chosen = 0;

/** Returns true if the test of this name, in the view begun last, is to run. */
export function isChosen(name) {
  const fits = [view, name].includes(asked) || asked === '*';
  if (fits) chosen++;
  return fits;
}

/** Returns why no test would run, and a remedy; '' if a test was chosen. */
export const nothingChosen = () =>
  chosen > 0 ? '' : `TEST_FILTER=${asked} fits no test. Give the whole name of a test, or the name of a file of browser/ without .test.mjs.`;
