import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { SchemaVersionMismatchError } from 'bullmq';
import 'reflect-metadata';
import {
  type ApplicationOptions,
  checkFiles,
  createApplication,
  createWorker,
  createWorkerServer,
  httpOptions,
  shutDownOnSignals,
  startBackgroundWork,
} from './application';
import { Configuration, InvalidConfiguration } from './config/configuration';
import { databaseFunctions } from './database-functions';
import { DatabaseUrl, requireFitPooler, UnfitPooler } from './database/connection-pool';
import { DatabaseUnreachable } from './database/driver-errors';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './database/embedded/server';
import { EmbeddedPostgresError } from './database/embedded/server-place';
import { migrate, NewerSchema, OlderSchema, requireMigrated, UnfinishedSchema } from './database/migrate';
import { withLocalServers } from './models/upstream/local-servers';
import { groupsWantingModel } from './modules/system/features';
import { Metrics } from './observability/metrics';
import { startTracing } from './observability/start-tracing';
import { DatabaseClock, goBy } from './runtime/clock';
import { migrateQueue } from './work/queue-schema';

interface AdminCredentials {
  email: string;
  password: string;
}

/** The secret that signs account tokens, made once and kept in the data folder. Only the file's owner can read it. */
function embeddedJwtSecret(dataFolder: string): string {
  return madeOnce(dataFolder, 'jwt-secret', () => randomBytes(48).toString('base64url'));
}

/** The first admin's credentials, made once and kept in the file admin.json, which only its owner can read. */
function embeddedAdmin(dataFolder: string): { credentials: AdminCredentials; file: string } {
  const text = madeOnce(dataFolder, 'admin.json', () =>
    JSON.stringify({ email: 'admin@example.com', password: randomBytes(18).toString('base64url') }, null, 2),
  );
  return { credentials: JSON.parse(text) as AdminCredentials, file: join(dataFolder, 'admin.json') };
}

/** Of two processes only one makes the file, and nobody reads a half: a draft is linked to its name. */
function madeOnce(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  const draft = `${file}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
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

async function main(): Promise<void> {
  const { environment, ...local } = await withLocalServers(process.env);
  const { configuration, adminFile } = readConfiguration(environment);
  if (configuration.role !== 'migrate') {
    checkFiles(configuration);
  }
  const embedded = configuration.isEmbedded ? await startDatabase(configuration) : null;
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
      jwtSecret: configuration.jwtSecret ?? embeddedJwtSecret(configuration.dataFolder),
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

/** @throws NewerSchema, UnfinishedSchema, OlderSchema where the process may not change it; UnfitPooler */
async function prepareDatabase(configuration: Configuration, databaseUrl: DatabaseUrl): Promise<void> {
  const { migratesAtStart, role, redisUrl } = configuration;
  if (role !== 'migrate') {
    await requireFitPooler(databaseUrl);
  }
  if (!migratesAtStart && role !== 'migrate') {
    await requireMigrated(databaseUrl.session, databaseFunctions);
    return;
  }
  await migrate(databaseUrl.session, databaseFunctions);
  if (redisUrl === null) {
    await migrateQueue(databaseUrl.session);
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

/** Reads the configuration. In embedded mode it makes the admin's credentials where the operator gives none. */
function readConfiguration(given: NodeJS.ProcessEnv): {
  configuration: Configuration;
  adminFile: string | null;
} {
  const configuration = Configuration.read(given);
  if (!configuration.isEmbedded || configuration.adminEmail !== null) {
    return { configuration, adminFile: null };
  }
  const { credentials, file } = embeddedAdmin(configuration.dataFolder);
  const environment = {
    ...given,
    ADMIN_EMAIL: credentials.email,
    ADMIN_PASSWORD: credentials.password,
  };
  return { configuration: Configuration.read(environment), adminFile: file };
}

async function startDatabase(configuration: Configuration): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataFolder: configuration.dataFolder,
    log: (message) => process.stderr.write(`${message}\n`),
  });
}

/** To be called once the application has made its logger the one that all loggers write by. */
function warn({ warnings }: Configuration, further: string | null): void {
  const logger = new Logger(Configuration.name);
  [...warnings, ...(further === null ? [] : [further])].forEach((warning) => logger.warn(warning));
}

/** One of several processes is called through a proxy, so only a process that does all names its address as the service's. */
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

/** Whether the operator can mend the fault. Its text says everything then, and a stack trace would only hide it. */
function isOperatorsFault(error: Error): boolean {
  return [
    InvalidConfiguration,
    EmbeddedPostgresError,
    NewerSchema,
    OlderSchema,
    UnfinishedSchema,
    UnfitPooler,
    SchemaVersionMismatchError,
    DatabaseUnreachable,
  ].some((kind) => error instanceof kind);
}

main().catch((error: Error & { code?: string }) => {
  const text = error.code === 'EADDRINUSE' ? 'The port is taken; set PORT to another one.' : error.stack;
  const place = error instanceof DatabaseUnreachable ? 'DATABASE_URL: ' : '';
  process.stderr.write(`${isOperatorsFault(error) ? `${place}${error.message}` : text}\n`);
  process.exit(1);
});
