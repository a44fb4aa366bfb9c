import { existsSync, readFileSync } from 'node:fs';
import type * as Migrations from '../../src/database/migrate';
import type * as QueueSchema from '../../src/work/queue.module';
import type * as Accounts from '../accounts';
import { withClient, type BenchPostgres } from '../bench-postgres';
import { BODY } from '../echo';
import { ECHO_PATH } from '../metered-echo';
import type { Round } from '../rounds';
import { callOnce, ECHO_ANSWER, METERED_ENVIRONMENT, type LoadedTarget } from '../running-target';
import { startFlags, startServer } from '../server-process';
import { compiled, load, type Checkout } from './checkouts';

/** Enough to keep the server busy, and few enough that a call is not all queue. */
export const CONNECTIONS = 64;

/** A target that both checkouts serve. One without accounts is Nest alone. */
export interface Compared {
  name: string;
  title: string;
  accounts: number;
  /** Whether the ledger answers at once instead of asking Postgres. */
  isInstant: boolean;
  /** Whether the operation costs nothing. */
  isFree: boolean;
  /** Of Nest alone: whether it has an empty guard and an empty interceptor. */
  isGuarded?: boolean;
  /**
   * What the accounts can pay for: `ample` for all that the load asks; `mixed` the same, but for every fifth account, which has
   * nothing and is refused; `tight` for a few calls each, so that nothing can be lent beyond a call.
   */
  credit: 'ample' | 'mixed' | 'tight';
}

/** A fifth of the accounts of `mixed` has nothing. */
const POOR_EVERY = 5;

const MANY = 1000;
/** More than the load can use up, at eight calls each. */
const MANY_TIGHT = 30_000;
const CALLS_OF_TIGHT = 8n;
/** Of one call of the metered echo. */
const PRICE_NANO_USD = 100_000n;
const metered = { isInstant: false, isFree: false, credit: 'ample' } as const;

/** In the order in which a round takes them. */
export const COMPARED: Compared[] = [
  { name: 'metered-1', title: 'metered, 1 account', accounts: 1, ...metered },
  { name: 'metered-1000', title: `metered, ${MANY} accounts`, accounts: MANY, ...metered },
  {
    name: 'instant',
    title: 'metered, ledger answering at once',
    accounts: MANY,
    ...metered,
    isInstant: true,
  },
  { name: 'free', title: 'free operation, GET /v1/models', accounts: MANY, ...metered, isFree: true },
  {
    name: 'mixed',
    title: `metered, ${MANY} accounts, one of five without credit`,
    accounts: MANY,
    ...metered,
    credit: 'mixed',
  },
  {
    name: 'tight',
    title: `metered, ${MANY_TIGHT} accounts with credit for ${CALLS_OF_TIGHT} calls`,
    accounts: MANY_TIGHT,
    ...metered,
    credit: 'tight',
  },
  { name: 'bare-nest', title: 'bare Nest', accounts: 0, ...metered },
  {
    name: 'guarded-nest',
    title: 'bare Nest with an empty guard and interceptor',
    accounts: 0,
    ...metered,
    isGuarded: true,
  },
];

/** Answers other than those that a target is meant to give: what spoils a run. */
export function unwantedOf({ target, calls, failures }: Round): number {
  const wanted = target.startsWith('mixed-') ? calls / POOR_EVERY : 0;
  return Math.max(0, Math.abs(failures - wanted) - (wanted > 0 ? CONNECTIONS : 0));
}

/** The name of a checkout's target in rounds and profiles. */
export function nameIn(checkout: Pick<Checkout, 'name'>, { name }: Pick<Compared, 'name'>): string {
  return `${name}-${checkout.name}`;
}

export interface ServerOptions {
  postgres: BenchPostgres;
  /** Where the servers write their CPU profiles when they end; null for none. */
  profileFolder: string | null;
}

/** Starts a target from a checkout's compiled code. That code also makes the target's database and accounts. */
export async function startCompared(
  checkout: Checkout,
  compared: Compared,
  options: ServerOptions,
): Promise<LoadedTarget> {
  const name = nameIn(checkout, compared);
  const profile =
    options.profileFolder === null
      ? []
      : ['--cpu-prof', `--cpu-prof-dir=${options.profileFolder}`, `--cpu-prof-name=${name}.cpuprofile`];
  if (compared.accounts === 0) {
    const server = await startServer(
      compiled(checkout, 'bench/bare-nest.js'),
      compared.isGuarded ? { GUARDED: '1' } : {},
      profile,
    );
    return answering({
      target: { name },
      server,
      call: echoCall(`${server.url}/echo`, []),
      answer: ECHO_ANSWER,
    });
  }
  const { databaseUrl, keys } = await databaseOf(checkout, options.postgres, { ...compared, name });
  const preloaded = compared.isInstant ? ['--require', require.resolve('./instant-ledger')] : [];
  const server = await startServer(
    compiled(checkout, 'bench/metered-server.js'),
    { DATABASE_URL: databaseUrl, ...METERED_ENVIRONMENT },
    [...startFlags(checkout.folder), ...preloaded, ...profile],
  );
  const started = await answering({
    target: { name },
    server,
    ...(compared.isFree
      ? { call: { method: 'GET', url: `${server.url}/v1/models`, body: '', keys }, answer: MODELS_ANSWER }
      : { call: echoCall(server.url + ECHO_PATH, keys), answer: ECHO_ANSWER }),
  });
  if (compared.isInstant) {
    await refuseReceipts(started, databaseUrl);
  }
  return started;
}

