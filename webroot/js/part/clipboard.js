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

/** Answers copy(text, what, note), which puts text on the clipboard and reports it: "`what` copied", with the note behind it. */
export const createCopy = (toast) =>
  async function copy(text, what, note = '') {
    if (await copyText(text)) toast('ok', `${what} copied`, note);
    else toast('bad', 'The browser does not let this page copy.');
  };
