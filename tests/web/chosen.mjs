// chosen.mjs - which browser tests run: all, or those of a view (a file of browser/) or with a name that TEST_FILTER gives.

const asked = process.env.TEST_FILTER ?? '*';
let view = ''; // the one whose file is being read

/** Names the view to which the tests belong that are declared from now on. */
export function beginView(name) {
  view = name;
}

let chosen = 0;

/** True when the test of this name, in the view begun last, is to run. */
export function isChosen(name) {
  const fits = [view, name].includes(asked) || asked === '*';
  if (fits) chosen++;
  return fits;
}

/** Why nothing would run, in a sentence for the cause and one for the remedy; '' where a test was chosen. */
export const nothingChosen = () =>
  chosen > 0 ? '' : `TEST_FILTER=${asked} fits no test. Give the whole name of a test, or the name of a file of browser/ without .test.mjs.`;
