import { join } from 'node:path';
import { createAccounts } from '../accounts';
import type { BenchPostgres } from '../bench-postgres';
import type { LoadCall } from '../load';
import { createMigratedDatabase } from '../migrated-database';
import { OTHERS_CPU } from '../pinning';
import { METERED_ENVIRONMENT } from '../running-target';
import { startServer, type ServerProcess } from '../server-process';

const ACCOUNTS = 1000;
const MESSAGES = [
  { role: 'system', content: 'You answer in one paragraph and name your sources.' },
  { role: 'user', content: 'When was the lighthouse on the northern cape built, and why is it dark?' },
];

/** What is compared: the same calls through a proxy that only moves bytes, and through the whole service. */
export const KINDS = ['byte proxy', 'service'] as const;
export type Kind = (typeof KINDS)[number];

export interface PassThroughServer {
  kind: Kind;
  server: ServerProcess;
  /** A call of the server's chat route with these fields in its body, by all accounts in turn. */
  call(fields: Record<string, unknown>): LoadCall;
  stop(): Promise<void>;
}

/** Starts the upstream to which the calls are passed on. It runs on the processor of the load generator. */
export async function startUpstream(): Promise<ServerProcess> {
  return startServer(join(__dirname, 'chat-upstream.js'), {}, [], OTHERS_CPU);
}

export async function startByteProxy(upstream: ServerProcess): Promise<PassThroughServer> {
  const server = await startServer(join(__dirname, 'byte-proxy.js'), { UPSTREAM_URL: upstream.url });
  return { kind: 'byte proxy', server, stop: server.stop, call: callsOf(server, []) };
}

/** Starts the service on a database of its own, in front of the upstream. */
export async function startService(
  upstream: ServerProcess,
  postgres: BenchPostgres,
  databaseName: string,
): Promise<PassThroughServer> {
  const databaseUrl = await createMigratedDatabase(postgres, databaseName);
  const accounts = await createAccounts(databaseUrl, ACCOUNTS);
  const server = await startServer(join(__dirname, '../metered-server.js'), {
    DATABASE_URL: databaseUrl,
    ...METERED_ENVIRONMENT,
    UPSTREAMS: JSON.stringify([
      { name: 'bench', base_url: `${upstream.url}/v1`, models: [{ id: 'bench-model' }, { id: 'idle' }] },
    ]),
  });
  postgres.pin();
  const keys = accounts.map(({ secret }) => secret);
  return { kind: 'service', server, stop: server.stop, call: callsOf(server, keys) };
}

function callsOf(server: ServerProcess, keys: string[]): PassThroughServer['call'] {
  return (fields) => ({
    method: 'POST',
    url: `${server.url}/v1/chat/completions`,
    body: JSON.stringify({ model: 'bench-model', messages: MESSAGES, max_tokens: 200, ...fields }),
    keys,
  });
}
