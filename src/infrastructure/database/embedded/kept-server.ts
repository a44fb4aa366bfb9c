import { setTimeout as delay } from 'node:timers/promises';
import { type EmbeddedPostgres, type ServerOptions, startServer } from './server';

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
export async function keepServer(options: Omit<ServerOptions, 'ended'>): Promise<EmbeddedPostgres> {
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
