// reader.js - a thread that reads what the daemon sends: text becomes numbers here, so that the page never waits for it.
//
// To the page: { event, data } for each event of the stream, { id, answer } or { id, error } for what it asked.
// From the page: { id, ask, about } asks for something of `asks`, { id, stop: true } wants it no more; { more: true } takes another delta.

import { fetchSnapshot, fetchTimeline, openEvents } from '../api.js';
import { Backlog } from '../model/backlog.js';
import { buffersOf } from '../model/buffers.js';
import { packCalls } from '../model/callcolumns.js';
import { packRows } from '../model/calltree.js';

const asked = new Map(); // id -> AbortController

/** Puts typed arrays in place of the call tree of a snapshot or delta, if it has one; the answer: their buffers. */
function packTree(part) {
  if (!part?.call_tree) return [];
  part.call_tree = packRows(part.call_tree);
  return buffersOf(part.call_tree);
}

const asks = {
  snapshot: { get: ([range], signal) => fetchSnapshot(range, signal), pack: packTree },
  timeline: { get: ([range, max], signal) => fetchTimeline(range, max, signal), pack: packCalls },
};

const pass = (event, data) => postMessage({ event, data }, packTree(data));
const backlog = new Backlog((delta) => pass('delta', delta));

/** Passes the event after the deltas that came before it. */
const tell = (event) => (data) => {
  backlog.flush();
  pass(event, data);
};

openEvents({
  up: tell('up'),
  down: tell('down'),
  hello: tell('hello'),
  snapshot: tell('snapshot'),
  delta: (delta) => backlog.add(delta),
  status(status) {
    backlog.overtake(status);
    pass('status', status);
  },
});

onmessage = async ({ data: { id, ask, about, stop, more } }) => {
  if (more) {
    backlog.more();
    return;
  }
  if (stop) {
    asked.get(id)?.abort();
    return;
  }
  const control = new AbortController();
  asked.set(id, control);
  try {
    const answer = await asks[ask].get(about, control.signal);
    postMessage({ id, answer }, asks[ask].pack(answer));
  } catch ({ status, title, message }) {
    postMessage({ id, error: { status, title, message } });
  }
  asked.delete(id);
};
