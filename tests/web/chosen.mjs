// chosen.mjs - chooses the browser tests that run: those whose view (a file of browser/) or name TEST_FILTER gives. Without it, all
// except those declared with testOfAll(), which need TEST_ALL, or TEST_MEASURE (measure.mjs).

const asked = process.env.TEST_FILTER ?? '*';
const doesEvery = Boolean(process.env.TEST_ALL ?? process.env.TEST_MEASURE);
let view = ''; // the view whose file is being read

/** Sets the view of all tests declared from now on. */
export function beginView(name) {
  view = name;
}

/** Returns the view begun last. */
export const viewBegun = () => view;

let chosen = 0;

/** Returns true if the test of this name, in the view begun last, is to run. `isOfAll`: a usual run leaves it out. */
export function isChosen(name, { isOfAll = false } = {}) {
  const fits = [view, name].includes(asked) || (asked === '*' && (!isOfAll || doesEvery));
  if (fits) chosen++;
  return fits;
}

/** Returns why no test would run, and a remedy; '' if a test was chosen. */
export const nothingChosen = () =>
  chosen > 0 ? '' : `TEST_FILTER=${asked} fits no test. Give the whole name of a test, or the name of a file of browser/ without .test.mjs.`;
