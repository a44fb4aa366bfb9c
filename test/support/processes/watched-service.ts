import { join } from 'node:path';
import { CompiledService } from './compiled-service';

const WATCH = join(__dirname, 'event-loop-watch.cjs');

interface Watched {
  delayMs: number;
  processorMs: number;
}

/** The compiled service in a process of its own, which tells for how long single turns of its event loop held it up. */
export class WatchedService {
  private constructor(private readonly service: CompiledService) {}

  static async start(environment: Record<string, string>): Promise<WatchedService> {
    const watched = { ...environment, NODE_OPTIONS: `--require ${WATCH}` };
    return new WatchedService(await CompiledService.start(watched));
  }

  get url(): string {
    return this.service.url;
  }

  async stop(): Promise<void> {
    await this.service.stop();
  }

  /** Sends a body as it is and waits for the whole answer. */
  async post(path: string, body: string, headers: Record<string, string>): Promise<Response> {
    const response = await fetch(this.service.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
    return new Response(await response.text(), { status: response.status });
  }

  /** An upper bound of the longest time that a turn of the service's event loop took during some work, milliseconds. */
  async longestTurnMs(work: () => Promise<void>): Promise<number> {
    await this.ask('start watching');
    await work();
    const { delayMs, processorMs } = await this.ask('tell');
    return Math.min(delayMs, processorMs);
  }

  private async ask(question: string): Promise<Watched> {
    const answer = new Promise<Watched>((resolve) => this.service.process.once('message', resolve));
    this.service.process.send(question);
    return answer;
  }
}
