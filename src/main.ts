import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Logger } from '@nestjs/common';
import { SchemaVersionMismatchError } from 'bullmq';
import 'reflect-metadata';
import {
  type ApplicationOptions,
  createApplication,
  createWorker,
  createWorkerServer,
  httpOptions,
  shutDownOnSignals,
  startBackgroundWork,
  startTracing,
} from './application';
import { checkSettings } from './check-settings';
import { Configuration, InvalidConfiguration } from './config/configuration';
import { WrongSchemaCount, ProcessesLive } from './database/account-schemas';
import { DatabaseUrl, requireFitPooler, UnfitPooler } from './database/connection-pool';
import { DatabaseUnreachable, isDatabaseAway } from './database/driver-errors';
import { startEmbeddedPostgres } from './database/embedded/server';
import { EmbeddedPostgresError } from './database/embedded/cluster';
import { distributeSchemas, NoCitus } from './database/distribute';
import { RedisConnection } from './database/redis-connection';
import {
  databaseFunctions,
  migrate,
  NewerSchema,
  OlderSchema,
  requireMigrated,
  UnfinishedSchema,
} from './database/migrate';
import { PartlyDistributed } from './database/schema-places';
import { withLocalServers } from './models/upstream/upstream-models';
import { groupsWantingModel } from './modules/system/features';
import { Metrics } from './observability/metrics';
import { DatabaseClock, goBy } from './runtime/clock';
import { migrateQueue, requireQueue } from './work/queue.module';

/** @throws InvalidConfiguration where the data folder is not writable */
function madeOnce(file: string, make: () => string): string {
  try {
    return madeOrRead(file, make);
  } catch (error) {
    throw new InvalidConfiguration([`DATA_DIR: ${(error as Error).message}`]);
  }
}

/** Only its owner can read the file. Racing processes link complete drafts, so nobody reads a half. */
function madeOrRead(file: string, make: () => string): string {
  const draft = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file)) {
    writeFileSync(draft, make(), { mode: 0o600 });
    try {
      linkSync(draft, file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        throw error;
      }
    } finally {
      unlinkSync(draft);
    }
  }
  return readFileSync(file, 'utf8');
}

function secret(bytes: number): string {
  return randomBytes(bytes).toString('base64url');
}

