// modes.js - the switch between views of the call tree: callees, callers, call graph, source. It is first in each
// toolbar, so that it never moves.

import { createChoice } from './choice.js';

const modes = [
  ['callees', 'Callees', 'Callers above the functions that they call (i)', { view: 'flame', inverted: false }],
  ['callers', 'Callers', 'Functions above their callers (i)', { view: 'flame', inverted: true }],
  ['graph', 'Call graph', 'One function between its callers and callees (Shift+V)', { view: 'graph' }],
  ['source', 'Source', 'Lines and instructions of a function (Shift+U)', { view: 'source' }],
];

/** Selects a mode; `show()` marks the one in `host.place`. */
export function createModes(host) {
  const there = modes.filter(([, , , { view }]) => host.views.includes(view)); // a report lacks some
  const choice = createChoice('Picture', there, (value) => {
    const [, , , to] = there.find(([mode]) => mode === value);
    const turns = to.inverted !== undefined && to.inverted !== host.place.inverted;
    host.go({ ...to, ...(turns ? { zoom: [] } : {}) });
  });
  return {
    root: choice.root,
    show() {
      const { view, inverted } = host.place;
      choice.show(view === 'flame' ? (inverted ? 'callers' : 'callees') : view);
    },
  };
}
