// reader.js - a worker thread that reads and parses the daemon's data, so that this never blocks the page.
//
// To the page: { event, data } for each event of the stream, after { rows } if its delta has many; { id, answer } or
// { id, error } for each request.
// From the page: { id, ask, about } is a request (see `asks`), { id, stop: true } cancels it; { more: true } requests
// another delta.

import { fetchSnapshot, fetchTimeline, openEvents } from '../api.js';
import { Backlog } from '../model/backlog.js';
import { buffersOf } from '../model/buffers.js';
import { packCalls } from '../model/callcolumns.js';
import { packRows } from '../model/calltree.js';
import { takePieces } from '../model/pieces.js';

const asked = new Map(); // id -> AbortController

/** Converts the call tree of a snapshot or delta, if any, to typed arrays; returns their buffers. */
function packTree(part) {
  if (!part?.call_tree) return [];
  part.call_tree = packRows(part.call_tree);
  return buffersOf(part.call_tree);
}

const asks = {
  snapshot: { get: ([range], signal) => fetchSnapshot(range, signal), pack: packTree },
  timeline: { get: ([range, max, columns], signal) => fetchTimeline(range, max, signal, columns), pack: packCalls },
};

const pauseMs = 16; // after a piece: one frame of the page
const paused = () =>
  new Promise((resolve) => {
    setTimeout(resolve, pauseMs);
  });

async function send(event, data) {
  for (const piece of takePieces(event, data)) {
    postMessage(piece);
    await paused();
  }
  postMessage({ event, data }, packTree(data));
}

let sent = Promise.resolve(); // once all events before are with the page

/** Sends an event to the page after those before it. */
function pass(event, data) {
  sent = sent.then(() => send(event, data));
}

const backlog = new Backlog((delta) => pass('delta', delta));

/** Passes the event on, after earlier deltas. */
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
