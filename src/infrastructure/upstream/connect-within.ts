import type { Socket } from 'node:net';
import { buildConnector } from 'undici';
import { ConnectTimedOut } from './transport-errors';

/**
 * Makes a connector for undici that gives up when connecting, including the TLS handshake, takes longer than a time,
 * or when the request is aborted. The time-out of undici itself can be late by up to a second, which is longer than
 * many time-outs in use, and undici notices an abort only when it has connected.
 * @param signalNow returns the signal of the request for which undici is opening a connection, or null without one
 */
export function connectWithin(
  timeoutMs: number,
  signalNow: () => AbortSignal | null,
): buildConnector.connector {
  const connect = buildConnector({ timeout: 0 });
  return (options, callback) => {
    const signal = signalNow();
    const giveUp = () => socket.destroy(signal?.reason as Error);
    // undici's connector returns the socket, although its type does not say so.
    const socket = connect(options, (...outcome) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
      callback(...outcome);
    }) as unknown as Socket;
    const timer = setTimeout(() => socket.destroy(new ConnectTimedOut(timeoutMs)), timeoutMs);
    signal?.addEventListener('abort', giveUp, { once: true });
  };
}
