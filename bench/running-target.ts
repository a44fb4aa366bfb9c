import { join } from 'node:path';
import { createAccounts, type BenchAccount } from './accounts';
import type { BenchPostgres } from './bench-postgres';
import { BODY } from './echo';
import type { LoadCall } from './load';
import { ECHO_PATH } from './metered-echo';
import { createMigratedDatabase } from './migrated-database';
import { preload } from './preload';
import { startFlags, startServer, type ServerProcess } from './server-process';
import type { Target } from './targets';
import { createTransactionTables } from './transaction-tables';

/** The answer of every target that echoes. */
export const ECHO_ANSWER = { status: 201, text: BODY.slice(1, -1) };

/** What the metered server needs to be told beside its database. */
export const METERED_ENVIRONMENT = {
  JWT_SECRET: 'kX9pQ2vL7mN4wR8tY1zB6cD3fG5hJ0aS',
  SERVICE_ENVIRONMENT: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  LOG_LEVEL: 'error',
};

/** Every target gets them, so that none of them has more room for new objects than the service. */
const START_FLAGS = startFlags('.');

/** A target whose server takes calls. */
export interface RunningTarget extends LoadedTarget {
  target: Target;
  accounts: BenchAccount[];
}

/** What is loaded: a server, and the call that it answers. */
export interface LoadedTarget {
  target: { name: string };
  server: ServerProcess;
  call: LoadCall;
  /** What a right answer has: this status, and this text in its body. */
  answer: { status: number; text: string };
}

export interface TargetOptions {
  postgres: BenchPostgres;
  /** Where the metered server writes its CPU profile when it ends; null for none. */
  profileFolder: string | null;
  log: (message: string) => void;
}

/** Starts the server of a target, on a database of its own where it needs one. */
export async function startTarget(target: Target, options: TargetOptions): Promise<RunningTarget> {
  switch (target.kind) {
    case 'bare-fastify':
    case 'bare-nest': {
      const server = await startServer(join(__dirname, `${target.kind}.js`), {}, START_FLAGS);
      return running(target, server, '/echo', []);
    }
    case 'guarded-nest': {
      const server = await startServer(join(__dirname, 'bare-nest.js'), { GUARDED: '1' }, START_FLAGS);
      return running(target, server, '/echo', []);
    }
    case 'metered':
      return startMetered(target, options);
    case 'transaction':
      return startTransaction(target, options);
  }
}

async function startMetered(target: Target, options: TargetOptions): Promise<RunningTarget> {
  const { postgres, profileFolder, log } = options;
  const databaseUrl = await createMigratedDatabase(postgres, target.name);
  const accounts = await createAccounts(databaseUrl, target.accounts);
  if (target.rows > 0) {
    await preload(databaseUrl, { rows: target.rows, accounts, log });
  }
  const profile = profileFolder === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${profileFolder}`];
  const flags = [...START_FLAGS, ...profile];
  const environment = { DATABASE_URL: databaseUrl, ...METERED_ENVIRONMENT };
  const server = await startServer(join(__dirname, 'metered-server.js'), environment, flags);
  return running(target, server, ECHO_PATH, accounts);
}

async function startTransaction(target: Target, { postgres }: TargetOptions): Promise<RunningTarget> {
  const databaseUrl = await postgres.createDatabase(target.name);
  const accounts = await createTransactionTables(databaseUrl, target.accounts);
  const environment = { DATABASE_URL: databaseUrl };
  const server = await startServer(join(__dirname, 'transaction-per-call.js'), environment, START_FLAGS);
  return running(target, server, '/echo', accounts);
}

/**
 * The target, once it has answered a call.
 * @throws Error for a wrong answer, because a load of refusals would look fast
 */
async function running(
  target: Target,
  server: ServerProcess,
  path: string,
  accounts: BenchAccount[],
): Promise<RunningTarget> {
  const keys = accounts.map(({ secret }) => secret);
  const call: LoadCall = { method: 'POST', url: server.url + path, body: BODY, keys };
  const started = { target, server, call, accounts, answer: ECHO_ANSWER };
  try {
    await callOnce(started);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return started;
}

/** Makes one call, which is answered after all earlier ones. @throws Error for a wrong answer */
export async function callOnce({ target, call, answer }: LoadedTarget): Promise<void> {
  const response = await fetch(call.url, {
    method: call.method,
    headers: { 'content-type': 'application/json', ...(call.keys[0] ? { 'x-api-key': call.keys[0] } : {}) },
    ...(call.body === '' ? {} : { body: call.body }),
  });
  const text = await response.text();
  if (response.status !== answer.status || !text.includes(answer.text)) {
    throw new Error(`${target.name} answered ${response.status}: ${text}`);
  }
}
