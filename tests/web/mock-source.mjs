// mock-source.mjs - makes up source lines and instructions of the simulated firmware's functions in the daemon's
// form.

import { dice } from './mock-program.mjs';

const hex = (address, digits = 8) => `0x${address.toString(16).padStart(digits, '0')}`;
const root = '/home/me/firmware';

/**
 * Returns the daemon's answer about the source of function `id`: a line for each callee, a loop around them, a line
 * of an inlined header and a literal. Functions without a file have no lines, placeholders have nothing.
 * `sampled` adds samples.
 */
export function sourceOf(program, id, sampled = false) {
  const fn = program.functions[id];
  const { callees } = program.rules[id];
  const roll = dice(id + 1);
  const isPlaceholder = fn.kind !== 'function';
  const own = fn.file ? 0 : null;
  const files = fn.file
    ? [
        { file: fn.file, path: `${root}/${fn.file}`, reason: null, changed: false },
        { file: 'src/hal/port.h', path: `${root}/src/hal/port.h`, reason: null, changed: false },
      ]
    : [];
  const lines = [];
  const instructions = [];
  let address = Number(fn.address);
  const write = (text, count, of) => {
    lines.push({ line: (fn.line ?? 0) + lines.length, text, instructions: 0, samples: sampled ? 0 : null });
    for (let i = 0; i < count; i++) of(i);
  };
  const run = (bytes, text, more = {}, place = [own, own === null ? null : lines.at(-1).line]) => {
    const samples = sampled ? Math.floor(roll() * roll() * 40) / (roll() < 0.2 ? 2 : 1) : null;
    instructions.push({
      address: hex(address),
      bytes,
      text,
      data: false,
      file: place[0],
      line: place[1],
      samples,
      target: null,
      literal: null,
      ...more,
    });
    address += bytes.length > 5 ? 4 : 2;
    if (place[0] === own && own !== null) {
      lines.at(-1).instructions++;
      if (sampled) lines.at(-1).samples += samples;
    }
  };
  write(`static int ${fn.name.replace(/.*::|\W+/g, '')}(struct state *state, unsigned n)`, 0);
  write('{', 1, () => run('b5f8', 'push {r3, r4, r5, r6, r7, lr}'));
  write('    /* made up: <b>not</b> markup */', 0);
  write('    for (unsigned i = 0; i < n; i++) {', 1, () => run('2400', 'movs r4, #0'));
  const top = address;
  for (const [callee] of callees) {
    const to = program.functions[callee];
    write(`\t\tstate->sum += ${to.name}(state, i);`, 1, () => {
      run('4620', 'mov r0, r4');
      run('f7ff fe12', `bl #${hex(Number(to.address), 1)}`, {
        target: { address: to.address, name: to.name, function: callee },
      });
    });
  }
  run('f3ef 8310', 'mrs r3, primask', {}, fn.file ? [1, 24] : [null, null]);
  run('b672', 'cpsid i', {}, fn.file ? [1, 25] : [null, null]);
  write('    }', 1, () => {
    run('3401', 'adds r4, #1');
    run('42ac', 'cmp r4, r5');
    run('d3f4', `blo #${hex(top, 1)}`, { target: { address: hex(top), name: fn.name, function: id } });
  });
  write('    return state->sum;', 1, () => run('4b02', 'ldr r3, [pc, #8]', { literal: '0x20004404' }));
  write('}', 1, () => run('bdf8', 'pop {r3, r4, r5, r6, r7, pc}'));
  run('04 44 00 20', '.word 0x20004404', { data: true }, [null, null]);
  const inlined = instructions.filter((row) => row.file === 1);
  const noLines =
    'build/firmware.elf says nothing about the lines of this function: compile its file with -g, and do not strip.';
  const noPlace = `${fn.name} stands for what has no place of its own in the program.`;
  return {
    id,
    name: fn.name,
    address: isPlaceholder ? null : fn.address,
    size: address - Number(fn.address),
    file: fn.file,
    path: fn.file ? `${root}/${fn.file}` : null,
    line: fn.line,
    available: { source: !isPlaceholder && fn.file !== null, disassembly: !isPlaceholder },
    reason: {
      source: isPlaceholder ? noPlace : fn.file === null ? noLines : null,
      disassembly: isPlaceholder ? noPlace : null,
    },
    left_out: 0,
    bin_bytes: sampled ? 1 : null,
    own_file: own,
    files,
    lines: isPlaceholder || fn.file === null ? [] : lines,
    inlined:
      isPlaceholder || inlined.length === 0
        ? []
        : [
            {
              file: 1,
              lines: inlined.map(({ line, samples }, i) => ({
                line,
                text: [
                  '    __asm volatile("mrs %0, primask" : "=r"(was));',
                  '    __asm volatile("cpsid i");',
                ][i],
                instructions: 1,
                samples,
              })),
            },
          ],
    instructions: isPlaceholder ? [] : instructions,
  };
}
