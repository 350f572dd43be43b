// commands.js - what is asked of the device and the daemon, and how their answers are told.

import { count } from '../model/format.js';

const doing = {
  start: 'Start profiling',
  stop: 'Stop profiling',
  reset: 'Reset the buffers',
  status: 'Ask for status',
  metadata: 'Ask for metadata',
};

/** `live` is the profile as it comes in; `cleared()` is called when it has been forgotten. */
export function createCommands({ api, toast, live, cleared }) {
  return {
    async device(command) {
      try {
        const reply = await api.sendDevice(command);
        toast(
          'ok',
          `${doing[command]}: done`,
          `The device answered ${String(reply.answer ?? 'ack').toUpperCase()}.`,
        );
      } catch (error) {
        toast('bad', `${doing[command]}: ${error.title}`, error.message === error.title ? '' : error.message);
      }
    },
    async clear() {
      const { calls } = live;
      try {
        await api.clearProfile();
        toast('ok', 'Cleared', `${count(calls)} calls forgotten; counting from zero.`);
        cleared();
      } catch (error) {
        toast('bad', `Clear: ${error.title}`, error.message);
      }
    },
  };
}
