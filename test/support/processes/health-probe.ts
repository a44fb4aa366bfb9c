import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';

export interface HealthTimes {
  asked: number;
  /** Questions without an answer, or with another one than 200. */
  failures: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
  longestMs: number;
}

/** A request that is answered with 200. */
export interface Question {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** Asks a service for its health, or anything else, all the time, from a process of its own. */
export class HealthProbe {
  private constructor(private readonly child: ChildProcess) {}

  static start(url: string, questions?: readonly Question[]): HealthProbe {
    const script = join(__dirname, 'health-questions.cjs');
    const asked = questions ? [url, JSON.stringify(questions)] : [url];
    return new HealthProbe(fork(script, asked, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] }));
  }

  /** Ends the probe. */
  async stop(): Promise<HealthTimes> {
    const told = new Promise<{ timesMs: number[]; failures: number }>((resolve) =>
      this.child.once('message', resolve),
    );
    this.child.send('tell');
    const { timesMs, failures } = await told;
    this.child.kill();
    const sorted = timesMs.sort((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return {
      asked: sorted.length,
      failures,
      p50Ms: at(0.5),
      p95Ms: at(0.95),
      p99Ms: at(0.99),
      longestMs: sorted.at(-1) ?? 0,
    };
  }
}
