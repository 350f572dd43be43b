// reader.js - a thread that reads what the daemon sends: text becomes numbers here, so that the page never waits for it.
//
// To the page: { event, data } for each event of the stream, { id, answer } or { id, error } for what it asked.
// From the page: { id, range } asks for a snapshot, { id, stop: true } wants it no more.

import { fetchSnapshot, openEvents } from '../api.js';
import { packRows } from '../model/calltree.js';

const asked = new Map(); // id -> AbortController

/** Sends a message whose `part` holds a snapshot or delta; the columns of its tree go over without being copied. */
function send(message, part) {
  if (part?.call_tree) part.call_tree = packRows(part.call_tree);
  const columns = Object.values(part?.call_tree ?? {});
  postMessage(
    message,
    columns.map((cells) => cells.buffer),
  );
}

const tell = (event) => (data) => send({ event, data }, data);

openEvents({
  up: tell('up'),
  down: tell('down'),
  hello: tell('hello'),
  snapshot: tell('snapshot'),
  delta: tell('delta'),
  status: tell('status'),
});

onmessage = async ({ data: { id, range, stop } }) => {
  if (stop) {
    asked.get(id)?.abort();
    return;
  }
  const control = new AbortController();
  asked.set(id, control);
  try {
    const answer = await fetchSnapshot(range, control.signal);
    send({ id, answer }, answer);
  } catch ({ status, title, message }) {
    postMessage({ id, error: { status, title, message } });
  }
  asked.delete(id);
};
