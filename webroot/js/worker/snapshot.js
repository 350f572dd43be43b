// snapshot.js - a worker thread that reads a snapshot file, so that a large or malicious file cannot block the page.

import { buffersOf } from '../model/buffers.js';
import { checkSize, readSnapshot, Unreadable } from '../model/opened.js';

async function read(file) {
  checkSize(file.name, file.size);
  let text;
  try {
    text = await file.text();
  } catch {
    throw new Unreadable(`“${file.name}” cannot be read. Is it still there, and is it a file?`);
  }
  return readSnapshot(file.name, text);
}

onmessage = async ({ data: file }) => {
  try {
    const snapshot = await read(file);
    postMessage({ snapshot }, buffersOf(snapshot.call_tree));
  } catch (error) {
    postMessage({
      error:
        error instanceof Unreadable
          ? error.message
          : `“${file.name}” cannot be opened: ${error.message}. Choose a smaller snapshot.`,
    });
  }
};
