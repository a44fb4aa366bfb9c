import { readFileSync } from 'node:fs';
import { spawnGuarded, type GuardedProcess } from '../../../src/database/embedded/guarded-process';
import { until } from '../until';

/** The process of a chain's node. It ends with the process that started it, however that one ends. */
export class NodeProcess {
  private process: GuardedProcess;
  private said = '';

  private constructor(private readonly command: string[]) {
    this.process = this.spawn();
  }

  /**
   * @param isReady is asked again and again until the node answers
   * @throws Error with the node's last words when it ends before that
   */
  static async start(
    command: string[],
    isReady: (said: string) => boolean | Promise<boolean>,
  ): Promise<NodeProcess> {
    const started = new NodeProcess(command);
    await started.waitFor(isReady).catch(async (error: unknown) => {
      // Nobody else could: who has asked for it gets none.
      await started.kill();
      throw error;
    });
    return started;
  }

  /** The same command once more, after {@link kill} or {@link stop}. */
  async startAgain(isReady: (said: string) => boolean | Promise<boolean>): Promise<void> {
    this.said = '';
    this.process = this.spawn();
    await this.waitFor(isReady);
  }

  /**
   * Stands still: whoever asks it is connected, and gets no answer before {@link resume}. On a busy machine a signal takes a while, and
   * some of its threads would answer until then.
   */
  async pause(): Promise<void> {
    const { child } = this.process;
    child.kill('SIGSTOP');
    await until('the node stands still', () => isStopped(child.pid ?? 0));
  }

  resume(): void {
    this.process.child.kill('SIGCONT');
  }

  /** Lets it put its data in order first. */
  async stop(): Promise<void> {
    this.resume();
    await this.end('SIGTERM');
  }

  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  private async end(signal: NodeJS.Signals): Promise<void> {
    this.process.child.kill(signal);
    await this.process.gone;
  }

  private spawn(): GuardedProcess {
    const started = spawnGuarded(this.command, undefined, ['ignore', 'pipe', 'pipe']);
    for (const stream of [started.child.stdout, started.child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.said = (this.said + chunk.toString()).slice(-10_000)));
    }
    return started;
  }

  private async waitFor(isReady: (said: string) => boolean | Promise<boolean>): Promise<void> {
    await until('the node answers', async () => !this.process.isRunning() || (await isReady(this.said)));
    if (!this.process.isRunning()) {
      throw new Error(`the node ended: ${this.said}`);
    }
  }
}

function isStopped(pid: number): boolean {
  return process.platform !== 'linux' || /\) T/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
