// mock-server.mjs - serves webroot/ and answers as the daemon does, from a simulated firmware (mock-program.mjs).
//
//   node mock-server.mjs [PORT] [EXTRA_FUNCTIONS]      to look at the page without a target
//
// In tests: `const mock = await startMock(); mock.set({ source: { state: 'lost' } }); await mock.stop();`

import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, extname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

import { overTime, periodsOf, spreadIn } from './mock-histogram.mjs';
import { historyOf } from './mock-history.mjs';
import { figures, limitFigures } from './mock-figures.mjs';
import { Program } from './mock-program.mjs';
import { madeCheckpoints, madeMessages } from './mock-said.mjs';
import { sourceOf } from './mock-source.mjs';

const webroot = join(dirname(fileURLToPath(import.meta.url)), '../../webroot');
const types = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
};
const policy =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
/** The description that a device of version 2 sends. */
export const description = {
  versions: [1, 2],
  tick_hz: 168000000,
  ring_calls: 64,
  stack_depth: 32,
  tasks: 1,
  packet_bytes: 500,
  hook_ticks: 58.5,
  settings: [
    { name: 'packet', unit: 'records', least: 1, most: 255, value: 20 },
    { name: 'shortest', unit: 'us', least: 0, most: 12782640, value: 0 },
    { name: 'depth', unit: '', least: 1, most: 32, value: 32 },
  ],
};
const asProgram = process.argv[1] === fileURLToPath(import.meta.url); // false when tests use it
const everyMs = asProgram ? 100 : 400; // ms between updates: each costs an open page work, and a test waits for only one

async function bodyOf(request) {
  let body = '';
  for await (const part of request) body += part;
  return body;
}

const contents = new Map(); // path -> a promise of the bytes; only used by tests, since files may change while a reader edits the page
let few = null; // a promise of inFewFiles()

/** Makes a folder with the page joined into few files, as the daemon serves it. It is deleted when this process exits. */
async function inFewFiles() {
  const folder = await mkdtemp(join(tmpdir(), 'miniprofd-page-'));
  process.on('exit', () => rmSync(folder, { recursive: true }));
  await promisify(execFile)('python3', ['-B', join(webroot, '../daemon/bundle/page.py'), webroot, folder]);
  return folder;
}

/** In tests, returns the joined file that replaces a file of the page, or null. */
async function fewFile(file) {
  if (asProgram || !file.startsWith(webroot)) return null;
  few ??= inFewFiles();
  return readFile(join(await few, relative(webroot, file))).catch(() => null);
}

/** Returns the bytes of a file, or null. */
async function content(file) {
  if (asProgram) return readFile(file).catch(() => null);
  if (!contents.has(file)) contents.set(file, fewFile(file).then((few) => few ?? readFile(file).catch(() => null)));
  return contents.get(file);
}

export class Mock {
  /** `tasks`: it reports which context runs; `checkpoints`: it has some; `messages`: their number; `root`: the directory of the page. */
  constructor({
    seed = 1,
    extra = 0,
    rounds = 40,
    live = true,
    perTick = 1,
    tasks = false,
    checkpoints = false,
    messages = 0,
    root = webroot,
  } = {}) {
    this.root = root;
    this.program = new Program({ seed, extra, tasks });
    this.program.run(rounds);
    this.program.changes();
    this.live = live;
    this.perTick = perTick;
    this.sequence = 1;
    this.clearedAt = 0; // sequence
    this.checkpoints = checkpoints ? madeCheckpoints(seed) : [];
    this.messages = madeMessages(0, messages);
    this.messagesDropped = 0;
    this.listeners = new Set();
    this.commands = [];
    this.pauses = new Map(); // id -> a Mock that has stopped
    this.pausesMost = 4;
    this.asked = []; // every requested address, oldest first
    this.refuse = null; // { status, title, detail } for device commands and recordings
    this.changeSource = (answer) => answer; // the answer about a function's source
    this.doctor = { findings: [{ verdict: 'ok', text: 'The device answers, and profiles.' }], fails: 0 }; // null: too many requests
    this.source = {
      port: '/dev/ttyACM0',
      dialect: 'miniprof',
      state: 'connected',
      dialect_provides: ['tree', 'timeline'],
      listen_only: false,
      baud: 921600,
      elf: { path: 'build/firmware.elf', functions: 412, state: 'ok' },
      detail: '',
      recording: null,
    };
    this.slowdown = null; // as in the snapshot
    this.target = {
      fw_version: 'v1.4.2',
      mcu_clock_hz: 168000000,
      ticks_per_second: 1000000,
      elf_build_id: '0x7f3a91c2',
      elf_match: true,
      profiling: true,
      buffer_overflows: 0,
      records_captured: 0,
      buffer_usage_percent: 3,
      mode: 'calls',
      mode_wanted: 'auto',
      description: null,
    };
    this.link = {
      bytes: 0,
      packets: 0,
      records: 0,
      crc_errors: 0,
      framing_errors: 0,
      malformed: 0,
      bytes_skipped: 0,
      unsupported_version: 0,
      records_lost: 0,
      unplaced_calls: 0,
      orphan_exits: 0,
      missing_exits: 0,
      over_limit: 0,
      reconnects: 0,
      target_resets: 0,
      unknown_types: 0,
      line_use_percent: 0,
      bytes_per_second: 0,
      calls_per_second: 0,
      header_order: 'AA 55',
      crc_init: '0xFFFF',
    };
    this.windows = { excerpts: false, told: 0, missed: 0, rows: [] };
    this.limits = [];
    this.breaches = [];
    this.samples = { hz: null, total: 0 };
    this.program.calls() > 0 && this.#measure(0);
  }

