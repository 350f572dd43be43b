// place.js - the page's state, in step with the address.

import { formatPlace, parsePlace } from '../model/place.js';
import { value } from '../store.js';

/** { get, go, subscribe }: a place (model/place.js) that the address names, and subscribers to its changes. */
export function createPlace() {
  const place = value(parsePlace(location.hash));
  addEventListener('popstate', () => place.set(parsePlace(location.hash)));
  return {
    get: place.get,
    subscribe: place.subscribe,
    /** Goes to another place; `replace` adds no step for the browser's Back (typing, toggles). */
    go(change, { replace = false } = {}) {
      const next = { ...place.get(), ...change };
      const hash = formatPlace(next);
      if (hash === formatPlace(place.get())) return;
      if (replace) history.replaceState(null, '', hash);
      else history.pushState(null, '', hash);
      place.set(next);
    },
  };
}
