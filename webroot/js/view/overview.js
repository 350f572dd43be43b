// overview.js - the first view: the load over time, the slowest calls with reasons, and beside them problems, changes
// and the busiest functions. Each links to more.

import { el } from '../dom.js';
import { createEmpty } from '../part/empty.js';
import { createAside } from './overview/aside.js';
import { createFlame } from './overview/flame.js';
import { createLoad } from './overview/load.js';
import { createSlowest } from './overview/slowest.js';

function create(host) {
  const view = { host, load: createLoad(host), flame: createFlame(host), slowest: createSlowest(host), aside: createAside(host), empty: createEmpty(host) };
  view.body = el('div', { class: 'overview-body', tabindex: '0' }, el('div', { class: 'overview-main' }, view.load.root, view.flame.root, view.slowest.root), view.aside.root);
  return {
    root: el('section', { class: 'view overview', 'aria-label': 'Overview' }, view.body, view.empty.root),
    update: () => update(view),
    actions: [
      ...view.flame.actions,
      { keys: ['o'], label: 'The slowest call, on the timeline', group: 'Overview', run: () => view.slowest.first() },
      { keys: ['m'], label: 'Mark now, to see what changes', group: 'Overview', run: () => view.aside.mark() },
    ],
    summary: () => (host.match.empty ? '' : 'Enter: Functions'),
    next() {
      if (host.match.empty) return false;
      host.go({ view: 'functions' });
      return true;
    },
  };
}

function update({ host, body, empty, load, flame, slowest, aside }) {
  const { profile } = host;
  const isThere = profile.tree.length > 1 || profile.functions.some((fn) => fn?.calls > 0 || fn?.samples > 0);
  body.hidden = !isThere;
  if (!isThere) {
    empty.show(profile, host.answers);
    return;
  }
  empty.hide();
  load.update(slowest.update());
  flame.update();
  aside.update();
}

export const overview = { id: 'overview', title: 'Overview', create };
