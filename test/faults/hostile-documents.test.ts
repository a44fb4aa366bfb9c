import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DocumentClient } from '../support/documents/document-client';
import { HOSTILE_FILES, type HostileFile } from '../support/hostile-files/hostile-files';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { HealthProbe, type HealthTimes } from '../support/processes/health-probe';
import { WatchedService } from '../support/processes/watched-service';
import { TestService } from '../support/api/service';
import { createAccount } from '../support/api/world';
import { until } from '../support/until';

/** How often all of them are sent. The service takes each anew, because each time they are other accounts'. */
const ROUNDS = depth('HOSTILE_DOCUMENT_ROUNDS', { short: 1, deep: 3 });
/** The service reads one file of an account at once, of two accounts; of each it has one more in memory, which waits. */
const ACCOUNTS = 2;
const SENT_AT_ONCE_OF_EACH = 2;
/** What the machine takes for a health call of a service that has nothing to do. */
const RESTING_MS = 5_000;
/** On a machine that does nothing else. */
const HEALTH_P99_MS_MAX = depth('HOSTILE_DOCUMENT_P99_MS_MAX', { short: Infinity, deep: 100 });
/** Of the service's own doing, which no other work on the machine makes longer. */
const TURN_MS_MAX = depth('HOSTILE_DOCUMENT_TURN_MS_MAX', { short: Infinity, deep: 100 });
const JWT_SECRET = 'a secret for tests that nobody else has: 0123456789';

interface BuiltFile {
  readonly file: HostileFile;
  readonly bytes: Buffer;
}

describe('hostile files that are uploaded and processed, four at once', () => {
  let temporary: string;
  let service: TestService;
  let victim: WatchedService;

  beforeAll(async () => {
    temporary = mkdtempSync(join(tmpdir(), 'hostile-'));
    service = await TestService.start();
    victim = await WatchedService.start({
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET,
      LOG_LEVEL: 'fatal',
      TMPDIR: temporary,
    });
  }, 120_000);
  afterAll(async () => {
    await victim?.stop();
    await service.stop();
    rmSync(temporary, { recursive: true, force: true });
  });

  it('delay no health call, are answered as documented, and leave nothing behind', async () => {
    // Before anything is measured: making them takes as much of the machine as reading them.
    const files: BuiltFile[] = [];
    for (const file of HOSTILE_FILES) {
      files.push({ file, bytes: await file.build() });
    }
    const answers = new Map<string, number>();
    const resting = await healthDuring(() => delay(RESTING_MS));
    const startedMs = performance.now();
    let longestTurnMs = 0;
    const health = await healthDuring(async () => {
      longestTurnMs = await victim.longestTurnMs(async () => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const clients = await Promise.all(Array.from({ length: ACCOUNTS }, newClient));
          await sendAll(clients, [...files], answers);
        }
      });
    });
    const tookMs = performance.now() - startedMs;

    process.stdout.write(
      `\n${ROUNDS} times ${files.length} hostile files in ${Math.round(tookMs / 1000)} s: ` +
        `${[...answers]
          .sort()
          .map(([answer, count]) => `${count} × ${answer}`)
          .join(', ')}\n` +
        `health meanwhile: ${told(health)}\nhealth before: ${told(resting)}\n` +
        `longest turn of the event loop: ${longestTurnMs.toFixed(1)} ms; load average ${loadavg()
          .map((load) => load.toFixed(1))
          .join(' ')}\n`,
    );
    expect([...answers.keys()].filter((answer) => !DOCUMENTED.test(answer))).toEqual([]);
    expect(health.failures).toBe(0);
    expect(health.p99Ms).toBeLessThan(HEALTH_P99_MS_MAX);
    expect(longestTurnMs).toBeLessThan(TURN_MS_MAX);
    await until('all have ended', async () => (await rowsOf(UNENDED)).length === 0);
    expect(await leftFiles()).toEqual([]);
    expect(await rowsOf('SELECT id FROM reservations')).toEqual([]);
    expect(await ledgerFaults(service.database)).toEqual([]);
  }, 1_800_000);

  async function healthDuring(work: () => Promise<void>): Promise<HealthTimes> {
    const probe = HealthProbe.start(victim.url);
    await work();
    return probe.stop();
  }

  async function newClient(): Promise<DocumentClient> {
    return DocumentClient.login(() => victim.url, await createAccount(service, { creditUsd: '1000' }));
  }

  /** Several lanes of each client take one file after the other. */
  async function sendAll(
    clients: DocumentClient[],
    files: BuiltFile[],
    answers: Map<string, number>,
  ): Promise<void> {
    const lane = async (client: DocumentClient): Promise<void> => {
      for (let next = files.shift(); next; next = files.shift()) {
        const answer = await send(client, next);
        answers.set(answer, (answers.get(answer) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: SENT_AT_ONCE_OF_EACH }, () => clients.map(lane)).flat());
  }

  async function send(client: DocumentClient, { file, bytes }: BuiltFile): Promise<string> {
    const { status, data } = await client.upload(bytes, file.name);
    return status === 201 ? `processed ${await client.process(data.id)}` : `uploaded ${status}`;
  }

  async function rowsOf(query: string): Promise<unknown[]> {
    return service.database.query(query);
  }

  async function leftFiles(): Promise<string[]> {
    const entries = await readdir(temporary, { recursive: true, withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }
});

const UNENDED = `SELECT id FROM documents WHERE status = 'processing' OR stage <> 'idle'`;
/** Pictures need a model, and of many files some have to wait: 503. On a busy machine counting a text's tokens takes too long: 504. */
const DOCUMENTED = /^(uploaded (413|422)|processed (200|422|503|504))$/;

function told({ asked, p50Ms, p99Ms, longestMs }: HealthTimes): string {
  return `${asked} × asked, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, longest ${longestMs.toFixed(0)} ms`;
}
