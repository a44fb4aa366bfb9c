import { setTimeout as delay } from 'node:timers/promises';
import { ServiceProcess, type ServiceProcessOptions } from './service-process';

const FIRST_PAUSE_MS = 200;
const PAUSE_MS_MAX = 30_000;
/** Whoever ran for so long is started again at once; whoever dies earlier waits longer each time. */
const STEADY_AFTER_MS = 10_000;

/** A process that is started again whenever it dies, as `restart: unless-stopped` does. */
export class SupervisedProcess {
  private current: ServiceProcess;
  private readonly stopping = new AbortController();
  private readonly watch: Promise<void>;
  private readyAtMs = performance.now();
  private pauseMs = FIRST_PAUSE_MS;

  private constructor(
    private readonly options: ServiceProcessOptions,
    first: ServiceProcess,
    private readonly whenUp: (isUp: boolean) => void,
  ) {
    this.current = first;
    this.announce();
    this.watch = this.restartUntilStopped();
  }

  /**
   * Resolves when the process is ready.
   * @param whenUp is told whenever it becomes ready, and whenever it has ended
   * @throws Error when the first start fails; nobody is started again then
   */
  static async start(
    options: ServiceProcessOptions,
    whenUp: (isUp: boolean) => void,
  ): Promise<SupervisedProcess> {
    const first = new ServiceProcess(options);
    try {
      await first.ready();
    } catch (error) {
      await first.stop();
      throw error;
    }
    return new SupervisedProcess(options, first, whenUp);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    this.whenUp(false);
    await this.current.stop();
    await this.watch;
  }

  /** Where it listens itself, also after it was started again. */
  get url(): string {
    return `http://127.0.0.1:${this.options.port}`;
  }

  private announce(): void {
    const { name, log } = this.options;
    log(`stack | ${name} is ready: process ${this.current.pid} at ${this.url}`);
    this.whenUp(!this.isStopping);
  }

  private get isStopping(): boolean {
    return this.stopping.signal.aborted;
  }

  private async restartUntilStopped(): Promise<void> {
    for (;;) {
      await this.current.ended;
      this.whenUp(false);
      if (this.isStopping) {
        return;
      }
      await this.startAgain();
      if (this.isStopping) {
        await this.current.stop();
        return;
      }
    }
  }

  private async startAgain(): Promise<void> {
    const { name, log } = this.options;
    const ranForMs = performance.now() - this.readyAtMs;
    this.pauseMs = ranForMs > STEADY_AFTER_MS ? FIRST_PAUSE_MS : Math.min(this.pauseMs * 2, PAUSE_MS_MAX);
    log(`stack | ${name} ended with ${this.current.end}; it is started again in ${this.pauseMs} ms`);
    await delay(this.pauseMs, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    if (this.isStopping) {
      return;
    }
    this.current = new ServiceProcess(this.options);
    this.readyAtMs = performance.now();
    await this.current.ready().then(
      () => this.announce(),
      // It ended again, or hangs: the next turn of the loop ends it and begins anew.
      () => this.current.stop(),
    );
  }
}
