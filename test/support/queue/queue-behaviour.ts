import { Logger } from '@nestjs/common';
import { newId } from '../../../src/runtime/ids';
import { startBackgroundWork } from '../../../src/application';
import { QueueProcessors } from '../../../src/work/queue-worker';
import { TestService } from '../api/service';
import { until } from '../until';
import { Errands, ErrandsModule, ErrandsProcessor, type Errand } from './errands.module';

const JOBS = 200;
const BACKOFF_MS = 100;

/** What a queue promises, on whatever it is. @param environmentOf is asked when the tests begin */
export function describeQueue(where: string, environmentOf: () => Promise<Record<string, string>>): void {
  describe(`the queue ${where}`, () => {
    let service: TestService;
    let errands: Errands;
    const replicas: TestService[] = [];

    beforeAll(async () => {
      service = await TestService.start(await environmentOf(), undefined, [ErrandsModule]);
      errands = service.app.get(Errands);
    });
    afterAll(async () => {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await service.stop();
    });

    async function replica(): Promise<Errands> {
      const started = await service.startReplica();
      replicas.push(started);
      startBackgroundWork(started.app, 'all');
      return started.app.get(Errands);
    }

    async function stopReplicas(): Promise<void> {
      await Promise.all(replicas.splice(0).map((started) => started.stop()));
    }

    async function add(data: Errand, options: { id?: string; isLong?: boolean } = {}): Promise<string> {
      const { id = newId(), isLong = false } = options;
      const opts = { jobId: id, attempts: 4, backoff: { type: 'fixed', delay: BACKOFF_MS } };
      await (isLong ? errands.longQueue : errands.queue).addBulk([{ name: 'errand', data, opts }]);
      return id;
    }

    it('leaves its jobs alone in a process of role api', async () => {
      startBackgroundWork(service.app, 'api');
      await add({});
      expect(() => service.app.get(ErrandsProcessor).worker).toThrow('has not yet been initialized');
      expect(await errands.queue.getJobCounts('waiting', 'active')).toEqual({ waiting: 1, active: 0 });
    });

    it('adds nothing when a job of the id is there', async () => {
      const before = await errands.queue.getWaitingCount();
      const id = await add({});
      await add({ failures: 3 }, { id });
      expect(await errands.queue.getWaitingCount()).toBe(before + 1);
      expect((await errands.queue.getJob(id))?.data).toEqual({});
    });

    it('hands every job to one of two workers, once', async () => {
      const ids = Array.from({ length: JOBS }, () => newId());
      await errands.queue.addBulk(ids.map((jobId) => ({ name: 'errand', data: {}, opts: { jobId } })));
      const [one, other] = await Promise.all([replica(), replica()]);
      const done = (): string[] => [...one.runs, ...other.runs].map(({ id }) => id);
      await until('every job has run', () => ids.every((id) => done().includes(id)));
      await until('none is left', async () => (await errands.queue.count()) === 0);
      const own = done().filter((id) => ids.includes(id));
      expect([own.length, new Set(own).size]).toEqual([JOBS, JOBS]);
      expect([one.runs.length > 0, other.runs.length > 0]).toEqual([true, true]);
      await stopReplicas();
    });

    it('leaves nothing of a job that is done', async () => {
      expect(await errands.queue.getJobCounts()).toEqual(
        expect.objectContaining({ waiting: 0, active: 0, completed: 0, failed: 0, delayed: 0 }),
      );
    });

    it('tries a failing job again after its backoff, until it succeeds', async () => {
      const own = await replica();
      const id = await add({ failures: 2 });
      await until('it has succeeded', () => own.of(id).at(-1)?.outcome === 'done');
      const runs = own.of(id);
      expect(runs.map(({ attempt, outcome }) => [attempt, outcome])).toEqual([
        [1, 'failed'],
        [2, 'failed'],
        [3, 'done'],
      ]);
      const [first = 0, second = 0, third = 0] = runs.map(({ startedAtMs }) => startedAtMs);
      // Timers of Node may be a millisecond early.
      expect(Math.min(second - first, third - second)).toBeGreaterThanOrEqual(BACKOFF_MS - 2);
      await stopReplicas();
    });

    it('gives up a job without the form at its first try, and says so', async () => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
      const own = await replica();
      const id = await add({ failures: 'many' } as unknown as Errand);
      await until('it has left the queue', async () => (await errands.queue.getJob(id)) === undefined);
      expect(own.of(id)).toEqual([]);
      expect(logged.mock.calls.map(([line]: unknown[]) => line)).toEqual([
        expect.objectContaining({
          queue: 'errands',
          job_id: id,
          error: expect.stringMatching(/failures .* isInt/) as string,
        }),
      ]);
      logged.mockRestore();
      await stopReplicas();
    });

    it('gives a job back at once that came while the process stopped', async () => {
      const own = await replica();
      const { app } = replicas[0] as TestService;
      const processors = app.get(QueueProcessors);
      processors.start();
      const { worker } = app.get(ErrandsProcessor);
      const { backend } = worker as unknown as {
        backend: { moveToActive(token: string): Promise<unknown[]> };
      };
      const take = backend.moveToActive.bind(backend);
      const stops: Promise<void>[] = [];
      jest.spyOn(backend, 'moveToActive').mockImplementation(async (...given) => {
        const taken = await take(...given);
        if (taken[0]) {
          stops.push(processors.stop());
        }
        return taken;
      });
      const id = await add({});
      await until('it is taken', () => stops.length > 0);
      await stops[0];
      expect(own.of(id)).toEqual([]);
      expect(await errands.queue.getJobCounts('waiting', 'active')).toEqual({ waiting: 1, active: 0 });
      await (await errands.queue.getJob(id))?.remove();
      await stopReplicas();
    });

    it('lets a running job finish when the process stops, and begins no other', async () => {
      const own = await replica();
      const id = await add({ isHeld: true });
      await until('it runs', () => own.of(id).length === 1);
      const stopped = replicas[0]?.app.get(QueueProcessors).stop();
      const later = await add({});
      own.release(id);
      await stopped;
      await stopReplicas();
      expect(own.of(id).map(({ outcome }) => outcome)).toEqual(['done']);
      expect(own.of(later)).toEqual([]);
      expect(await errands.queue.getJob(id)).toBeUndefined();
      expect(await errands.queue.getJobCounts('waiting', 'active')).toEqual({ waiting: 1, active: 0 });
    });

    it('gives a job back that takes too long to stop for, as if nobody had begun it', async () => {
      const own = await replica();
      const id = await add({ isHeld: true }, { isLong: true });
      await until('it runs', () => own.of(id).length === 1);
      await stopReplicas();
      expect(own.of(id).map(({ outcome }) => outcome)).toEqual(['told to stop']);
      expect(await errands.longQueue.getJobCounts('waiting', 'active')).toEqual({ waiting: 1, active: 0 });

      const other = await replica();
      await until('another runs it', () => other.of(id).length === 1);
      own.release(id);
      other.release(id);
      await until('it is done', async () => (await errands.longQueue.getJob(id)) === undefined);
      expect(other.of(id).map(({ attempt, outcome }) => [attempt, outcome])).toEqual([[1, 'done']]);
    });

    it('begins nothing once it has been stopped', async () => {
      await stopReplicas();
      const processors = service.app.get(QueueProcessors);
      await processors.stop();
      processors.start();
      expect(() => service.app.get(ErrandsProcessor).worker).toThrow('has not yet been initialized');
    });
  });
}
