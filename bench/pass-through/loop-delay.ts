import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * Loaded into a server before its own code: answers the message `loop delay` with the longest time, in ms, for which its event
 * loop was held since the message before.
 */
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

process.on('message', (message) => {
  if (message === 'loop delay') {
    process.send?.({ loopDelayMs: delay.max / 1e6 });
    delay.reset();
  }
});
// The channel alone must not keep a server alive.
process.channel?.unref();
