import { setTimeout as delay } from 'node:timers/promises';
import { TestService } from '../api/service';
import { createAccount } from '../api/world';
import { depth } from '../jest/depth';
import { ledgerFaults } from '../ledger/ledger-faults';
import { CompiledService } from '../processes/compiled-service';
import { RedisServer } from '../redis/redis-server';
import { SeededRandom } from '../seeded-random';
import { until } from '../until';
import { DocumentClient } from './document-client';
import { faultsInDocuments } from './document-faults';
import { openReservations } from '../ledger/open-reservations';

const KILLS = depth('DOCUMENT_KILLS', { short: 3, deep: 20 });
const DOCUMENTS_AT_EACH_KILL = 3;
/** So many sentences take a worker about a second. */
const SENTENCES = 6_000;
const KILLED_WITHIN_MS = 1_500;
const ENDED_WITHIN_MS = 240_000;
const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';

/** What documents promise while their worker is killed at random. */
export function describeKilledDocuments(backend: 'postgres' | 'redis'): void {
  describe(`documents with the queue in ${backend}, while their worker is killed again and again`, () => {
    const random = new SeededRandom();
    let redis: RedisServer | null = null;
    let service: TestService;
    let api: CompiledService;
    let worker: CompiledService;

    const environment = (): Record<string, string> => ({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET,
      LOG_LEVEL: 'fatal',
      ...(redis ? { REDIS_URL: redis.url } : {}),
    });

    beforeAll(async () => {
      redis = backend === 'redis' ? await RedisServer.start() : null;
      service = await TestService.start();
      [api, worker] = await Promise.all([
        CompiledService.start({ ...environment(), ROLE: 'api' }),
        CompiledService.startWorker(environment()),
      ]);
    }, 120_000);

    afterAll(async () => {
      await Promise.all([api?.stop(), worker?.stop()]);
      await service.stop();
      await redis?.kill();
    }, 120_000);

    it('become ready, indexed as a whole, and are charged once', async () => {
      const account = await createAccount(service, { creditUsd: '1000' });
      const client = await DocumentClient.login(() => api.url, account);
      for (let kills = 0; kills < KILLS; kills += 1) {
        for (let number = 0; number < DOCUMENTS_AT_EACH_KILL; number += 1) {
          const { data } = await client.upload(textOf(kills, number));
          await processed(client, data.id);
        }
        await delay(random.between(0, KILLED_WITHIN_MS));
        await worker.kill();
        worker = await CompiledService.startWorker(environment());
      }
      await until('all have ended', async () => (await count(service, UNENDED)) === 0, ENDED_WITHIN_MS);

      const documents = KILLS * DOCUMENTS_AT_EACH_KILL;
      const rows: { status: string; attempts: number; count: string }[] = await service.database.query(
        'SELECT status, attempts, count(*) FROM documents GROUP BY status, attempts ORDER BY status, attempts',
      );
      process.stdout.write(
        `\nqueue in ${backend}, seed ${random.seed}: ${KILLS} workers killed; ` +
          `${rows.map((row) => `${row.count} ${row.status} at attempt ${row.attempts}`).join(', ')}\n`,
      );
      // No kill is the fault of a text: however many workers die with it, it is processed in the end.
      expect(await count(service, FAILED)).toBe(0);
      expect(await count(service, READY)).toBe(documents);
      expect(await count(service, CHARGES)).toBe(documents);
      expect(await faultsInDocuments(service.database)).toEqual([]);
      expect(await openReservations(service)).toEqual([]);
      expect(await ledgerFaults(service.database)).toEqual([]);
    }, 1_200_000);
  });
}

/** Has a document processed. On a machine that does much else, reading it may take too long, which is free, and done again. */
async function processed(client: DocumentClient, id: string): Promise<void> {
  let status = 0;
  await until('the call is taken', async () => {
    status = await client.process(id);
    return status !== 503 && status !== 504;
  });
  expect(status).toBe(200);
}

/** No two are the same, because the same file is one document. */
function textOf(kill: number, number: number): string {
  const sentence = (index: number) =>
    `In round ${kill} ship ${number} of harbour ${index % 97} waited ${index} hours for its cargo. `;
  return Array.from({ length: SENTENCES }, (_, index) => sentence(index)).join('');
}

const UNENDED = `SELECT id FROM documents WHERE status NOT IN ('ready', 'failed')`;
const READY = `SELECT id FROM documents WHERE status = 'ready'`;
const CHARGES = `SELECT id FROM ledger_entries WHERE type = 'charge' AND description = 'processDocument'`;
/** Sound documents that the kills alone have ended. */
const FAILED = `SELECT id FROM documents WHERE status = 'failed'`;
async function count({ database }: TestService, rows: string): Promise<number> {
  const [row]: { count: number }[] = await database.query(
    `SELECT count(*)::integer AS count FROM (${rows}) AS rows`,
  );
  return row?.count ?? 0;
}
