// daemon.mjs - starts miniprofd for the page's benchmark, on a complete capture or on one that is still being generated.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';

/** Writes a capture and the ELF that names its functions; `options` are those of bench-generate. */
export async function generate(generator, capture, elf, options) {
  const made = spawn(generator, ['--output', capture, '--elf', elf, ...options], { stdio: 'inherit' });
  const [status] = await once(made, 'exit');
  if (status !== 0) throw new Error(`bench-generate ended with ${status}`);
}

async function listening(process) {
  for await (const line of createInterface({ input: process.stdout })) {
    const found = /^listening on (\S+)$/.exec(line);
    if (found) return found[1];
  }
  throw new Error('miniprofd did not start');
}

/** Runs `program` on `port`. With `input` 'pipe' and the port "-", it reads what is written to `input`. */
async function run(program, port, elf, input = 'ignore') {
  const daemon = spawn(program, ['--listen', '127.0.0.1:0', '--port', port, '--elf', elf], {
    stdio: [input, 'pipe', 'ignore'],
  });
  const address = await listening(daemon);
  return {
    address,
    input: daemon.stdin,
    ask: async (path) => (await fetch(`${address}api/v1/${path}`)).json(),
    async stop() {
      const gone = once(daemon, 'exit');
      daemon.kill('SIGTERM');
      await gone;
    },
  };
}

/** Starts a daemon that has read all of a capture. */
export async function onFile(program, capture, elf) {
  const daemon = await run(program, `file:${capture}`, elf);
  for (;;) {
    const { source } = await daemon.ask('status');
    if (source.state === 'ended') return daemon;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Yields the bytes of `source`: the first `ahead` bytes at once, the rest at `rate` bytes a second. */
async function* paced(source, ahead, rate) {
  let sent = -ahead;
  let began = 0;
  for await (const chunk of source) {
    yield chunk;
    sent += chunk.length;
    if (sent > 0 && began === 0) began = performance.now();
    const early = began + (sent / rate) * 1000 - performance.now();
    if (sent > 0 && early > 0) await new Promise((resolve) => setTimeout(resolve, early));
  }
}

/**
 * Starts a daemon with an endless target: the first `ahead` bytes at once, then `rate` bytes a second. `options` are
 * those of bench-generate.
 */
export async function onStream(program, generator, elf, { ahead, rate, options }) {
  const target = spawn(generator, ['--elf', elf, '--calls', '1e15', ...options], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const daemon = await run(program, '-', elf, 'pipe');
  const ended = () => {}; // by stop()
  pipeline(target.stdout, (source) => paced(source, ahead, rate), daemon.input).catch(ended);
  while ((await daemon.ask('status')).link.bytes < ahead)
    await new Promise((resolve) => setTimeout(resolve, 100));
  const { stop } = daemon;
  daemon.stop = async () => {
    const gone = once(target, 'exit');
    target.kill();
    await gone;
    await stop();
  };
  return daemon;
}
