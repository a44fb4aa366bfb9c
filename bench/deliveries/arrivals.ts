import { join } from 'node:path';
import { startServer, type ServerProcess } from '../server-process';

/** Longer than 20,000 events take on a machine that is many times slower than ours. */
const ARRIVED_WITHIN_MS = 120_000;

/** What has come to the receivers. */
export interface Arrived {
  /** All requests; more than there are events when one came again. */
  posts: number;
  /** When each event came first, by its id, in the milliseconds of {@link nowMs}. */
  atMs: Map<string, number>;
}

/** The process that is all receivers of the events. */
export class Receivers {
  private constructor(
    private readonly server: ServerProcess,
    readonly urls: string[],
  ) {}

  static async start(): Promise<Receivers> {
    const server = await startServer(join(__dirname, 'receivers.js'), {}, [], null);
    return new Receivers(server, (await ask(server, '/urls')) as string[]);
  }

  /** Forgets what has come. */
  async countAnew(): Promise<void> {
    await ask(this.server, '/anew');
  }

  /** What has come, once it is at least so many events. @throws DOMException when they do not come within two minutes */
  async arrived(count: number): Promise<Arrived> {
    const { posts, arrivals } = (await ask(this.server, `/arrived?count=${count}`)) as {
      posts: number;
      arrivals: [string, number][];
    };
    return { posts, atMs: new Map(arrivals) };
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** The time in the milliseconds of this machine's clock, in which processes agree, with their fractions. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

async function ask({ url }: ServerProcess, path: string): Promise<unknown> {
  const response = await fetch(url + path, { signal: AbortSignal.timeout(ARRIVED_WITHIN_MS) });
  return response.json();
}