  #measure(calls) {
    const { link } = this;
    const wobble = 0.93 + 0.14 * this.program.roll();
    link.calls_per_second = calls > 0 ? Math.round(((calls * 1000) / everyMs) * wobble) : 0;
    link.bytes_per_second = Math.round(link.calls_per_second * 14.55);
    link.line_use_percent = this.source.baud ? (link.bytes_per_second * 1000) / this.source.baud : null;
    link.records = this.program.calls();
    link.packets = Math.floor(link.records / 20);
    link.bytes = Math.round(link.records * 14.55);
    this.target.records_captured = link.records;
    if (this.source.recording && !this.source.recording.error)
      this.source.recording.bytes = link.bytes - this.recordedFrom;
  }

  head() {
    return {
      sequence: this.sequence,
      cleared_at: this.clearedAt,
      captured_at: new Date().toISOString(),
      source: this.source,
      target: this.target,
      link: this.link,
      slowdown: this.slowdown,
      samples: this.samples,
    };
  }

  snapshot() {
    return {
      schema: 'miniprofd.snapshot',
      schema_version: 1,
      producer: 'miniprofd 0.1.0',
      ...this.head(),
      ...this.program.rows(),
      checkpoints: this.checkpoints,
      messages: this.messages,
      messages_dropped: this.messagesDropped,
      contexts: this.program.contexts(),
      windows: this.windows,
      limits: this.limits,
    };
  }

  /** Returns the snapshot of the range from tick `from` to `to`. */
  snapshotOf(from, to) {
    const whole = this.snapshot();
    const { timed } = this.program;
    const range = { from, to, held_from: Math.max(from, timed.gone) };
    if (this.windows.excerpts)
      range.known = this.windows.rows.reduce((sum, row) => sum + Math.max(0, Math.min(row.to, to) - Math.max(row.from, from)), 0);
    const contexts = this.program.contextsIn(from, to);
    const messages = whole.messages.filter(({ ticks }) => ticks >= from && ticks <= to);
    return { ...whole, ...timed.within(whole, range.held_from, to), messages, contexts, range };
  }

  tick() {
    if (this.listeners.size === 0) return; // no page is connected
    if (!this.live || this.source.state !== 'connected' || this.target.profiling === false) return;
    const before = this.program.calls();
    this.program.run(this.perTick);
    this.#measure(this.program.calls() - before);
    this.publish();
  }

  /** Sends an update with the changed calls and the given parts. */
  publish({ checkpoints = [], messages = [], windows, limits } = {}) {
    const since = this.sequence++;
    this.send('delta', {
      since,
      ...this.head(),
      ...this.program.changes(),
      checkpoints,
      messages,
      messages_dropped: this.messagesDropped,
      contexts: this.program.contexts(),
      windows,
      limits,
    });
  }

  /** Sends `n` more messages. */
  say(n) {
    const messages = madeMessages(this.messagesDropped + this.messages.length, n);
    this.messages.push(...messages);
    this.publish({ messages });
  }

  /** Adds a measurement to a checkpoint. */
  measure(id, ticks) {
    const row = this.checkpoints[id];
    row.mean_ticks = ((row.mean_ticks ?? 0) * row.count + ticks) / (row.count + 1);
    row.count++;
    row.first_ticks ??= ticks;
    row.min_ticks = Math.min(row.min_ticks ?? ticks, ticks);
    row.max_ticks = Math.max(row.max_ticks ?? ticks, ticks);
    this.publish({ checkpoints: [row] });
  }

  /**
   * Switches to mode tree: times of calls are known only inside these windows. `rows` are windows as the daemon sends them; parts that are
   * equal in all of them are added.
   */
  keep(rows) {
    const { timed } = this.program;
    const filled = rows.map((row, number) => ({ number, missed: 0, lost: 0, excerpt: true, state: 'whole', ...row }));
    this.windows = { excerpts: true, told: rows.length, missed: 0, rows: filled };
    timed.only(filled);
    this.set({ target: { mode: 'tree', mode_wanted: 'tree' } });
    this.publish({ windows: this.windows });
  }

  /** Overrides parts of source, target and link, and notifies everyone. */
  set({ source = {}, target = {}, link = {} }) {
    Object.assign(this.source, source);
    Object.assign(this.target, target);
    Object.assign(this.link, link);
    this.publish();
  }

  send(event, data, only = null) {
    const text = `event: ${event}\nid: ${this.sequence}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const listener of only ? [only] : this.listeners) listener.write(text);
  }

  clear() {
    this.program.clear();
    this.clearedAt = ++this.sequence;
    this.send('snapshot', this.snapshot());
  }

  #json(response, status, body) {
    response.writeHead(status, {
      'Content-Type': status < 400 ? 'application/json' : 'application/problem+json',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    });
    response.end(JSON.stringify(body));
  }

  /** Returns the recordings as the daemon lists them. */
  #recordings() {
    const kept = (this.source.keeping?.rows ?? []).map(({ name, at, bytes, limit }) => ({ path: `${this.source.keeping.folder}/${name}`, at, bytes, limit, open: false }));
    return [...(this.recorded ?? []), ...kept];
  }

  /** Opens a recording: the present state stands for its content. */
  #openRecording(response, { path }) {
    if (this.refuse) return this.#json(response, this.refuse.status, this.refuse);
    if (!this.#recordings().some((row) => row.path === path)) return this.#json(response, 404, { title: 'Not found', detail: `${path} is no recording of this run.` });
    this.#pause(response);
    this.pauses.get(this.lastPause).source.port = `file:${path}`;
  }

  /** Keeps the present state for a paused page. */
  #pause(response) {
    if (this.pauses.size >= this.pausesMost)
      return this.#json(response, 503, { title: 'Busy', detail: 'No more can be kept: resume one of them.' });
    const kept = Object.assign(new Mock({ rounds: 0 }), this);
    kept.program = this.program.copy();
    for (const part of ['source', 'target', 'link', 'checkpoints', 'messages', 'windows', 'limits']) kept[part] = structuredClone(this[part]);
    this.lastPause = (this.lastPause ?? 0) + 1;
    this.pauses.set(this.lastPause, kept);
    return this.#json(response, 200, { pause: this.lastPause, sequence: this.sequence, seconds: 1800 });
  }

  #device(command, response, body) {
    this.commands.push(body === '{}' ? command : `${command} ${body}`);
    if (this.refuse) return this.#json(response, this.refuse.status, this.refuse);
    const { name, value, mode, when } = JSON.parse(body || '{}');
    if (name !== undefined) this.#setting(name, value);
    if (mode !== undefined) this.set({ target: { mode_wanted: mode, mode: mode === 'calls' ? 'calls' : 'stream' } });
    if (when !== undefined) this.set({ target: { trigger: when && { when, state: 'armed', detail: null } } });
    if (command === 'start' || command === 'stop') this.set({ target: { profiling: command === 'start' } });
    return this.#json(response, 200, { answer: 'ack', ...this.head() });
  }

  /** Sets a setting in a new description object, as with a daemon's next update. */
  #setting(name, value) {
    const { description } = this.target;
    const settings = description.settings.map((one) => (one.name === name ? { ...one, value } : one));
    this.set({ target: { description: { ...description, settings } } });
  }

  #limit(response, { limit }) {
    if (!/^.+:(max|mean|p99)<[\d.]+us$/.test(limit))
      return this.#json(response, 400, { title: 'Bad Request', detail: `The limit '${limit}' cannot be read.` });
    const none = { detail: 'No call of it has been received yet.', judged: 0, breaches: 0, broken_now: false, now: null, first: null, last: null, worst: null };
    this.lastLimit = (this.lastLimit ?? 0) + 1;
    const [, name, figure] = /^(.+):(\w+)</.exec(limit);
    this.limits = [...this.limits, { id: this.lastLimit, limit, name, figure, unit: 'ns', function: null, state: 'waits', ...none }];
    this.publish({ limits: this.limits });
    return this.#json(response, 200, { answer: 'ack', id: this.lastLimit, limits: this.limits });
  }

  #limitEnd(response, { id }) {
    this.limits = this.limits.filter((row) => row.id !== id);
    this.publish({ limits: this.limits });
    return this.#json(response, 200, { answer: 'ack', id, limits: this.limits });
  }

  /** Adds a breach of limit `id` from tick `from` to `ticks`. */
  breach(id, from, ticks, value) {
    const at = '2026-11-20T12:00:00.000Z';
    const one = { from, ticks, at, value };
    this.breaches.push({ number: this.breaches.length, limit: id, ...one });
    const fn = (name) => this.program.functions.find((row) => row.name === name)?.id ?? null;
    this.limits = this.limits.map((row) =>
      row.id === id ? { ...row, function: fn(row.name), state: 'broken', detail: null, judged: row.judged + 5, breaches: row.breaches + 1, first: row.first ?? one, last: one, worst: one } : row,
    );
    this.publish({ limits: this.limits });
  }

  #record(what, response) {
    const before = this.source.recording;
    const on = before !== null && before.error === null;
    if (this.refuse) return this.#json(response, this.refuse.status, this.refuse);
    if (on === (what === 'start'))
      return this.#json(response, 409, {
        title: 'Conflict',
        detail: on ? `This is being recorded already, into ${before.path}.` : 'Nothing is being recorded.',
      });
    const begun = {
      path: '/home/ada/miniprofd-20261120-120000.bin',
      bytes: 0,
      since: new Date().toISOString(),
      error: null,
    };
    this.recordedFrom = on ? 0 : this.link.bytes;
    if (on) this.recorded = [{ path: before.path, at: before.since, bytes: before.bytes, limit: null, open: false }];
    this.set({ source: { recording: on ? null : begun } });
    return this.#json(response, 200, on ? before : begun);
  }

  #events(request, response) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
    this.listeners.add(response);
    request.on('close', () => this.listeners.delete(response));
    this.send('hello', { version: '0.1.0', schema_version: 1, api: 1, run: 'mock', figures, limit_figures: limitFigures }, response);
    this.send('snapshot', this.snapshot(), response);
  }

  async #file(path, response) {
    const name = { '/': 'index.html', '/favicon.ico': 'icon.svg' }[path] ?? path; // as in the daemon
    const file = normalize(join(this.root, name));
    const body = file.startsWith(this.root) ? await content(file) : null;
    if (body === null)
      return this.#json(response, 404, { title: 'Not found', detail: `There is no ${path}.` });
    response.writeHead(200, {
      'Content-Type': types[extname(file)] ?? 'application/octet-stream',
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': path === '/' || asProgram ? 'no-cache' : 'max-age=3600', // tests load the page often
    });
    return response.end(body);
  }

  async answer(request, response) {
    const { pathname, searchParams } = new URL(request.url, 'http://mock');
    const number = (name) => (searchParams.has(name) ? Number(searchParams.get(name)) : null);
    if (this.asked.push(request.url) > 2000) this.asked.shift();
    if (pathname === '/healthz') return this.#json(response, 200, 'ok');
    const api = pathname.startsWith('/api/v1/') ? pathname.slice(8) : null;
    if (api === null) return this.#file(decodeURIComponent(pathname), response);
    if (request.method === 'POST') {
      if (request.headers['content-type'] !== 'application/json')
        return this.#json(response, 403, {
          title: 'Forbidden',
          detail: 'Content-Type must be application/json.',
        });
      if (api.startsWith('device/')) return this.#device(api.slice(7), response, await bodyOf(request));
      if (api.startsWith('record/')) return this.#record(api.slice(7), response);
      if (api === 'limits') return this.#limit(response, JSON.parse(await bodyOf(request)));
      if (api === 'limits/end') return this.#limitEnd(response, JSON.parse(await bodyOf(request)));
      if (api === 'recordings/open') return this.#openRecording(response, JSON.parse(await bodyOf(request)));
      if (api === 'pauses') return this.#pause(response);
      if (api === 'pauses/end')
        return this.#json(response, 200, { kept: this.pauses.delete(JSON.parse(await bodyOf(request)).pause) });
      if (api !== 'profile/clear') return this.#json(response, 404, { title: 'Not found', detail: pathname });
      this.clear();
      return this.#json(response, 200, {});
    }
    if (api === 'recordings') return this.#json(response, 200, { recordings: this.#recordings() });
    if (number('pause') !== null) {
      const kept = this.pauses.get(number('pause'));
      if (kept === undefined)
        return this.#json(response, 410, { title: 'Gone', detail: 'What was paused is not kept any more.' });
      return kept.#read(api, number, response);
    }
    return this.#read(api, number, response, request);
  }

  async #read(api, number, response, request) {
    if (api === 'events') return this.#events(request, response);
    if (api === 'snapshot') {
      const range = [number('from'), number('to')];
      return this.#json(response, 200, range[0] === null ? this.snapshot() : this.snapshotOf(...range));
    }
    if (api === 'timeline') {
      const { timed } = this.program;
      const answer = timed.answer(this.sequence, number('from'), number('to'), number('max') ?? 10000);
      return this.#json(response, 200, answer);
    }
    if (api === 'split') {
      const part = { fn: null, start: number('from'), duration: number('to') - number('from'), context: number('context') };
      return this.#json(response, 200, this.program.timed.split(part));
    }
    if (api === 'tasks') return this.#json(response, 200, this.program.timed.tasks(this.sequence, number('from'), number('to'), this.snapshot().contexts));
    if (api === 'limits') return this.#json(response, 200, { limits: this.limits, breaches: { told: this.breaches.length, rows: this.breaches } });
    if (api === 'slowest') {
      const { timed } = this.program;
      return this.#json(response, 200, timed.slowest(this.sequence, number('from'), number('to'), number('max'), this.snapshot().functions));
    }
    if (api === 'link/history') return this.#json(response, 200, historyOf(this.head().link));
    if (api === 'doctor') {
      const [status, answer] = this.doctor ? [200, this.doctor] : [503, { title: 'Busy', detail: 'Two are being answered already.' }];
      return this.#json(response, status, answer);
    }
    if (api === 'status') {
      return this.#json(response, 200, {
        version: '0.1.0',
        ...this.head(),
        dialects: [{ id: 'miniprof', title: 'MiniProfiler', summary: '' }],
        exports: [
          { id: 'json', title: 'JSON snapshot', extension: 'json', media_type: 'application/json' },
          { id: 'collapsed', title: 'Folded stacks', extension: 'folded', media_type: 'text/plain' },
          { id: 'csv', title: 'Functions as CSV', extension: 'csv', media_type: 'text/csv' },
          { id: 'perfetto', title: 'Perfetto trace', extension: 'perfetto-trace', media_type: 'application/octet-stream' },
        ],
      });
    }
    const shown = /^functions\/(\d+)\/source$/.exec(api)?.[1];
    if (shown !== undefined && this.program.functions[shown]) {
      const answer = sourceOf(this.program, Number(shown), this.samples.total > 0);
      return this.#json(response, 200, this.changeSource(answer));
    }
    const timed = /^functions\/(\d+)\/over-time$/.exec(api)?.[1];
    if (timed !== undefined && this.program.functions[timed])
      return this.#json(response, 200, overTime(this.program.timed.list, Number(timed), number('from'), number('to'), number('columns')));
    const periods = /^functions\/(\d+)\/periods$/.exec(api)?.[1];
    if (periods !== undefined && this.program.functions[periods])
      return this.#json(response, 200, periodsOf(this.program.timed.list, Number(periods), number('from'), number('to')));
    const id = /^functions\/(\d+)$/.exec(api)?.[1];
    if (id !== undefined && this.program.functions[id]) {
      const range = [number('from'), number('to')];
      return this.#json(response, 200, {
        ...this.program.functionDetail(Number(id)),
        ...(range[0] === null ? {} : { ...this.snapshotOf(...range).functions[id], ...spreadIn(this.program.timed.list, Number(id), ...range) }),
      });
    }
    if (api.startsWith('export/')) {
      response.writeHead(200, {
        'Content-Type': 'application/json',
        'Content-Disposition': `attachment; filename="profile.${api.slice(7)}"`,
      });
      return response.end(JSON.stringify(this.snapshot()));
    }
    return this.#json(response, 404, { title: 'Not found', detail: api });
  }

  async listen(port = 0) {
    this.server = createServer((request, response) => this.answer(request, response));
    await new Promise((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, '127.0.0.1', resolve);
    });
    this.port = this.server.address().port;
    this.address = `http://127.0.0.1:${this.port}/`;
    this.timer = setInterval(() => this.tick(), everyMs);
  }

  async stop() {
    clearInterval(this.timer);
    this.listeners.clear();
    const closed = new Promise((resolve) => {
      this.server.close(resolve);
    });
    this.server.closeAllConnections();
    await closed;
  }
}

export async function startMock(options = {}) {
  const mock = new Mock(options);
  await mock.listen(options.port);
  return mock;
}

if (asProgram) {
  const mock = await startMock({ port: Number(process.argv[2] ?? 0), extra: Number(process.argv[3] ?? 0), tasks: true });
  console.log(`mock daemon on ${mock.address}`);
}
