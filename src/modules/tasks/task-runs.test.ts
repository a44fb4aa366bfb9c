import type { RunOrder, TaskOperations } from '../../pipeline/metered-calls';
import type { CallTraces } from '../../events/call-traces';
import { FINISHED_WITHIN_MS } from '../../work/leased-worker';
import type { TaskAttempts, TaskDispatcher } from './task-attempts';
import { TaskProcessor } from './tasks';

describe('a process that stops while it runs a task', () => {
  let written: string[];
  let finishWork: () => void;
  let runs: TaskProcessor;

  beforeEach(() => {
    jest.useFakeTimers();
    written = [];
    const write = (name: string) => () => {
      written.push(name);
      return Promise.resolve(null);
    };
    const attempts = {
      begin: ({ runId: callId }: { runId: string }) =>
        Promise.resolve({ verdict: 'begun', claim: { id: 'task:1', callId }, previousCall: null }),
      finish: write('finish'),
      giveBack: write('giveBack'),
      putBack: write('putBack'),
      progress: write('progress'),
      release: () => Promise.resolve(),
      hold: () => Promise.resolve([{ taskId: '1', isCancelRequested: false }]),
    };
    const operations = {
      run: ({ cancel }: RunOrder) =>
        new Promise<void>((resolve, reject) => {
          finishWork = resolve;
          cancel.addEventListener('abort', () => reject(cancel.reason as Error));
        }),
    };
    runs = new TaskProcessor(
      attempts as unknown as TaskAttempts,
      operations as unknown as TaskOperations,
      { madeRoom: () => undefined } as TaskDispatcher,
      { follow: () => Promise.resolve(null) } as unknown as CallTraces,
    );
  });
  afterEach(() => jest.useRealTimers());

  it('lets it end', async () => {
    const run = runs.run('1');
    await jest.advanceTimersByTimeAsync(1);
    runs.onModuleDestroy();
    await jest.advanceTimersByTimeAsync(FINISHED_WITHIN_MS - 100);
    finishWork();
    await run;
    await runs.beforeApplicationShutdown();
    expect(written).toEqual(['finish']);
  });

  it('gives it back when it takes too long, and does not close before', async () => {
    const run = runs.run('1');
    await jest.advanceTimersByTimeAsync(1);
    runs.onModuleDestroy();
    const closed = runs.beforeApplicationShutdown();
    await jest.advanceTimersByTimeAsync(FINISHED_WITHIN_MS);
    await Promise.all([run, closed]);
    expect(written).toEqual(['giveBack']);
  });

  it('begins no other, and puts it back at once', async () => {
    runs.onModuleDestroy();
    await runs.run('1');
    expect(written).toEqual(['putBack']);
  });
});
