import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { BenchPostgres } from '../bench-postgres';
import type { LoadCall } from '../load';
import { OTHERS_CPU } from '../pinning';
import { checkoutsOf, compiled, thisCheckout, type Checkout } from '../router/checkouts';
import { databaseOf } from '../router/servers';
import { METERED_ENVIRONMENT } from '../running-target';
import { startFlags, startServer, type ServerProcess } from '../server-process';
import type { Settings } from '../settings';
import type { Case } from './cases';
import { MODELS } from './chat-answers';

const ACCOUNTS = 1000;
const MESSAGES = [
  { role: 'system', content: 'You answer in one paragraph and name your sources.' },
  { role: 'user', content: 'When was the lighthouse on the northern cape built, and why is it dark?' },
];
const PATH = '/v1/chat/completions';
/** A server's longest turn of the event loop is asked for by this. */
const LOOP_DELAY = ['--require', require.resolve('./loop-delay')];

/** What is compared: the same calls through a proxy that only moves bytes, and through the whole service. */
export type Kind = 'byte proxy' | 'service' | 'service before' | 'gateway';

export interface PassThroughServer {
  kind: Kind;
  server: ServerProcess;
  /** A call of the server's chat route with these fields in its body, by one account or by all in turn. */
  call(fields: Record<string, unknown>, accounts: Case['accounts']): LoadCall;
  stop(): Promise<void>;
}

/** Starts the upstream to which the calls are passed on. It runs on the processor of the load generator. */
export async function startUpstream(): Promise<ServerProcess> {
  return startServer(join(__dirname, 'chat-upstream.js'), {}, [], OTHERS_CPU);
}

export async function startByteProxy(upstream: ServerProcess): Promise<PassThroughServer> {
  const server = await startServer(
    join(__dirname, 'byte-proxy.js'),
    { UPSTREAM_URL: upstream.url },
    LOOP_DELAY,
  );
  return passing('byte proxy', server, { keys: [] });
}

export interface ServiceOptions {
  readonly upstream: ServerProcess;
  readonly postgres: BenchPostgres;
  readonly databaseName: string;
  /** Where the server writes its CPU profile when it ends; null for none. */
  readonly profileFolder: string | null;
}

/** Starts a checkout's service on a database of its own, in front of the upstream. */
export async function startService(
  checkout: Checkout,
  { upstream, postgres, databaseName, profileFolder }: ServiceOptions,
): Promise<PassThroughServer> {
  const name = `${databaseName}-${checkout.name}`;
  const { databaseUrl, keys } = await databaseOf(checkout, postgres, {
    name,
    accounts: ACCOUNTS,
    credit: 'ample',
  });
  const models = Object.values(MODELS).map((id) => ({ id }));
  const profile =
    profileFolder === null
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`, `--cpu-prof-name=${name}.cpuprofile`];
  const server = await startServer(
    compiled(checkout, 'bench/metered-server.js'),
    {
      DATABASE_URL: databaseUrl,
      ...METERED_ENVIRONMENT,
      UPSTREAMS: JSON.stringify([{ name: 'bench', base_url: `${upstream.url}/v1`, models }]),
    },
    [...startFlags(checkout.folder), ...LOOP_DELAY, ...profile],
  );
  postgres.pin();
  return passing(checkout.name === 'before' ? 'service before' : 'service', server, { keys });
}

/** The checkouts whose services are loaded: this one, and the other one where there is one. */
export function servedCheckouts({ before }: Settings): Checkout[] {
  return before === null ? [thisCheckout()] : checkoutsOf(before);
}

/** Starts Portkey's gateway, which meters nothing. @throws RangeError where the folder holds none */
export async function startGateway(folder: string, upstream: ServerProcess): Promise<PassThroughServer> {
  const file = join(folder, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (!existsSync(file)) {
    throw new RangeError('BENCH_GATEWAY: @portkey-ai/gateway is not installed in that folder');
  }
  const server = await startServer(join(__dirname, 'gateway.js'), { GATEWAY: file, NODE_ENV: 'production' });
  return passing('gateway', server, {
    keys: [],
    headers: {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `${upstream.url}/v1`,
      Authorization: 'Bearer none',
    },
  });
}

function passing(
  kind: Kind,
  server: ServerProcess,
  { keys, headers = {} }: Pick<LoadCall, 'keys' | 'headers'>,
): PassThroughServer {
  const call: PassThroughServer['call'] = (fields, accounts) => ({
    method: 'POST',
    url: server.url + PATH,
    body: JSON.stringify({ model: MODELS.prompt, messages: MESSAGES, max_tokens: 200, ...fields }),
    keys: accounts === 'one' ? keys.slice(0, 1) : keys,
    headers,
  });
  return { kind, server, stop: server.stop, call };
}
