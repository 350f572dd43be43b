// mock-program.mjs - simulates a firmware that runs at random: its functions, its call tree and its figures.

import { histogram, worth } from './mock-histogram.mjs';
import { Calls } from './mock-timeline.mjs';

/** Returns a small seeded random generator (mulberry32): the same seed gives the same run. */
export function dice(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const hookTicks = 1; // measuring cost of a call, included in its time

// One line a function: name | file | self ticks of a call. Below it: calls of each callee per call.
const table = `
[depth 0 running] | - | 0
    1 app_loop; 3 SysTick_Handler; 0.8 DMA1_Stream5_IRQHandler; 1.5 USART2_IRQHandler
app_loop | src/app/main.c | 14
    1 sensor_task; 2 control_step; 1 net_poll; 0.3 ui_refresh; 0.4 log_flush; 1 watchdog_kick
sensor_task | src/app/sensors.c | 22
    2 imu_read; 0.5 baro_read; 1 fusion::Ekf<float, 9>::predict(fusion::Vector<float, 3> const&, float);
    0.6 fusion::Ekf<float, 9>::update(fusion::Vector<float, 3> const&)
imu_read | src/drivers/imu.c | 9
    3 spi_transfer; 1 imu_scale
baro_read | src/drivers/baro.c | 12
    2 i2c_transfer; 1 baro_compensate
imu_scale | src/drivers/imu.c | 6
baro_compensate | src/drivers/baro.c | 18
    2 __aeabi_ldivmod
spi_transfer | src/hal/spi.c | 11
    1 dma_start; 1 spi_wait
spi_wait | src/hal/spi.c | 24
dma_start | src/hal/dma.c | 5
i2c_transfer | src/hal/i2c.c | 41
    3 i2c_wait_flag
i2c_wait_flag | src/hal/i2c.c | 17
fusion::Ekf<float, 9>::predict(fusion::Vector<float, 3> const&, float) | src/fusion/ekf.hpp | 38
    2 fusion::Matrix<float, 9, 9>::operator*(fusion::Matrix<float, 9, 9> const&) const; 1 quat_integrate
fusion::Ekf<float, 9>::update(fusion::Vector<float, 3> const&) | src/fusion/ekf.hpp | 30
    3 fusion::Matrix<float, 9, 9>::operator*(fusion::Matrix<float, 9, 9> const&) const;
    1 fusion::Matrix<float, 9, 9>::cholesky() const
fusion::Matrix<float, 9, 9>::operator*(fusion::Matrix<float, 9, 9> const&) const | src/fusion/matrix.hpp | 96
fusion::Matrix<float, 9, 9>::cholesky() const | src/fusion/matrix.hpp | 61
    9 sqrtf
quat_integrate | src/fusion/quat.c | 17
    1 sinf; 1 cosf; 1 quat_normalize
quat_normalize | src/fusion/quat.c | 8
    1 sqrtf
sqrtf | - | 3
sinf | - | 13
cosf | - | 13
control_step | src/app/control.c | 16
    3 pid_update; 1 mixer_apply; 4 std::clamp<float>(float const&, float const&, float const&); 4 pwm_set
pid_update | src/app/pid.c | 12
    1 std::clamp<float>(float const&, float const&, float const&); 1 lowpass_step
lowpass_step | src/app/filter.c | 4
mixer_apply | src/app/mixer.c | 15
pwm_set | src/hal/pwm.c | 3
std::clamp<float>(float const&, float const&, float const&) | - | 1
net_poll | src/net/net.c | 10
    1.2 eth_rx; 1 tcp_tick; 0.4 mqtt_process
eth_rx | src/net/eth.c | 20
    0.8 ip_input; 1 pbuf_alloc; 1 pbuf_free
ip_input | src/net/ip.c | 14
    1 inet_chksum; 0.7 tcp_input; 0.2 udp_input
tcp_input | src/net/tcp.c | 36
    1 inet_chksum; 0.5 tcp_output; 0.3 mqtt_process
udp_input | src/net/udp.c | 12
    0.1 dns_recv; 0.1 sntp_recv
dns_recv | src/net/dns.c | 25
sntp_recv | src/net/sntp.c | 19
    1 __aeabi_ldivmod
tcp_output | src/net/tcp.c | 26
    1 inet_chksum; 1 eth_tx
tcp_tick | src/net/tcp.c | 7
    0.2 tcp_output
eth_tx | src/net/eth.c | 18
    1 memcpy; 1 dma_start
inet_chksum | src/net/chksum.c | 31
pbuf_alloc | src/net/pbuf.c | 9
    1 mem_malloc
pbuf_free | src/net/pbuf.c | 6
    1 mem_free
mem_malloc | src/net/mem.c | 14
mem_free | src/net/mem.c | 11
mqtt_process | src/net/mqtt.c | 21
    0.6 json_parse_value; 0.5 mqtt_publish
mqtt_publish | src/net/mqtt.c | 17
    1 snprintf; 1 tcp_output
json_parse_value | src/lib/json.c | 13
    0.5 json_parse_object; 0.8 json_parse_string; 0.4 json_parse_number
json_parse_object | src/lib/json.c | 10
    1.1 json_parse_value; 1 json_parse_string
json_parse_string | src/lib/json.c | 22
json_parse_number | src/lib/json.c | 11
    1 strtof
strtof | - | 28
snprintf | - | 12
    1 _vsnprintf
_vsnprintf | - | 62
    2 _ntoa_long; 0.6 _ftoa
_ntoa_long | - | 14
    1 __aeabi_uldivmod
_ftoa | - | 33
__aeabi_ldivmod | - | 12
__aeabi_uldivmod | - | 10
memcpy | - | 7
ui_refresh | src/ui/ui.c | 15
    2 gfx_draw_gauge; 3 gfx_draw_text; 1 lcd_flush
gfx_draw_gauge | src/ui/gfx.c | 44
    6 gfx_line; 2 sinf; 2 cosf
gfx_draw_text | src/ui/gfx.c | 12
    8 gfx_glyph; 0.5 snprintf
gfx_glyph | src/ui/gfx.c | 7
gfx_line | src/ui/gfx.c | 9
lcd_flush | src/ui/lcd.c | 30
    4 spi_transfer
log_flush | src/app/log.c | 11
    2 snprintf; 2 uart_write; 0.3 <img src=x onerror=alert(1)>
<img src=x onerror=alert(1)> | src/app/"hostile".c | 5
uart_write | src/hal/uart.c | 8
    6 ring_put
ring_put | src/lib/ring.c | 2
ring_get | src/lib/ring.c | 2
watchdog_kick | src/hal/iwdg.c | 2
SysTick_Handler | src/hal/systick.c | 3
    1 scheduler_tick
scheduler_tick | src/rtos/sched.c | 6
    0.3 list_remove; 0.3 list_insert
list_insert | src/rtos/list.c | 4
list_remove | src/rtos/list.c | 3
DMA1_Stream5_IRQHandler | src/hal/dma.c | 7
    1 xQueueSendFromISR
xQueueSendFromISR | src/rtos/queue.c | 9
    1 memcpy
USART2_IRQHandler | src/hal/uart.c | 6
    0.6 ring_get; 0.4 ring_put
`;

/** Returns [[name, file or null, self ticks, [[callee, rate], ...]], ...]. */
function readTable(text) {
  const functions = [];
  for (const line of text.trim().split('\n')) {
    if (line.startsWith(' ')) {
      const calls = line
        .split(';')
        .map((call) => /^\s*(\S+) (.+)$/.exec(call))
        .filter(Boolean);
      functions.at(-1)[3].push(...calls.map(([, rate, name]) => [name, Number(rate)]));
    } else {
      const [name, file, own] = line.split(' | ');
      functions.push([name, file === '-' ? null : file, Number(own), []]);
    }
  }
  return functions;
}

const program = readTable(table);

const depthMost = 14;

/** Returns extra functions that only make the table long. */
function filler(count) {
  const parts = [
    ['can', 'usb', 'flash', 'adc', 'rtc', 'crypto', 'audio', 'motor'],
    ['init', 'update', 'encode', 'verify', 'wait', 'poll', 'copy', 'reset'],
    ['frame', 'block', 'channel', 'slot', 'page', 'buffer', 'state', 'event'],
  ];
  return Array.from({ length: count }, (_, i) => {
    const [a, b, c] = parts.map((list, k) => list[Math.floor(i / 8 ** k) % 8]);
    return [
      `${a}_${b}_${c}${i >= 512 ? `_${Math.floor(i / 512)}` : ''}`,
      `src/${a}/${a}.c`,
      3 + (i % 40),
      [],
    ];
  });
}

export class Program {
  /** `extra`: the number of further functions, called from app_loop now and then. `tasks`: it reports which context runs. */
  constructor({ seed = 1, extra = 0, tasks = false } = {}) {
    this.tasks = tasks;
    this.roll = dice(seed);
    const all = [...program, ...filler(extra)];
    if (extra > 0)
      all[1] = [
        ...all[1].slice(0, 3),
        [...all[1][3], ...all.slice(program.length).map(([name]) => [name, 0.02])],
      ];
    const idOf = new Map(all.map(([name], id) => [name, id]));
    this.rules = all.map(([, , own, callees]) => ({
      own,
      callees: callees.map(([name, rate]) => [idOf.get(name), rate]),
    }));
    // The main loop never returns: the first row is its placeholder.
    this.names = all.map(([name, file], id) => ({
      ...(id === 0 ? { kind: 'running', number: 0 } : { kind: 'function' }),
      name,
      file,
      address: `0x${(0x08000200 + id * 0x94).toString(16).padStart(8, '0')}`,
      size: 40 + ((id * 52) % 480),
      line: file ? 12 + ((id * 37) % 700) : null,
    }));
    this.timed = new Calls();
    this.clear();
  }

  /** Returns a copy of the present state. */
  copy() {
    const { roll, timed, ...data } = this;
    return Object.assign(Object.create(Program.prototype), structuredClone(data), { roll, timed: timed.copy() });
  }

  clear() {
    this.timed.clear();
    const turn = (name, kind) => ({ name, kind, running_ticks: 0, preempted_ticks: 0, blocked_ticks: 0 });
    this.turns = [turn('main', 'thread'), turn('exceptions', 'isr'), turn('IDLE', 'idle')];
    this.functions = this.names.map((about, id) => ({
      id,
      ...about,
      calls: 0,
      total_ticks: 0,
      self_ticks: 0,
      min_ticks: null,
      max_ticks: null,
      mean_ticks: null,
      p50_ticks: null,
      p90_ticks: null,
      p99_ticks: null,
      stddev_ticks: null,
      samples: 0,
      durations: [],
    }));
    this.tree = { parent: [-1], function: [-1], context: [0], calls: [0], total_ticks: [0], self_ticks: [0] };
    this.childOf = new Map();
    this.arcs = new Map();
    this.changedFunctions = new Set();
    this.changedRows = new Set();
    this.changedArcs = new Set();
  }

  #row(parent, fn) {
    const key = parent * 100000 + fn;
    let row = this.childOf.get(key);
    if (row === undefined) {
      row = this.tree.parent.length;
      this.childOf.set(key, row);
      for (const [name, cell] of Object.entries({
        parent,
        function: fn,
        context: 0,
        calls: 0,
        total_ticks: 0,
        self_ticks: 0,
      }))
        this.tree[name].push(cell);
    }
    return row;
  }

  #call(parent, fn, depth, context = 0) {
    const row = this.#row(parent, fn);
    const rule = this.rules[fn];
    const entered = this.timed.enter();
    let below = 0;
    for (const [callee, rate] of rule.callees) {
      const times = Math.floor(rate) + (this.roll() < rate % 1 ? 1 : 0);
      for (let i = 0; i < times && depth < depthMost; i++)
        below += this.#call(row, callee, depth + 1, context);
    }
    const own = Math.max(
      1,
      Math.round(rule.own * (0.7 + 0.5 * this.roll() + (this.roll() < 0.04 ? 3 * this.roll() : 0))),
    );
    this.#count(row, fn, parent, own, own + below);
    this.timed.leave(entered, own, { fn, depth: depth - context, context, row });
    return own + below;
  }

  #count(row, fn, parent, own, ticks) {
    this.tree.calls[row]++;
    this.tree.total_ticks[row] += ticks;
    this.tree.self_ticks[row] += own;
    this.changedRows.add(row);
    const one = this.functions[fn];
    one.calls++;
    one.total_ticks += ticks;
    one.self_ticks += own;
    one.min_ticks = one.min_ticks === null ? ticks : Math.min(one.min_ticks, ticks);
    one.max_ticks = Math.max(one.max_ticks ?? 0, ticks);
    if (one.durations.length < 4000) one.durations.push(ticks);
    else one.durations[Math.floor(this.roll() * 4000)] = ticks;
    this.changedFunctions.add(fn);
    const caller = this.tree.function[parent];
    if (caller < 0) return;
    const key = `${caller} ${fn}`;
    const arc = this.arcs.get(key) ?? { caller, callee: fn, calls: 0 };
    arc.calls++;
    this.arcs.set(key, arc);
    this.changedArcs.add(key);
  }

  /**
   * Runs `rounds` rounds of the main loop. The loop itself never returns: its row is a placeholder without calls.
   */
  run(rounds) {
    for (let i = 0; i < rounds; i++) {
      const row = this.#row(0, 0);
      for (const [callee, rate] of this.rules[0].callees) {
        const times = Math.floor(rate) + (this.roll() < rate % 1 ? 1 : 0);
        // Interrupts are a separate context, one level less deep: the main loop is not their caller.
        const context = this.names[callee].name.endsWith('Handler') ? 1 : 0;
        for (let k = 0; k < times; k++) {
          const ticks = this.#call(row, callee, 1, context);
          this.tree.total_ticks[row] += ticks;
          this.#turn(context, ticks);
        }
      }
      this.timed.idle(400);
      this.#turn(2, 400);
      this.changedRows.add(row);
      this.changedFunctions.add(0);
    }
  }

  /** Adds `ticks` in which `context` ran. Unless that is main (0), main was blocked (while the idle context 2 ran) or preempted. */
  #turn(context, ticks) {
    const [main, , idle] = this.turns;
    this.turns[context].running_ticks += ticks;
    if (context !== 2) idle.preempted_ticks += ticks;
    if (context === 0) return;
    const kind = context === 2 ? 'blocked' : 'preempted';
    main[`${kind}_ticks`] += ticks;
    if (this.tasks) this.timed.rest(kind, ticks, 0, 1);
  }

  /** Returns the contexts as in a snapshot. */
  contexts() {
    if (!this.tasks) return this.turns.slice(0, 2).map(({ name, kind }, id) => ({ id, name, kind }));
    const known = this.turns.reduce((sum, { running_ticks: ticks }) => sum + ticks, 0);
    return this.turns.map((turn, id) => ({
      id,
      ...turn,
      load_percent: known > 0 ? (100 * turn.running_ticks) / known : null,
    }));
  }

  /** Returns the contexts in a range: main's turns imply those of the others. Times are left out if the range begins before the timeline. */
  contextsIn(from, to) {
    const bare = this.contexts().map(({ id, name, kind }) => ({ id, name, kind }));
    if (!this.tasks || from < this.timed.gone) return bare;
    const within = (start, end) => Math.max(Math.min(end, to) - Math.max(start, from), 0);
    const sum = { preempted: 0, blocked: 0 };
    for (const { start, duration, kind } of this.timed.away) sum[kind] += within(start, start + duration);
    const all = within(this.timed.oldest ?? 0, this.timed.newest ?? 0);
    const running = [all - sum.preempted - sum.blocked, sum.preempted, sum.blocked];
    return bare.map((row, id) => ({
      ...row,
      running_ticks: running[id],
      preempted_ticks: id === 0 ? sum.preempted : id === 2 ? all - sum.blocked : 0,
      blocked_ticks: id === 0 ? sum.blocked : 0,
    }));
  }

  functionRow(id) {
    const { durations, ...row } = this.functions[id];
    if (row.calls > 0) {
      const sorted = Float64Array.from(durations).sort();
      const at = (q) => sorted[Math.min(Math.floor(q * sorted.length), sorted.length - 1)];
      Object.assign(row, {
        mean_ticks: row.total_ticks / row.calls,
        p50_ticks: at(0.5),
        p90_ticks: at(0.9),
        p99_ticks: at(0.99),
        stddev_ticks: Math.sqrt(durations.reduce((sum, one) => sum + (one - row.total_ticks / row.calls) ** 2, 0) / row.calls),
        corrected_total_ticks: row.kind === 'function' ? Math.max(row.total_ticks - hookTicks * row.calls, 0) : null,
        corrected_self_ticks: row.kind === 'function' ? Math.max(row.self_ticks - hookTicks * row.calls, 0) : null,
      });
    }
    return row;
  }

  functionDetail(id) {
    const edges = (end, other) => {
      const found = new Map();
      this.tree.function.forEach((fn, row) => {
        const above = this.tree.function[this.tree.parent[row]] ?? -1;
        const pair = { caller: above, callee: fn };
        if (row === 0 || above < 0 || pair[end] !== id) return;
        const edge = found.get(pair[other]) ?? {
          id: pair[other],
          name: this.functions[pair[other]].name,
          calls: 0,
          total_ticks: 0,
        };
        edge.calls += this.tree.calls[row];
        edge.total_ticks += this.tree.total_ticks[row];
        found.set(pair[other], edge);
      });
      return [...found.values()];
    };
    return {
      ...this.functionRow(id),
      histogram: histogram(this.functions[id].durations),
      ...worth(this.timed.list, id, histogram(this.functions[id].durations)),
      callers: edges('callee', 'caller'),
      callees: edges('caller', 'callee'),
    };
  }

  /** Returns the changes since the last call as a delta, and clears them. */
  changes() {
    const index = [...this.changedRows].sort((a, b) => a - b);
    const column = (name) => index.map((row) => this.tree[name][row]);
    const delta = {
      functions: [...this.changedFunctions].map((id) => this.functionRow(id)),
      call_tree: {
        index,
        parent: column('parent'),
        function: column('function'),
        context: column('context'),
        calls: column('calls'),
        total_ticks: column('total_ticks'),
        self_ticks: column('self_ticks'),
      },
      arcs: [...this.changedArcs].map((key) => this.arcs.get(key)),
    };
    this.changedRows.clear();
    this.changedFunctions.clear();
    this.changedArcs.clear();
    return delta;
  }

  rows() {
    return {
      functions: this.functions.map(({ id }) => this.functionRow(id)),
      call_tree: this.tree,
      arcs: [...this.arcs.values()],
    };
  }

  calls() {
    return this.functions.reduce((sum, fn) => sum + fn.calls, 0);
  }
}
