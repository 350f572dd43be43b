// device.js - commands that the device and the recording accept now, and the text for their answers.

import { bytes, count, hertz, plural } from './format.js';

/** The commands of the Device menu; `expects` is the packet that answers in place of ACK. */
export const commands = {
  start: { label: 'Start profiling' },
  stop: { label: 'Stop profiling' },
  reset: { label: 'Reset the buffers' },
  status: { label: 'Ask for status', expects: 'STATUS' },
  metadata: { label: 'Ask for metadata', expects: 'METADATA' },
  config: { label: 'Send a configuration' },
};

/** Why no command can be sent to the device now, in a few words; '' when it can. */
export function whyNoCommand({ source }, answers) {
  if (!answers) return 'miniprofd does not answer';
  if (source.port === '-' || source.port?.startsWith('file:')) return 'this is a recording, not a device';
  if (source.listen_only) return 'miniprofd only listens (--no-control)';
  return source.state === 'connected' ? '' : 'no device is connected';
}

/** Why that command cannot be sent now; '' when it can. Another START would end the calls that run. */
export function whyNot(command, profile, answers) {
  const why = whyNoCommand(profile, answers);
  return why === '' && command === 'start' && profile.target.profiling === true ? 'the device profiles already' : why;
}

/** Why no recording can be started or stopped now; '' if it can. */
export function whyNoRecord({ source }, answers) {
  if (!answers) return 'miniprofd does not answer';
  if (isRecording(source)) return '';
  if (source.port?.startsWith('file:')) return 'this comes from a file, which can be copied';
  return source.state === 'ended' ? 'nothing more will come' : '';
}

export const isRecording = (source) => Boolean(source.recording && !source.recording.error);

/** Length and size of the recording: ["1:05", "1.20 MB"]. `nowMs` is wall-clock time. */
export function recordingExtent(recording, nowMs) {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(recording.since)) / 1000)) || 0;
  const two = (n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const clock = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  return [`${clock}:${two(seconds % 60)}`, bytes(recording.bytes)];
}

/**
 * Parses a typed configuration: { hex } with only the digits, or { error }. Spaces, colons, commas and 0x between bytes
 * are allowed, and so is an empty text.
 */
export function payloadOf(text) {
  const parts = text
    .trim()
    .split(/[\s:,]+/)
    .map((part) => part.replace(/^0x/i, ''));
  const hex = parts.join('').toLowerCase();
  if (!/^[0-9a-f]*$/.test(hex)) return { error: 'Only hex digits, 0 to 9 and a to f.' };
  if (parts.some((part) => part.length % 2 !== 0)) return { error: 'Two digits for each byte, such as 0a.' };
  if (hex.length > 16) return { error: `At most 8 bytes; these are ${hex.length / 2}.` };
  return { hex };
}

const told = {
  status: ({ target }) =>
    [
      target.profiling ? 'profiling' : 'not profiling',
      `buffer ${count(target.buffer_usage_percent)} % full`,
      plural(target.buffer_overflows, 'overflow'),
      `${plural(target.records_captured, 'record')} captured`,
    ].join(', '),
  metadata: ({ target }) =>
    [
      `firmware ${target.fw_version || 'without a version'}`,
      hertz(target.mcu_clock_hz),
      `build ${target.elf_build_id ?? 'unknown'}`,
    ].join(', '),
};

/** The device's answer to a command: { level, title, text }. `reply` is the daemon's. */
export function answerWords(command, reply) {
  const { label, expects } = commands[command];
  const content = expects && reply.target ? `: ${told[command](reply)}` : '';
  return { level: 'ok', title: `${label}: done`, text: `The device answered ${expects ?? 'ACK'}${content}.` };
}

/** The same for a failure: `error` has status, title and message. */
export function refusalWords(command, error) {
  const said = { 409: 'The device answered NACK.', 504: 'Silence.' }[error.status] ?? '';
  const detail = error.message === error.title ? '' : error.message;
  return {
    level: 'bad',
    title: `${commands[command].label}: ${{ 409: 'refused', 504: 'no answer' }[error.status] ?? error.title}`,
    text: [said, detail].filter(Boolean).join(' '),
  };
}
