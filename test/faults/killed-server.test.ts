import { Ledger } from '../../src/ledger/ledger';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { TestService } from '../support/api/service';
import { depth } from '../support/jest/depth';
import { createAccount, type TestAccount } from '../support/api/world';
import { openReservations } from '../support/ledger/open-reservations';

const KILLS = depth('SERVER_KILLS_AT_ONCE', { short: 1, deep: 5 });
const CALLS = 500;
const AT_ONCE = 50;
const LEASES_OVER_MS = 3_600_000;

/** What the client of a call was told; null when the connection broke. */
interface Told {
  requestId: string;
  status: number | null;
}

describe('a server that is killed in the middle of 500 calls', () => {
  let service: TestService;
  let accounts: TestAccount[];
  const environment = () => ({
    DATABASE_URL: service.databaseUrl,
    JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
  });

  beforeAll(async () => {
    service = await TestService.start();
    accounts = await Promise.all(Array.from({ length: 5 }, () => createAccount(service, { creditUsd: '2' })));
  });
  afterAll(async () => service.stop());

  it.each(Array.from({ length: KILLS }, (_, index) => [index + 1]))(
    'leaves books that balance and nothing charged without a receipt (kill %d)',
    async (kill) => {
      const victim = await CompiledService.start(environment());
      const told = await callUntilKilled(victim, accounts, kill);
      expect(told.filter(({ status }) => status === null).length).toBeGreaterThan(0);

      const successor = await CompiledService.start(environment());
      await service.app.get(Ledger).sweep(new Date(Date.now() + LEASES_OVER_MS));
      await successor.stop();

      expect(await ledgerFaults(service.database)).toEqual([]);
      expect(await openReservations(service)).toEqual([]);
      await expectReceipts(service, told);
    },
  );
});

/** Keeps 50 calls in flight and kills the server after a part of them was answered. */
async function callUntilKilled(
  victim: CompiledService,
  accounts: TestAccount[],
  kill: number,
): Promise<Told[]> {
  const told: Told[] = [];
  let next = 0;
  let answered = 0;
  const killAt = 40 + 80 * kill;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < CALLS; index = next++) {
      const requestId = `kill-${kill}-call-${index}`;
      const status = await call(victim, accounts, { index, requestId });
      told.push({ requestId, status });
      answered += 1;
      if (answered === killAt) {
        await victim.kill();
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return told;
}

/** By turns a write at a fixed price and a chat that is settled below what it reserved. */
async function call(
  victim: CompiledService,
  accounts: TestAccount[],
  fields: { index: number; requestId: string },
): Promise<number | null> {
  const account = accounts[fields.index % accounts.length];
  const headers = { 'x-api-key': account?.key ?? '', 'x-request-id': fields.requestId };
  const chat = {
    model: 'any',
    messages: [{ role: 'user', content: 'What is the capital of France?' }],
    max_tokens: 64,
  };
  const memory = { key: `k${fields.index % 7}`, value: 'v' };
  const [path, body] =
    fields.index % 2 === 0
      ? (['/api/hub/memory', memory] as const)
      : (['/v1/chat/completions', chat] as const);
  try {
    const response = await victim.post(path, body, headers);
    await response.text();
    return response.status;
  } catch {
    return null;
  }
}

/** An answered call is billed exactly once; one that broke off is billed once or not at all. */
async function expectReceipts(service: TestService, told: Told[]): Promise<void> {
  const receipts: { request_id: string; outcome: string; charged: string }[] = await service.database.query(
    `SELECT client_request_id AS request_id, outcome, charged_nano AS charged FROM calls
     WHERE client_request_id = ANY($1)`,
    [told.map(({ requestId }) => requestId)],
  );
  const byRequest = new Map(receipts.map((receipt) => [receipt.request_id, receipt]));
  expect(byRequest.size).toBe(receipts.length);
  const answered = told.filter(({ status }) => status === 200 || status === 201);
  expect(answered.length).toBeGreaterThan(0);
  const unbilled = answered.filter(({ requestId }) => BigInt(byRequest.get(requestId)?.charged ?? 0) <= 0n);
  expect(unbilled).toEqual([]);
}
