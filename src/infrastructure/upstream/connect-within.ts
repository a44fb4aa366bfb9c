import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ConnectTimedOut } from './transport-errors';

/**
 * Connects, TLS included, within a time. The library's own time-out is off by up to a second, longer than many that
 * are set.
 */
export function connectWithin(timeoutMs: number): buildConnector.connector {
  const connect = buildConnector({ timeout: 0 });
  return (options, callback) => {
    // The connector returns its socket, although its type does not say so.
    const socket = connect(options, (...outcome) => {
      clearTimeout(timer);
      callback(...outcome);
    }) as unknown as Socket;
    const timer = setTimeout(() => socket.destroy(new ConnectTimedOut(timeoutMs)), timeoutMs);
  };
}
