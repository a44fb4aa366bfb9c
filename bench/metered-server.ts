import 'reflect-metadata';
import { createApplication, shutDownOnSignals, startBackgroundWork } from '../src/application';
import { Configuration } from '../src/config/configuration';
import { DatabaseUrl } from '../src/database/connection-pool';
import { SystemClock } from '../src/runtime/clock';
import { MeteredEchoModule } from './metered-echo';
import { reportReady } from './report-ready';

/**
 * The real service, configured by the environment, on a database that is already migrated, with the echo beside its
 * API.
 */
async function main(): Promise<void> {
  const configuration = Configuration.read(process.env);
  const application = await createApplication({
    configuration,
    databaseUrl: new DatabaseUrl(configuration.databaseUrl ?? ''),
    jwtSecret: configuration.jwtSecret ?? '',
    clock: new SystemClock(),
    extraModules: [MeteredEchoModule],
  });
  shutDownOnSignals(application, application.getHttpServer(), () => Promise.resolve());
  await application.listen(configuration.port, configuration.host);
  startBackgroundWork(application, configuration.role);
  reportReady(await application.getUrl());
}

main().catch((error: unknown) => {
  process.stderr.write(`${String((error as Error).stack)}\n`);
  process.exit(1);
});
