// chosen.mjs - which browser tests run: all, or those of a view (a file of browser/) or with a name that TEST_FILTER gives.

const asked = process.env.TEST_FILTER ?? '*';
let view = ''; // the one whose file is being read

/** Names the view to which the tests belong that are declared from now on. */
export function beginView(name) {
  view = name;
}

/** True when the test of this name, in the view begun last, is to run. */
export const isChosen = (name) => [view, name].includes(asked) || asked === '*';