async function main(): Promise<void> {
  const { environment, ...local } = await withLocalServers(process.env);
  const settings = Configuration.read(environment);
  if (settings.role !== 'migrate') {
    checkSettings(settings);
    await checkRedis(settings);
  }
  const { configuration, adminFile } = withAdmin(settings, environment);
  const { dataFolder } = configuration;
  const log = (message: string) => void process.stderr.write(`${message}\n`);
  const embedded = configuration.isEmbedded ? await startEmbeddedPostgres({ dataFolder, log }) : null;
  const address = configuration.databaseUrl ?? embedded?.socketUrl ?? '';
  const databaseUrl = new DatabaseUrl(address, configuration.databaseSessionUrl);
  const stopDatabase = async () => embedded?.stop();
  try {
    await prepareDatabase(configuration, databaseUrl);
    if (configuration.role === 'migrate') {
      process.stdout.write('The database has the newest schema.\n');
      return;
    }
    const clock = new DatabaseClock();
    goBy(clock);
    const options = {
      configuration,
      databaseUrl,
      jwtSecret: configuration.jwtSecret ?? madeOnce(join(dataFolder, 'jwt-secret'), () => secret(48)),
      clock,
      tracing: startTracing(configuration.tracesEndpoint, configuration.role),
    };
    if (configuration.role === 'worker') {
      await runWorker(options, stopDatabase, local.warning);
      return;
    }
    const application = await createApplication(options);
    warn(configuration, local.warning);
    application.get(Metrics).observeProcess();
    shutDownOnSignals(application, application.getHttpServer(), stopDatabase);
    await application.listen(configuration.port, configuration.host);
    startBackgroundWork(application, configuration.role);
    announce(await application.getUrl(), configuration, adminFile, local.found ?? []);
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}

/** A server that is down stops no start. @throws InvalidConfiguration */
async function checkRedis({ redisUrl }: Configuration): Promise<void> {
  if (redisUrl !== null && (await RedisConnection.lacksDatabase(redisUrl))) {
    throw new InvalidConfiguration([
      `REDIS_URL: Redis has no database ${new URL(redisUrl).pathname.slice(1)}`,
    ]);
  }
}

/** @throws NewerSchema, UnfinishedSchema, WrongSchemaCount, ProcessesLive, OlderSchema, UnfitPooler */
async function prepareDatabase(configuration: Configuration, databaseUrl: DatabaseUrl): Promise<void> {
  const { migratesAtStart, role, redisUrl, accountSchemas, distributesSchemas } = configuration;
  if (role !== 'migrate') {
    if (accountSchemas > 1 && databaseUrl.isPooled) {
      throw new UnfitPooler('with several ACCOUNT_SCHEMAS they have to be one address, of Postgres itself');
    }
    await requireFitPooler(databaseUrl);
  }
  if (!migratesAtStart && role !== 'migrate') {
    await requireMigrated(databaseUrl.session, databaseFunctions, accountSchemas);
    if (redisUrl === null) {
      await requireQueue(databaseUrl.session);
    }
    return;
  }
  await migrate(databaseUrl.session, databaseFunctions, accountSchemas);
  if (redisUrl === null) {
    await migrateQueue(databaseUrl.session);
  }
  if (role === 'migrate' && distributesSchemas) {
    await distributeSchemas(databaseUrl.session);
  }
}

async function runWorker(
  options: ApplicationOptions,
  stopDatabase: () => Promise<void>,
  warning: string | null,
): Promise<void> {
  const { role, port, host, metricsToken } = options.configuration;
  const worker = await createWorker(options);
  warn(options.configuration, warning);
  worker.get(Metrics).observeProcess();
  const server = createWorkerServer(worker, httpOptions(options), metricsToken);
  shutDownOnSignals(worker, server.server, stopDatabase);
  const url = await server.listen({ port, host });
  startBackgroundWork(worker, role);
  announce(url, options.configuration, null, []);
}

function withAdmin(
  configuration: Configuration,
  variables: NodeJS.ProcessEnv,
): { configuration: Configuration; adminFile: string | null } {
  if (!configuration.isEmbedded || configuration.adminEmail !== null) {
    return { configuration, adminFile: null };
  }
  const adminFile = join(configuration.dataFolder, 'admin.json');
  const made = madeOnce(adminFile, () =>
    JSON.stringify({ email: 'admin@example.com', password: secret(18) }, null, 2),
  );
  const { email, password } = JSON.parse(made) as { email: string; password: string };
  const environment = { ...variables, ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  return { configuration: Configuration.read(environment), adminFile };
}

function warn({ warnings }: Configuration, further: string | null): void {
  const logger = new Logger(Configuration.name);
  [...warnings, ...(further === null ? [] : [further])].forEach((warning) => logger.warn(warning));
}

/** Several processes are called through a proxy, so only one that does all announces its address. */
function announce(
  url: string,
  { role, upstreams }: Configuration,
  adminFile: string | null,
  local: readonly string[],
): void {
  if (role !== 'all') {
    process.stdout.write(`The process of role ${role} runs. Its health is at ${url}/health/ready\n`);
    return;
  }
  const lines = [
    `Service            ${url}`,
    `Console            ${url}/console/`,
    `Documentation      ${url}/docs`,
    ...(adminFile === null ? [] : [`Admin credentials  ${adminFile}`]),
    ...local.map((server) => `Models             ${server}`),
    ...(upstreams.length > 0 ? [] : wantedModels()),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

function wantedModels(): string[] {
  const { whole, part } = groupsWantingModel();
  return [
    'Models             none of a language, only the rules of the service:',
    `                   ${whole.join(', ')} answer 503; in part do ${part.join(', ')}`,
    '                   UPSTREAMS=local uses a server of models on this machine, UPSTREAMS=https://…/v1 another',
  ];
}

/** The operator can mend these; a stack trace would hide their text. */
function isOperatorsFault(error: Error): boolean {
  return [
    InvalidConfiguration,
    EmbeddedPostgresError,
    PartlyDistributed,
    NewerSchema,
    NoCitus,
    OlderSchema,
    WrongSchemaCount,
    ProcessesLive,
    UnfinishedSchema,
    UnfitPooler,
    SchemaVersionMismatchError,
  ].some((kind) => error instanceof kind);
}

function textOf(error: NodeJS.ErrnoException): string {
  if (['listen', 'getaddrinfo'].includes(error.syscall ?? '')) {
    return `HOST and PORT: ${error.message}`;
  }
  if (error instanceof DatabaseUnreachable) {
    return `DATABASE_URL: ${error.message}`;
  }
  if (isDatabaseAway(error)) {
    return `The database ended the start, which may be tried again: ${error.message}`;
  }
  return isOperatorsFault(error) ? error.message : String(error.stack);
}

main().catch((error: NodeJS.ErrnoException) => {
  process.stderr.write(`${textOf(error)}\n`);
  process.exit(1);
});