/** A database as a checkout's own code migrates it, with accounts. @returns the secrets of their access keys too */
export async function databaseOf(
  checkout: Checkout,
  postgres: BenchPostgres,
  { name, accounts, credit }: Pick<Compared, 'name' | 'accounts' | 'credit'>,
): Promise<{ databaseUrl: string; keys: string[] }> {
  // Earlier checkouts reached their embedded Postgres by TCP.
  const server = compiled(checkout, 'src/database/embedded/server.js');
  const isBySocket = existsSync(server) && readFileSync(server, 'utf8').includes('socketUrl');
  const databaseUrl = await postgres.createDatabase(name, isBySocket ? 'Unix socket' : 'TCP');
  const { migrate } = load(
    checkout,
    firstOf(checkout, ['src/database/migrate.js', 'src/infrastructure/database/migrate.js']),
  ) as typeof Migrations;
  await migrate(databaseUrl, functionFolders(checkout));
  await queueMigrated(checkout, databaseUrl);
  const { createAccounts } = load(checkout, 'bench/accounts.js') as typeof Accounts;
  const made = await createAccounts(databaseUrl, accounts);
  // The first account answers the calls that are made between loads.
  const poor = made.filter((_, index) =>
    credit === 'mixed' ? index % POOR_EVERY === 1 : credit === 'tight' && index > 0,
  );
  await withClient(databaseUrl, (client) =>
    client.query('UPDATE balances SET balance_nano = $2 WHERE account_id = ANY($1::uuid[])', [
      poor.map(({ accountId }) => accountId),
      credit === 'mixed' ? 0n : CALLS_OF_TIGHT * PRICE_NANO_USD,
    ]),
  );
  return { databaseUrl, keys: made.map(({ secret }) => secret) };
}

/** The folders of a checkout's database functions; none for a checkout whose migrations make the functions. */
function functionFolders(checkout: Checkout): readonly string[] {
  const path = firstOf(checkout, ['src/database-functions.js', 'src/database/migrate.js']);
  return (load(checkout, path) as Partial<typeof Migrations>).databaseFunctions ?? [];
}

/** Where a checkout has a file that has been moved. */
function firstOf(checkout: Checkout, [path = '', ...earlier]: readonly string[]): string {
  return earlier.length === 0 || existsSync(compiled(checkout, path)) ? path : firstOf(checkout, earlier);
}

/** Nothing to do for a checkout that has no queue yet. */
async function queueMigrated(checkout: Checkout, databaseUrl: string): Promise<void> {
  const path = firstOf(checkout, [
    'src/work/queue-schema.js',
    'src/infrastructure/queue/queue-schema.js',
    'src/work/queue.module.js',
  ]);
  if (existsSync(compiled(checkout, path))) {
    await (load(checkout, path) as typeof QueueSchema).migrateQueue(databaseUrl);
  }
}

const MODELS_ANSWER = { status: 200, text: '"object":"list"' };

function echoCall(url: string, keys: string[]): LoadedTarget['call'] {
  return { method: 'POST', url, body: BODY, keys };
}

/**
 * The target, once it has answered a call.
 * @throws Error for a wrong answer, because a load of refusals would look fast
 */
async function answering(target: LoadedTarget): Promise<LoadedTarget> {
  try {
    await callOnce(target);
    return target;
  } catch (error) {
    await target.server.stop();
    throw error;
  }
}

/** @throws Error when the ledger that should answer at once has asked Postgres after all */
async function refuseReceipts({ target, server }: LoadedTarget, databaseUrl: string): Promise<void> {
  const { rows } = await withClient(databaseUrl, (client) =>
    client.query<{ count: string }>('SELECT count(*) FROM calls'),
  );
  if (rows[0]?.count !== '0') {
    await server.stop();
    throw new Error(`${target.name} writes receipts: its ledger was not replaced`);
  }
}
