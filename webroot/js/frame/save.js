// save.js - saves a file for the user.

import { el } from '../dom.js';

/** As a download: `content` is a Blob. */
export function saveBlob(name, content) {
  const address = URL.createObjectURL(content);
  el('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000); // by then the browser has read it
}

export const saveText = ({ name, type, text }) => saveBlob(name, new Blob([text], { type }));
