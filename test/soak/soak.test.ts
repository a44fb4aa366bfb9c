import { writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DataSource } from 'typeorm';
import { Ledger } from '../../src/ledger/ledger';
import { SeededRandom } from '../support/seeded-random';
import type { TestService } from '../support/api/service';
import type { Check } from '../support/soak/checks/check';
import { AnswerTally } from '../support/soak/checks/error-checks';
import { checkEvents, waitingDeliveries } from '../support/soak/checks/event-checks';
import { checkMemory } from '../support/soak/checks/memory-checks';
import { checkAnswers, checkBooks, checkCredits, checkStreams } from '../support/soak/checks/money-checks';
import {
  checkBatches,
  checkDocuments,
  checkRooms,
  checkTasks,
  unfinishedWork,
} from '../support/soak/checks/work-checks';
import { Outages } from '../support/soak/outages';
import { RandomFaults } from '../support/soak/random-faults';
import { SoakLoad } from '../support/soak/soak-load';
import { SoakReport } from '../support/soak/soak-report';
import { SoakScene } from '../support/soak/soak-scene';
import { soakSettings } from '../support/soak/soak-settings';
import { isAnswered } from '../support/ledger/paid-load';
import { until } from '../support/until';

const LEASES_OVER_MS = 3_600_000;
/** What is on its way once the load has stopped ends within this, also after the longest leases that are waited for. */
const SETTLED_WITHIN_MS = 300_000;
const PROGRESS_EVERY_MS = 30_000;
const ALL_MS_MAX = 3_600_000;

const settings = soakSettings(process.env);

