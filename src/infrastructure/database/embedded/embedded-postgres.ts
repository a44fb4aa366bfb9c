import { openCluster } from './cluster';
import { findPostgresBinaries } from './postgres-binaries';
import { findServerPlace } from './server-place';
import { keepServer } from './kept-server';
import type { EmbeddedPostgres } from './server';

export type { EmbeddedPostgres } from './server';

export interface EmbeddedPostgresOptions {
  /** The folder that keeps the database between starts. It is created when it does not exist. */
  dataFolder: string;
  /** Receives what an operator should know, one sentence in each call. The password is never part of it. */
  log: (message: string) => void;
  /** False makes the database faster, but a crash of the machine can destroy it: for tests only. Default true. */
  durable?: boolean;
}

/**
 * Starts the Postgres server of a data folder, creating the database on the first start.
 *
 * The server runs in a session of its own, so that signals to this process or its group never reach it. That lets the
 * caller finish its work first and call `stop` last. If this process dies without calling it, the server is ended too.
 * If the server dies, it is started again under the same connection string.
 *
 * @throws DataFolderInUseError when another live service owns the folder.
 * @throws EmbeddedPostgresError when this machine cannot run the server or the folder cannot be used.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataFolder, log, durable = true } = options;
  const place = await findServerPlace(dataFolder, log);
  const binaries = await findPostgresBinaries(place, log);
  const cluster = await openCluster({ place, binaries, durable, log });
  return keepServer({ place, binaries, cluster, durable, log });
}
