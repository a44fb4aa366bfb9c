import 'reflect-metadata';
import { SchemaVersionMismatchError } from 'bullmq';
import { createApplication, createWorker } from './application';
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
import { migrate, NewerSchema } from './infrastructure/database/migrate';
import { Metrics } from './infrastructure/metrics/metrics';
import { migrateQueue } from './infrastructure/queue/queue-schema';
import { shutDownOnSignals } from './shut-down';

async function main(): Promise<void> {
  const { configuration, adminFile } = readConfiguration();
  const embedded = configuration.isEmbedded ? await startDatabase(configuration) : null;
  const databaseUrl = configuration.databaseUrl ?? embedded?.url ?? '';
  const stopDatabase = async () => embedded?.stop();
  try {
    await migrate(databaseUrl, databaseFunctions);
    if (configuration.redisUrl === null) {
      await migrateQueue(databaseUrl);
    }
    const options = {
      configuration,
      databaseUrl,
      jwtSecret: configuration.jwtSecret ?? embeddedJwtSecret(configuration.dataFolder),
      clock: new SystemClock(),
    };
    if (configuration.role === 'worker') {
      const worker = await createWorker(options);
      shutDownOnSignals(worker, null, stopDatabase);
      startBackgroundWork(worker, configuration.role);
      process.stdout.write('The worker runs. It listens on no port.\n');
      return;
    }
    const application = await createApplication(options);
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
