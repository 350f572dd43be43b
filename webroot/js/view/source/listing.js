// listing.js - the listing of the chosen function: asked for when it is unknown, and again where samples grow.

import { hottest, Listing } from '../../model/source.js';

const askEveryMs = 2000;
const nothing = new Listing({});
export const noRows = { line: -1, code: [], chosen: -1 };

/** The initial state of listings; members of the view's state. */
export const listingState = () => ({
  known: nothing, // the listing shown
  about: '', // identifies its function and ELF
  wanted: '', // the same for the listing to show
  asking: '',
  askedAt: -Infinity,
  trouble: '',
});

export function forget(view) {
  view.known = nothing;
  view.about = '';
}

function identity({ profile }, id) {
  const fn = profile.functions[id];
  const { elf } = profile.source;
  return JSON.stringify([id, fn.name, fn.address, fn.size, fn.file, elf?.path, elf?.functions, elf?.state]);
}

async function ask(view, id, key) {
  view.asking = key;
  view.askedAt = performance.now();
  try {
    const answer = await view.host.fetchSource(id);
    if (view.asking === key) {
      view.known = new Listing(answer);
      view.about = key;
      view.trouble = '';
      view.marked = { key: '', rows: [] };
    }
  } catch (error) {
    if (view.asking === key) {
      view.trouble = error.message;
      if (view.about !== key) view.known = nothing;
    }
  }
  if (view.asking === key) view.asking = '';
  view.host.redraw();
}

/** Asks for what is missing about the function, and no longer shows what belongs to another one. */
export function keepUp(view, id) {
  const { host } = view;
  const key = identity(host, id);
  if (view.about !== key && view.known !== nothing && view.known.answer.id !== id) {
    forget(view);
    view.near = noRows;
  }
  if (key !== view.wanted) view.trouble = '';
  view.wanted = key;
  const isOld = performance.now() - view.askedAt > askEveryMs;
  const grows = view.about === key && view.known.hasSamples && !host.paused;
  const isMissing = view.about !== key && (view.trouble === '' || isOld);
  if (!host.answers || view.asking === key) return;
  if (isMissing || (grows && isOld)) ask(view, id, key);
}

/** The functions offered while none is selected. */
export const offered = ({ profile, match }) =>
  hottest(profile).filter(({ fn }) => match.empty || match.test(fn.name, fn));
