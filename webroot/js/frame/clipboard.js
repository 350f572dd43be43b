// clipboard.js - puts text on the clipboard, also where the browser does not trust the address.

/** Promises whether it worked. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // Plain HTTP from another machine has no clipboard; a selection can be copied all the same.
  }
  const area = document.createElement('textarea');
  area.className = 'hidden';
  area.value = text;
  const focused = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  focused?.focus?.();
  return done;
}