describe(`${settings.minutes} minutes of everything, while everything is killed`, () => {
  const report = new SoakReport();
  const outages = new Outages();
  const tally = new AnswerTally();
  let scene: SoakScene;
  let load: SoakLoad;

  beforeAll(async () => {
    const { apis, minutes, seed, workers } = settings;
    report.line(`soak: ${minutes} minutes, SOAK_SEED=${seed}, ${apis} API replicas, ${workers} workers`);
    scene = await SoakScene.start(settings);
    load = new SoakLoad(scene, settings.seed + 1, tally);
  }, 600_000);

  afterAll(async () => {
    if (settings.logFile !== null) {
      writeFileSync(settings.logFile, scene.stack.lines.join('\n'));
    }
    await scene.stop();
  }, 600_000);

  it(
    'loses no money, event, task or document, and keeps its memory',
    async () => {
      const spared = scene.spared;
      const faults = new RandomFaults({
        postgres: scene.postgres,
        stack: scene.stack,
        random: new SeededRandom(settings.seed),
        settings,
        outages,
      });
      load.start();
      faults.start();
      await untilOver();
      await faults.stop();
      await load.stop();
      const settledMs = await settle().finally(() => load.watch.stop());
      load.countAnswers();

      report.title('Faults');
      const seconds = outages.all.map(({ fromMs, toMs }) => ((toMs ?? fromMs) - fromMs) / 1000);
      for (const victim of ['api', 'worker', 'redis', 'postgres'] as const) {
        const own = outages.all.map((outage, index) =>
          outage.victim === victim ? (seconds[index] ?? 0) : 0,
        );
        report.line(
          `${victim.padEnd(9)} killed ${outages.count(victim)} times, away for ${sum(own).toFixed(0)} s in all`,
        );
      }
      report.title('Answers by group');
      tally.groups().forEach((line) => report.line(line));
      report.title('Errors by kind, and what was away meanwhile');
      tally.kinds(outages).forEach((line) => report.line(line));
      report.title('Checks');
      report.line(
        `     everything was settled ${(settledMs / 1000).toFixed(0)} s after the load had stopped`,
      );
      for (const { name, figure, faults: found } of await checks(spared)) {
        report.check(name, figure, found);
      }
      report.line();
      report.line(report.failures.length === 0 ? 'soak: passed' : `soak: FAILED, SOAK_SEED=${settings.seed}`);
      expect(report.failures).toEqual([]);
    },
    settings.minutes * 60_000 + ALL_MS_MAX,
  );

  async function untilOver(): Promise<void> {
    const startedAtMs = performance.now();
    const endsAtMs = startedAtMs + settings.minutes * 60_000;
    for (let nowMs = startedAtMs; nowMs < endsAtMs; nowMs = performance.now()) {
      await delay(Math.min(PROGRESS_EVERY_MS, endsAtMs - nowMs));
      const minute = ((performance.now() - startedAtMs) / 60_000).toFixed(1);
      const calls = load.paid.calls.length + load.calls.told.length;
      report.line(
        `${minute} min: ${calls} calls, ${load.tasks.told.length} tasks, ${scene.receiver.count} deliveries, ${outages.all.length} faults`,
      );
    }
  }

  /** Waits for what ends by itself, and then ends what only time would: the leases of calls that died. */
  async function settle(): Promise<number> {
    const { service } = scene.stack;
    const startedAtMs = performance.now();
    await until(
      'tasks and documents have ended',
      async () => (await unfinishedWork(service)) === 0,
      SETTLED_WITHIN_MS,
    );
    const sweptAt = new Date(Date.now() + LEASES_OVER_MS);
    await until('all leases are swept', async () => (await service.app.get(Ledger).sweep(sweptAt)) === 0);
    // A process that was killed at the very end is missed two seconds later.
    await until(
      'what processes held that were killed is released',
      async () => {
        const [row] = await service.database.query<{ open: number }[]>(
          'SELECT count(*)::integer AS open FROM reservations',
        );
        return row?.open === 0;
      },
      SETTLED_WITHIN_MS,
    );
    await service.database.query(
      `UPDATE idempotency_claims SET lease_until = now() - interval '1 second' WHERE status IS NULL`,
    );
    await until(
      'every client with a key has its answer',
      () => load.calls.askAgain(),
      SETTLED_WITHIN_MS,
    ).catch((error: Error) => {
      throw new Error(`${error.message}: ${load.calls.unansweredNow().join(', ')}`);
    });
    for (let order = load.paid.unanswered.shift(); order; order = load.paid.unanswered.shift()) {
      if (!isAnswered(await load.paid.call(order))) {
        load.paid.unanswered.push(order);
      }
    }
    await until(
      'documents of late answers have ended',
      async () => (await unfinishedWork(service)) === 0,
      SETTLED_WITHIN_MS,
    );
    await until(
      'nothing is to be told any more',
      async () => (await waitingDeliveries(service)) === 0,
      SETTLED_WITHIN_MS,
    );
    await load.watch.stop();
    await load.watch.lookAtAll();
    return performance.now() - startedAtMs;
  }

  async function checks(spared: SoakScene['spared']): Promise<Check[]> {
    const { databaseUrl: url } = scene.stack.service;
    const database = await new DataSource({ type: 'postgres', url }).initialize();
    try {
      return await checksOver(scene.stack.service.over(database), spared);
    } finally {
      await database.destroy();
    }
  }

  async function checksOver(service: TestService, spared: SoakScene['spared']): Promise<Check[]> {
    const mixed = load.calls.told;
    return [
      ...(await checkBooks(service)),
      ...(await checkAnswers(service, load.paid, mixed)),
      ...(await checkCredits(service, mixed)),
      await checkStreams(service, load.streams.ended, load.streams.faults),
      ...(await checkEvents(service, scene.receiver, scene.webhooks)),
      await checkTasks(service, load.tasks, load.watch),
      await checkDocuments(service, mixed),
      await checkBatches(service, scene.accounts.batching, mixed),
      checkRooms(load.rooms),
      {
        name: 'clients were told nothing that can’t be',
        figure: `${mixed.length} calls`,
        faults: load.faults,
      },
      ...tally.checks(outages, settings),
      {
        name: 'no process ended but those that were killed',
        figure: `${outages.all.length} faults`,
        faults: scene.crashes,
      },
      ...checkMemory(scene.memoryFolder, spared, settings),
    ];
  }
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
