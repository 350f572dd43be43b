// facts.js - what is known about target and line: the load in the header, the rest in the panel of the connection.

import { el, setAttr, setText, setWidth } from '../dom.js';
import { bytes, compact, count, hertz } from '../model/format.js';
import { lineUse } from '../model/health.js';
import { ProcessorLoad } from '../model/load.js';

/** `head` and `host` are definition lists: the load goes into the first, all else into the second. */
export function createFacts(head, host) {
  const fact = (list, term, className = '') => {
    const value = el('dd', { class: className });
    list.append(el('div', {}, el('dt', {}, term), value));
    return value;
  };
  const facts = {
    load: fact(head, 'CPU load', 'load'),
    firmware: fact(host, 'Firmware'),
    elf: fact(host, 'ELF'), // a notice reports a wrong one, too
    clock: fact(host, 'Clock'),
    rate: fact(host, 'Calls/s', 'rate'),
    line: fact(host, 'Line', 'line-use'),
    fill: el('span'),
    use: el('span'),
  };
  facts.load.parentElement.hidden = true;
  facts.gauge = el('span', { class: 'gauge', 'aria-hidden': 'true' }, facts.fill);
  facts.processor = new ProcessorLoad();
  facts.line.append(facts.gauge, facts.use);
  return { update: (profile, answers) => update(facts, profile, answers) };
}

function elfState({ source, target }) {
  if (target.elf_match === true) return ['matches', 'ok'];
  if (target.elf_match === false) return ['wrong build', 'bad'];
  if (!source.elf) return [source.elf === null ? 'none' : '–', ''];
  if (source.elf.state === 'ok') return ['loaded', ''];
  return [source.elf.state, 'warn'];
}

function update(facts, profile, answers) {
  const { source, target, link } = profile;
  const isConnected = source.state === 'connected';
  setText(facts.firmware, target.fw_version || '–');
  setAttr(facts.firmware, 'title', target.fw_version || null);
  setText(facts.clock, hertz(target.mcu_clock_hz));
  showElf(facts.elf, profile);
  showLoad(facts, profile, isConnected && answers);
  setText(facts.rate, isConnected && answers ? compact(link.calls_per_second) : '–');
  showLine(facts, profile, isConnected && answers ? lineUse(link) : null);
}

function showElf(elf, profile) {
  const { name, path, functions } = profile.source.elf ?? {};
  const [word, level] = elfState(profile);
  setText(elf, word);
  setAttr(elf, 'data-level', level);
  setAttr(elf, 'title', [name ?? path, functions ? `${count(functions)} functions` : ''].filter(Boolean).join(' · '));
}

function showLoad({ load, processor }, profile, isLive) {
  if (profile.loaded) processor.add(performance.now(), profile);
  const told = isLive ? processor.told(profile) : null;
  const cell = load.parentElement;
  cell.hidden = told === null;
  if (told === null) return;
  setText(load, told.text);
  setAttr(cell, 'title', told.tip);
}

/** `percent` of the line's capacity, or null if unknown. */
function showLine({ line, gauge, fill, use }, { source, link }, percent) {
  const isKnown = percent !== null;
  gauge.hidden = !isKnown;
  setWidth(fill, percent / 100);
  setAttr(gauge, 'data-level', percent > 95 ? 'bad' : percent > 80 ? 'warn' : 'ok');
  const none = source.state !== 'connected' || link.bytes_per_second === undefined;
  const bare = none ? '–' : `${bytes(link.bytes_per_second)}/s`;
  setText(use, isKnown ? `${Math.round(percent)} %` : bare);
  setAttr(
    line,
    'title',
    isKnown
      ? `${Math.round(percent)} % of ${count(source.baud)} baud`
      : 'Bytes per second: this line holds to no baud rate',
  );
}
