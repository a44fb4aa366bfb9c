import type { Client } from 'pg';

/** Closes a connection without telling the server, which may no longer be reachable. */
export function cut(client: Client): void {
  client.on('error', () => undefined);
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

/**
 * Waits for a statement, and cuts its connection when it takes too long. The driver's own `query_timeout` would leave
 * the connection open, and whoever used it next would wait for the statement that it still carries.
 * @throws the error of the statement; one that the driver makes of a broken connection when it took longer
 */
export async function within<Result>(
  timeoutMs: number,
  client: Client,
  work: Promise<Result>,
): Promise<Result> {
  const timer = setTimeout(() => cut(client), timeoutMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}
