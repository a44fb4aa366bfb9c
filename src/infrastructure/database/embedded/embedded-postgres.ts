import { openCluster } from './cluster';
import { findPostgresBinaries } from './postgres-binaries';
import { findServerPlace } from './server-place';
import { type EmbeddedPostgres, startServer } from './server';

export type { EmbeddedPostgres } from './server';

export interface EmbeddedPostgresOptions {
  /** Folder that keeps the database between starts; made when missing. */
  dataFolder: string;
  /** Receives what an operator should know, one sentence a call. Never contains the password. */
  log: (message: string) => void;
  /** False gives up surviving a crash of the machine in exchange for speed: for tests only. Default true. */
  durable?: boolean;
}

/**
 * Starts the Postgres server of a data folder, creating the database on the first start.
 *
 * The server leads a session of its own, so that a signal to this process or its group never reaches it: the
 * caller drains first and calls `stop` last. If this process dies without doing so, the server is ended for it.
 *
 * @throws DataFolderInUseError when another live service owns the folder.
 * @throws EmbeddedPostgresError when this machine cannot run the server or the folder cannot be used.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataFolder, log, durable = true } = options;
  const place = await findServerPlace(dataFolder, log);
  const binaries = await findPostgresBinaries(place, log);
  const cluster = await openCluster({ place, binaries, durable, log });
  return startServer({ place, binaries, cluster, durable, log });
}
