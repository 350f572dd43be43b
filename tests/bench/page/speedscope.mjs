// speedscope.mjs - writes the calls of a capture as a file for speedscope, and serves speedscope to open it.

import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const release = fileURLToPath(
  new URL('../../web/node_modules/speedscope/dist/release/', import.meta.url),
);

const frameHead = 5; // two bytes of header, the type, two of the length
const frameTail = 3; // checksum and end
const profileData = 5;
const profileHead = 3;
const recordBytes = 14;

/** Yields every finished call of an undamaged capture: { address, start, duration, depth } in the order of their returns. */
function* callsOf(bytes) {
  for (let at = 0; at < bytes.length; ) {
    const length = bytes.readUInt16LE(at + 3);
    const payload = at + frameHead;
    if (bytes[at + 2] === profileData) {
      for (let p = payload + profileHead; p < payload + length; p += recordBytes)
        yield [
          bytes.readUInt32LE(p),
          bytes.readUInt32LE(p + 4),
          bytes.readUInt32LE(p + 8),
          bytes.readUInt16LE(p + 12),
        ];
    }
    at = payload + length + frameTail;
  }
}

/**
 * Writes the calls of a capture, each with begin and end, in speedscope's form. A call is sent when it returns, so its
 * callees precede it, one level deeper.
 */
export async function writeProfile(capture, path, nameOf) {
  const bytes = await readFile(capture);
  const frames = new Map(); // address -> index
  const below = []; // by depth: the calls whose caller has not been read yet
  const out = createWriteStream(path);
  let text = '';
  let last = 0;
  let first = true;
  const say = async (piece) => {
    text += piece;
    if (text.length < 1 << 20) return;
    if (!out.write(text)) await once(out, 'drain');
    text = '';
  };
  const event = (type, frame, at) => {
    const comma = first ? '' : ',';
    first = false;
    last = Math.max(last, at);
    return say(`${comma}{"type":"${type}","frame":${frame},"at":${at}}`);
  };
  const tell = async ({ frame, start, end, calls }) => {
    await event('O', frame, start);
    for (const call of calls) await tell(call);
    await event('C', frame, end);
  };

  await say('{"$schema":"https://www.speedscope.app/file-format-schema.json",');
  await say('"profiles":[{"type":"evented","name":"calls","unit":"microseconds","startValue":0,"events":[');
  let outermost = Infinity; // callers that never return are not reported, so it need not be 0
  for (const [, , , depth] of callsOf(bytes)) outermost = Math.min(outermost, depth);
  for (const [address, start, duration, depth] of callsOf(bytes)) {
    if (!frames.has(address)) frames.set(address, frames.size);
    const call = { frame: frames.get(address), start, end: start + duration, calls: below[depth + 1] ?? [] };
    below[depth + 1] = undefined;
    if (depth === outermost) await tell(call);
    else (below[depth] ??= []).push(call);
  }
  const names = [...frames.keys()].map((address) => ({ name: nameOf(address) }));
  await say(`],"endValue":${last}}],"shared":{"frames":${JSON.stringify(names)}}}`);
  out.end(text);
  await once(out, 'finish');
}

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };

/** Serves speedscope and the profile; the returned address opens the profile in speedscope. */
export async function serve(profile) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://here');
    const file = pathname === '/profile.json' ? profile : join(release, pathname);
    response.writeHead(200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Cross-Origin-Embedder-Policy': 'require-corp',
    });
    createReadStream(file).pipe(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = `http://127.0.0.1:${server.address().port}/`;
  return {
    address: `${at}index.html#profileURL=${encodeURIComponent(`${at}profile.json`)}`,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
