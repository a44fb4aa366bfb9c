import 'reflect-metadata';
import { Logger } from '@nestjs/common';
import { SchemaVersionMismatchError } from 'bullmq';
import { createApplication, createWorker, httpOptions, type ApplicationOptions } from './application';
import { startBackgroundWork } from './background-work';
import { Configuration, InvalidConfiguration } from './config/configuration';
import { databaseFunctions } from './database-functions';
import { embeddedAdmin, embeddedJwtSecret } from './embedded-mode';
import { SystemClock } from './infrastructure/clock/clock';
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from './infrastructure/database/embedded/embedded-postgres';
import { EmbeddedPostgresError } from './infrastructure/database/embedded/embedded-postgres-error';
import { DatabaseUnreachable } from './infrastructure/database/driver-errors';
import { migrate, NewerSchema, OlderSchema, requireMigrated } from './infrastructure/database/migrate';
import { Metrics } from './infrastructure/metrics/metrics';
import { migrateQueue } from './infrastructure/queue/queue-schema';
import { startTracing } from './infrastructure/tracing/start-tracing';
import { shutDownOnSignals } from './shut-down';
import { createWorkerServer } from './worker-server';

async function main(): Promise<void> {
  const { configuration, adminFile } = readConfiguration();
  const embedded = configuration.isEmbedded ? await startDatabase(configuration) : null;
  const databaseUrl = configuration.databaseUrl ?? embedded?.url ?? '';
  const stopDatabase = async () => embedded?.stop();
  try {
    await prepareDatabase(configuration, databaseUrl);
    if (configuration.role === 'migrate') {
      process.stdout.write('The database has the newest schema.\n');
      return;
    }
    const options = {
      configuration,
      databaseUrl,
      jwtSecret: configuration.jwtSecret ?? embeddedJwtSecret(configuration.dataFolder),
      clock: new SystemClock(),
      tracing: startTracing(configuration.tracesEndpoint, configuration.role),
    };
    if (configuration.role === 'worker') {
      await runWorker(options, stopDatabase);
      return;
    }
    const application = await createApplication(options);
    warn(configuration);
    application.get(Metrics).observeProcess();
    shutDownOnSignals(application, application.getHttpServer(), stopDatabase);
    await application.listen(configuration.port, configuration.host);
    startBackgroundWork(application, configuration.role);
    announce(await application.getUrl(), adminFile);
  } catch (error) {
    await stopDatabase();
    throw error;
  }
}

/** @throws NewerSchema, or OlderSchema where the process may not change the schema itself */
async function prepareDatabase(configuration: Configuration, databaseUrl: string): Promise<void> {
  if (!configuration.migratesAtStart && configuration.role !== 'migrate') {
    await requireMigrated(databaseUrl, databaseFunctions);
    return;
  }
  await migrate(databaseUrl, databaseFunctions);
  if (configuration.redisUrl === null) {
    await migrateQueue(databaseUrl);
  }
}

async function runWorker(options: ApplicationOptions, stopDatabase: () => Promise<void>): Promise<void> {
  const { role, port, host, metricsToken } = options.configuration;
  const worker = await createWorker(options);
  warn(options.configuration);
  worker.get(Metrics).observeProcess();
  const server = createWorkerServer(worker, httpOptions(options), metricsToken);
  shutDownOnSignals(worker, server.server, stopDatabase);
  const url = await server.listen({ port, host });
  startBackgroundWork(worker, role);
  process.stdout.write(`The worker runs. Its health is at ${url}/health/ready\n`);
}

/** Reads the configuration. In embedded mode it makes the admin's credentials where the operator gives none. */
function readConfiguration(): { configuration: Configuration; adminFile: string | null } {
  const configuration = Configuration.read(process.env);
  if (!configuration.isEmbedded || configuration.adminEmail !== null) {
    return { configuration, adminFile: null };
  }
  const { credentials, file } = embeddedAdmin(configuration.dataFolder);
  const environment = {
    ...process.env,
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
function warn({ warnings }: Configuration): void {
  const logger = new Logger(Configuration.name);
  warnings.forEach((warning) => logger.warn(warning));
}

function announce(url: string, adminFile: string | null): void {
  const lines = [
    `Service            ${url}`,
    `Documentation      ${url}/docs`,
    ...(adminFile === null ? [] : [`Admin credentials  ${adminFile}`]),
  ];
  process.stdout.write(`\n${lines.join('\n')}\n\n`);
}

/** Whether the operator can mend the fault. Its text says everything then, and a stack trace would only hide it. */
function isOperatorsFault(error: Error): boolean {
  return [
    InvalidConfiguration,
    EmbeddedPostgresError,
    NewerSchema,
    OlderSchema,
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
