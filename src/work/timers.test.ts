import { Logger } from '@nestjs/common';
import type { ModuleRef } from '@nestjs/core';
import { SchedulerRegistry } from '@nestjs/schedule';
import type { ProcessRegister } from '../database/process-register';
import { SystemClock } from '../runtime/clock';
import { part, timed, TimedJob, Timers } from './timers';

describe('TimedJob', () => {
  let finish: () => void;
  let runs: number;
  let signals: AbortSignal[];
  const job = () =>
    new TimedJob('a job', (signal) => {
      runs += 1;
      signals.push(signal);
      return new Promise<void>((resolve) => (finish = resolve));
    });

  beforeEach(() => {
    [runs, signals] = [0, []];
  });
  afterEach(() => jest.restoreAllMocks());

  it('passes over a tick that comes during a run, and takes the next', async () => {
    const own = job();
    const ticks = [own.tick(), own.tick()];
    expect(runs).toBe(1);
    finish();
    await Promise.all(ticks);
    const next = own.tick();
    expect(runs).toBe(2);
    finish();
    await next;
  });

  it('logs what fails and runs again', async () => {
    const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    let tries = 0;
    const own = new TimedJob('a job', () => {
      tries += 1;
      throw new Error(`try ${tries}`);
    });
    await own.tick();
    await own.tick();
    expect(logged.mock.calls.map(([line]) => line as unknown)).toEqual([
      { message: 'a job failed and is tried again', error: 'Error: try 1' },
      { message: 'a job failed and is tried again', error: 'Error: try 2' },
    ]);
  });

  it('leaves the other parts of a run when one fails', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    const logger = new Logger('a job');
    expect(await part(logger, 'one', () => Promise.reject(new Error('no')))).toBeNull();
    expect(await part(logger, 'other', () => Promise.resolve(3))).toBe(3);
  });

  it('tells the run in progress that the process ends, waits for it, and begins no other', async () => {
    const own = job();
    void own.tick();
    let hasEnded = false;
    const ended = own.end().then(() => (hasEnded = true));
    await new Promise(setImmediate);
    expect([signals[0]?.aborted, hasEnded]).toEqual([true, false]);
    finish();
    await ended;
    await own.tick();
    expect(runs).toBe(1);
  });
});

describe('Timers', () => {
  it('keep no other module from learning that the process ends, and what it needs is closed after the run', async () => {
    let finish = () => undefined as void;
    class Swept {}
    const work = () => new Promise<void>((resolve) => (finish = resolve));
    const table = [timed({ name: 'a sweep', everyMs: 60_000, first: 'at the start', of: Swept, work })];
    const [modules, register] = [{ get: () => new Swept() }, { isFollowing: false }];
    const scheduler = new SchedulerRegistry();
    const timers = new Timers(
      table,
      modules as unknown as ModuleRef,
      scheduler,
      new SystemClock(),
      register as ProcessRegister,
    );
    timers.onModuleInit();
    timers.onApplicationBootstrap();
    scheduler.deleteInterval('a sweep');
    expect(timers.onModuleDestroy()).toBeUndefined();
    let hasEnded = false;
    const ended = timers.beforeApplicationShutdown().then(() => (hasEnded = true));
    await new Promise(setImmediate);
    expect(hasEnded).toBe(false);
    finish();
    await ended;
  });
});
