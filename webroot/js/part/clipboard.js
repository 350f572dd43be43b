// clipboard.js - copies text to the clipboard, even on pages that the browser does not trust.

/** Promises true if it worked. */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // The clipboard API needs HTTPS or localhost; otherwise a selection can be copied.
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

/** Returns copy(text, what, note), which copies text and reports it: "`what` copied", with the note. */
export const createCopy = (toast) =>
  async function copy(text, what, note = '') {
    if (await copyText(text)) toast('ok', `${what} copied`, note);
    else toast('bad', 'The browser does not let this page copy.');
  };
