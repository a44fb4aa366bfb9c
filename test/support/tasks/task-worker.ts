import { type RunOrder, TaskOperations } from '../../../src/pipeline/metered-calls';
import { CallCancelled } from '../../../src/errors/api-errors';
import { TaskAttempts } from '../../../src/modules/tasks/task-attempts';
import { TaskProcessor } from '../../../src/modules/tasks/tasks';
import type { Lease } from '../../../src/work/leased-worker';
import type { TestService } from '../api/service';
import { until } from '../until';

/** Longer than a worker may be silent, and than a handed task may wait for one. */
export const SILENT_MS = 31_000;

/**
 * A worker without a queue: a test hands tasks over and runs them itself, so that it decides what happens when. A worker that
 * has died is one that goes no further while the clock does.
 */
export class TaskWorker {
  constructor(private readonly service: TestService) {}

  get runs(): TaskProcessor {
    return this.service.app.get(TaskProcessor, { strict: false });
  }

  get operations(): TaskOperations {
    return this.service.app.get(TaskOperations, { strict: false });
  }

  /** Hands over what waits, and returns the ids. */
  async hand(): Promise<string[]> {
    return [...(await this.service.app.get(TaskAttempts).claim(null)).items];
  }

  /** Hands a task over and runs it until it has ended. */
  async run(taskId: string): Promise<void> {
    await this.hand();
    await this.runs.run(taskId);
  }

  /** The same after all workers before have been silent for too long. */
  async runAfterSilence(taskId: string): Promise<void> {
    this.service.clock.advance(SILENT_MS);
    await this.run(taskId);
  }

  /**
   * Begins a run that stops short of its operation's call, at whatever `at` names, until it is let go. It is let go at the
   * end of a test in any case.
   */
  async stopAt(taskId: string, target: object, method: string): Promise<StoppedRun> {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let isReached = false;
    const methods = target as Record<string, (...parameters: unknown[]) => Promise<unknown>>;
    const original = methods[method]?.bind(target);
    const spy = jest.spyOn(methods, method).mockImplementationOnce(async (...parameters) => {
      isReached = true;
      await gate;
      return original?.(...parameters);
    });
    await this.hand();
    const ended = this.runs.run(taskId).catch(() => undefined);
    await until(`${method} is reached`, () => isReached);
    spy.mockRestore();
    return {
      goOn: async () => {
        letGo();
        await ended;
      },
    };
  }

  /** Cancels every run of a task in this process, also those that another one has followed. */
  cancelAll(taskId: string): void {
    const { runs } = this.runs as unknown as {
      runs: Map<string, { lease: Lease; stop: AbortController }>;
    };
    for (const { lease, stop } of runs.values()) {
      if (lease.itemId === taskId) {
        stop.abort(new CallCancelled());
      }
    }
  }

  /** Makes the next end of a task wait until it is let go. */
  holdFinish(): { reached: Promise<void>; goOn: () => void } {
    const attempts = this.service.app.get(TaskAttempts);
    const finish = attempts.finish.bind(attempts);
    let goOn: () => void = () => undefined;
    let isReached: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    const reached = new Promise<void>((resolve) => (isReached = resolve));
    jest.spyOn(attempts, 'finish').mockImplementationOnce(async (...parameters) => {
      isReached();
      await gate;
      return finish(...parameters);
    });
    return { reached, goOn };
  }

  /** Makes the next run fail with an error. */
  failNext(error: Error): void {
    jest.spyOn(this.operations, 'run').mockImplementationOnce((_: RunOrder) => Promise.reject(error));
  }
}

export interface StoppedRun {
  /** Lets it go on as if it had only been paused; resolves when it has ended. */
  goOn(): Promise<void>;
}
