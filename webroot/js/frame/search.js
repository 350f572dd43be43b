// search.js - the search box: puts its text into the address; Enter goes to the next match.

import { setAttr, setText } from '../dom.js';
import { matcher } from '../model/search.js';

/** `place` is that of frame/place.js, `next(step)` goes to a match, `back()` undoes one step. */
export function createSearch({ place, next, back }) {
  const input = document.getElementById('search-text');
  const result = document.getElementById('search-result');
  let match = matcher(place.get().search);
  place.subscribe((now, before) => {
    if (now.search !== before.search) match = matcher(now.search);
  });

  function clear() {
    if (place.get().search === '') return false;
    place.go({ search: '' }, { replace: true });
    input.value = '';
    return true;
  }

  document.getElementById('search').addEventListener('submit', (event) => event.preventDefault());
  input.addEventListener('input', () => place.go({ search: input.value }, { replace: true }));
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') {
      event.preventDefault();
      next(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape') {
      event.preventDefault();
      if (place.get().search !== '') back();
      input.blur();
    }
  });

  return {
    /** The matcher of the search text (model/search.js). */
    get match() {
      return match;
    },
    select: () => input.select(),
    /** Empties the box; false when it was empty. */
    clear,
    /** Shows the address's search text, and `summary()` of the matches. */
    update(summary) {
      if (document.activeElement !== input) input.value = place.get().search;
      setAttr(input, 'aria-invalid', match.error ? 'true' : null);
      setText(result, match.error || (match.empty ? '' : summary()));
    },
  };
}
