// header.js - the strip that is always in sight: connection, target, rates, losses, and the buttons.

import { button, el, setAttr, setText, setWidth } from '../dom.js';
import { bytes, compact, count, hertz } from '../model/format.js';
import { whyNoCommand } from '../model/device.js';
import { connectionState, damagedPackets, lineUse, lostRecords } from '../model/health.js';

const byId = (id) => document.getElementById(id);

function fact(host, term, className = '') {
  const value = el('dd', { class: className });
  host.append(el('div', {}, el('dt', {}, term), value));
  return value;
}

function elfState({ source, target }) {
  if (target.elf_match === true) return ['matches', 'ok'];
  if (target.elf_match === false) return ['wrong build', 'bad'];
  if (!source.elf) return [source.elf === null ? 'none' : '–', ''];
  if (source.elf.state === 'ok') return ['loaded', ''];
  return [source.elf.state, 'warn'];
}

/**
 * `act` names what the buttons do: showLink, device(command), clear, pause, exportMenu(anchor), theme, help;
 * `more` has further buttons about the device and a note to stand among the losses.
 */
export function createHeader(act, more) {
  const connection = byId('connection');
  const title = byId('connection-title');
  const detail = byId('connection-detail');
  connection.addEventListener('click', act.showLink);

  const facts = byId('facts');
  const firmware = fact(facts, 'Firmware');
  const clock = fact(facts, 'Clock');
  clock.parentElement.className = 'spare'; // the Link view has it, too
  const elf = fact(facts, 'ELF');
  const rate = fact(facts, 'Calls/s', 'rate');
  const line = fact(facts, 'Line', 'line-use');
  const fill = el('span');
  const gauge = el('span', { class: 'gauge', 'aria-hidden': 'true' }, fill);
  const use = el('span');
  line.append(gauge, use);

  const badges = byId('badges');
  const badge = (tip) => {
    const one = el('button', {
      type: 'button',
      class: 'badge',
      title: `${tip}. Opens the Link view.`,
      onclick: act.showLink,
    });
    badges.append(one);
    return one;
  };
  const overflow = badge('Times the buffer on the device was full');
  const damaged = badge('Packets that arrived damaged');
  const lost = badge('Records known to be lost');
  badges.append(more.note);

  const device = byId('device');
  const start = button('play', 'Start', () => act.device('start'), {
    keys: 'Shift+S',
    tip: 'Start profiling on the device (Shift+S)',
  });
  const stop = button('stop', 'Stop', () => act.device('stop'), {
    keys: 'Shift+X',
    tip: 'Stop profiling on the device (Shift+X)',
  });
  const reset = button('reset', 'Reset', () => act.device('reset'), {
    keys: 'Shift+R',
    tip: 'Empty the buffers on the device (Shift+R)',
  });
  const clear = button('clear', 'Clear', act.clear, {
    keys: 'Shift+C',
    tip: 'Forget what was measured so far (Shift+C)',
  });
  for (const one of [reset, clear]) one.classList.add('minor');
  device.append(start, stop, reset, clear, ...more.buttons);

  const page = byId('page');
  const pause = button('pause', 'Pause', act.pause, {
    keys: 'Space',
    tip: 'Freeze the view while data keeps coming (Space)',
  });
  const exports = button('export', 'Export', () => act.exportMenu(exports), {
    keys: 'e',
    tip: 'Save the profile in another form (e)',
  });
  setAttr(exports, 'aria-haspopup', 'menu');
  setAttr(exports, 'aria-expanded', 'false');
  const theme = button('theme', 'Theme', act.theme, { iconOnly: true, keys: 't' });
  const help = button('help', 'Keys', act.help, { iconOnly: true, keys: '?' });
  page.append(pause, exports, theme, help);

  function lossBadge(node, n, word) {
    setText(node, `${compact(n ?? 0)} ${word}`);
    setAttr(node, 'data-level', n > 0 ? 'warn' : null);
  }

  return {
    exports,
    /** Shows the profile's head as it is now. */
    update(profile, { answers, paused, theme: chosen }) {
      const { source, target, link } = profile;
      const state = connectionState(profile, answers);
      setAttr(connection, 'data-level', state.level);
      setText(title, state.title);
      setText(
        detail,
        source.baud && answers && source.state === 'connected'
          ? `${state.detail} · ${count(source.baud)} Bd`
          : state.detail,
      );
      setAttr(connection, 'title', [state.title, source.port, source.detail].filter(Boolean).join(' · '));

      setText(firmware, target.fw_version || '–');
      setText(clock, hertz(target.mcu_clock_hz));
      const [word, level] = elfState(profile);
      setText(elf, word);
      setAttr(elf, 'data-level', level);
      setAttr(
        elf,
        'title',
        [source.elf?.path, source.elf?.functions ? `${count(source.elf.functions)} functions` : '']
          .filter(Boolean)
          .join(' · '),
      );
      setText(rate, source.state === 'connected' && answers ? compact(link.calls_per_second) : '–');

      const percent = source.state === 'connected' && answers ? lineUse(link) : null;
      const known = percent !== null;
      gauge.hidden = !known;
      setWidth(fill, percent / 100);
      setAttr(gauge, 'data-level', percent > 95 ? 'bad' : percent > 80 ? 'warn' : 'ok');
      setText(
        use,
        known
          ? `${Math.round(percent)} %`
          : source.state !== 'connected' || link.bytes_per_second === undefined
            ? '–'
            : `${bytes(link.bytes_per_second)}/s`,
      );
      setAttr(
        line,
        'title',
        known
          ? `${Math.round(percent)} % of ${count(source.baud)} baud`
          : 'Bytes per second: this line holds to no baud rate',
      );

      lossBadge(overflow, target.buffer_overflows, 'overflow');
      lossBadge(damaged, damagedPackets(link), 'CRC');
      lossBadge(lost, lostRecords(link), 'lost');

      const why = whyNoCommand(profile, answers);
      for (const [node, tip] of [
        [start, 'Start profiling on the device (Shift+S)'],
        [stop, 'Stop profiling on the device (Shift+X)'],
        [reset, 'Empty the buffers on the device (Shift+R)'],
      ]) {
        node.disabled = why !== '';
        setAttr(node, 'title', why === '' ? tip : `Not now: ${why}`);
      }
      start.classList.toggle('primary', why === '' && target.profiling === false);
      clear.disabled = !answers;
      setAttr(pause, 'aria-pressed', String(paused));
      setAttr(theme, 'title', `Theme: ${chosen} (t)`);
      setAttr(theme, 'aria-label', `Theme: ${chosen}`);
    },
  };
}
