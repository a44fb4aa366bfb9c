import { setTimeout as delay } from 'node:timers/promises';
import { findPostgresBinaries, openCluster } from './cluster';
import { type EmbeddedPostgres, type ServerOptions, startServer } from './server';
import { findServerPlace } from './server-place';

const AGAIN_AFTER_MS_MIN = 100;
const AGAIN_AFTER_MS_MAX = 10_000;
/** A server that has run for this long is started again at once when it ends. */
const STEADY_AFTER_MS = 60_000;

/**
 * Starts a server and keeps it running: whenever it ends although nobody asked it to, it is started again, on the same
 * port, so that its connection string stays true. Between the tries are pauses that grow from 0.1 to 10 seconds.
 *
 * @throws what startServer() throws at the first start; later failures are only logged
 */
async function keepServer(options: Omit<ServerOptions, 'ended'>): Promise<EmbeddedPostgres> {
  const kept = new KeptServer(options);
  await kept.start();
  return kept;
}

class KeptServer implements EmbeddedPostgres {
  private server!: EmbeddedPostgres;
  private startedMs = 0;
  private isStarting = false;
  /** Whether the server that was started last has ended by itself. */
  private hasEnded = false;
  private pauseMs = AGAIN_AFTER_MS_MIN;
  private restarting: Promise<void> | null = null;
  private readonly stopping = new AbortController();

  constructor(private readonly options: Omit<ServerOptions, 'ended'>) {}

  get url(): string {
    return this.server.url;
  }

  get port(): number {
    return this.server.port;
  }

  async start(choosePort = this.options.choosePort): Promise<void> {
    this.isStarting = true;
    this.hasEnded = false;
    try {
      this.server = await startServer({
        ...this.options,
        ...(choosePort && { choosePort }),
        ended: () => this.lose(),
      });
      this.startedMs = performance.now();
    } finally {
      this.isStarting = false;
    }
    if (this.hasEnded) {
      this.restart();
    }
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.restarting;
    await this.server.stop();
  }

  /** One that ends before it was handed over is noticed by whoever started it. */
  private lose(): void {
    this.hasEnded = true;
    if (!this.isStarting) {
      this.restart();
    }
  }

  private restart(): void {
    if (performance.now() - this.startedMs > STEADY_AFTER_MS) {
      this.pauseMs = AGAIN_AFTER_MS_MIN;
    }
    this.restarting ??= this.startAgain().finally(() => (this.restarting = null));
  }

  private async startAgain(): Promise<void> {
    const { port } = this;
    const { signal } = this.stopping;
    while (!signal.aborted) {
      await delay(this.pauseMs, undefined, { signal }).catch(() => undefined);
      this.pauseMs = Math.min(2 * this.pauseMs, AGAIN_AFTER_MS_MAX);
      if (signal.aborted) {
        return;
      }
      try {
        await this.start(() => Promise.resolve(port));
        if (!this.hasEnded) {
          return;
        }
      } catch (error) {
        this.options.log(`Embedded Postgres is tried again in ${this.pauseMs} ms: ${String(error)}`);
      }
    }
  }
}

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
