import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ConnectTimedOut } from './transport-errors';

/**
 * Connects, TLS included, within a time. The library's own time-out is off by up to a second, longer than many that
 * are set; and it notices an abort only when it has connected.
 * @param signalNow the signal of the request that is being sent when a connection is asked for; null when none is
 */
export function connectWithin(
  timeoutMs: number,
  signalNow: () => AbortSignal | null,
): buildConnector.connector {
  const connect = buildConnector({ timeout: 0 });
  return (options, callback) => {
    const signal = signalNow();
    const giveUp = () => socket.destroy(signal?.reason as Error);
    // The connector returns its socket, although its type does not say so.
    const socket = connect(options, (...outcome) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      callback(...outcome);
    }) as unknown as Socket;
    const timer = setTimeout(() => socket.destroy(new ConnectTimedOut(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', giveUp, { once: true });
  };
}
