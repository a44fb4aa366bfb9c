import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { depth } from '../support/jest/depth';
import { createAccount, type TestAccount } from '../support/api/world';

const CALLERS = 64;
const CALLS_BEFORE = 300;
const CALLS_PER_CALLER_MAX = 500;
const ROUNDS = depth('ENDED_KEYS', { short: 1, deep: 3 });

/** A call as its caller saw it, by the clock of this process. */
interface Told {
  status: number;
  sentAtMs: number;
  answeredAtMs: number;
}

interface Ending {
  method: 'POST' | 'DELETE' | 'PUT';
  path: (account: TestAccount) => string;
  body?: object;
  by: 'owner' | 'admin';
  status: number;
}

const ENDINGS: [string, Ending][] = [
  [
    'its revocation',
    { method: 'POST', path: ({ keyId }) => `/api/keys/${keyId}/revoke`, by: 'owner', status: 200 },
  ],
  ['its deletion', { method: 'DELETE', path: ({ keyId }) => `/api/keys/${keyId}`, by: 'owner', status: 204 }],
  [
    'the rotation of the secret in use, without overlap,',
    {
      method: 'POST',
      path: ({ keyId }) => `/api/keys/${keyId}/rotate`,
      body: { overlap_seconds: 0 },
      by: 'owner',
      status: 200,
    },
  ],
  [
    'the closing of its account by an admin',
    {
      method: 'PUT',
      path: ({ id }) => `/api/admin/users/${id}`,
      body: { is_active: false },
      by: 'admin',
      status: 200,
    },
  ],
];

/**
 * Notes in the very commit that ends a key which calls hold or have taken money by then. It sees a call in one place or
 * the other, reserved or charged, for both are read by one statement.
 */
const CHARGES = `
  CREATE VIEW paid_calls AS SELECT account_id, reference_id AS call_id FROM ledger_entries WHERE type = 'charge'`;

/** What is charged when the end of a key is answered is all that will ever be: what it had in flight has ended by then. */
describe('a key that 64 connections use on two server processes', () => {
  let service: TestService;
  const processes: CompiledService[] = [];
  let adminToken: string;
  beforeAll(async () => {
    service = await TestService.start();
    await service.database.query(CHARGES);
    const environment = {
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
      TRUSTED_PROXIES: '127.0.0.1',
    };
    for (let started = 0; started < 2; started += 1) {
      processes.push(await CompiledService.start(environment));
    }
    adminToken = await logIn(await createAccount(service, { creditUsd: '0', role: 'admin' }));
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await service.stop();
  });

  it.each(ENDINGS)('is not charged for one more call after %s was answered', async (_, ending) => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const account = await createAccount(service, { creditUsd: '10' });
      const token = ending.by === 'admin' ? adminToken : await logIn(account);
      const told: Told[] = [];
      const callers = Promise.all(
        Array.from({ length: CALLERS }, (_, index) => callUntilRefused(account.key, index, told)),
      );
      await Promise.race([callers, until('the key is in use', () => told.length >= CALLS_BEFORE)]);

      const sentAtMs = performance.now();
      expect(await end(ending, account, token)).toBe(ending.status);
      const answeredAtMs = performance.now();
      const standing = await callsIn('paid_calls', account);
      await callers;

      const refused = told.filter((call) => call.status === 401).length;
      const stored = told.filter((call) => isStored(call.status)).length;
      expect([stored + refused, refused]).toEqual([told.length, CALLERS]);
      const inFlight = told.filter((call) => call.sentAtMs < sentAtMs && call.answeredAtMs > sentAtMs);
      expect(inFlight.length).toBe(CALLERS);
      const sentAfter = told.filter((call) => call.sentAtMs > answeredAtMs);
      expect(sentAfter.filter((call) => call.status !== 401)).toEqual([]);

      const charged = await callsIn('paid_calls', account);
      expect(charged.filter((id) => !standing.includes(id))).toEqual([]);
      expect(new Set(charged).size).toBe(stored);
      expect(charged.length).toBe(stored);
      expect(await ledgerFaults(service.database)).toEqual([]);
    }
  });

  it('leaves the new secret of a rotation in use', async () => {
    const account = await createAccount(service, { creditUsd: '1' });
    const headers = { ...newAddress(), authorization: `Bearer ${await logIn(account)}` };
    const rotated = await first().post(`/api/keys/${account.keyId}/rotate`, { overlap_seconds: 0 }, headers);
    const { key_value: secret } = (await rotated.json()) as { key_value: string };
    const statuses = await Promise.all(processes.map((process) => write(process, secret, newAddress())));
    expect(statuses).toEqual([201, 201]);
  });

  function first(): CompiledService {
    const [process] = processes;
    if (!process) {
      throw new Error('no server process was started');
    }
    return process;
  }

  /** The processes run by the real clock, for which an account's token of the test's clock has long expired. */
  async function logIn({ email, password }: TestAccount): Promise<string> {
    const answer = await first().post('/api/auth/login', { email, password }, newAddress());
    return ((await answer.json()) as { token: string }).token;
  }

  /** Asks the first of the processes to end the key, and returns the answer's status. */
  async function end(ending: Ending, account: TestAccount, token: string): Promise<number> {
    const answer = await fetch(first().url + ending.path(account), {
      method: ending.method,
      headers: {
        ...newAddress(),
        authorization: `Bearer ${token}`,
        ...(ending.body ? { 'content-type': 'application/json' } : {}),
      },
      body: ending.body ? JSON.stringify(ending.body) : undefined,
    });
    await answer.text();
    return answer.status;
  }

  /** Calls a paid operation until it is refused; each caller keeps to one of the two processes. */
  async function callUntilRefused(key: string, index: number, told: Told[]): Promise<void> {
    const process = processes[index % processes.length] ?? first();
    const address = newAddress();
    for (let calls = 0; calls < CALLS_PER_CALLER_MAX; calls += 1) {
      const sentAtMs = performance.now();
      const status = await write(process, key, address);
      told.push({ status, sentAtMs, answeredAtMs: performance.now() });
      if (!isStored(status)) {
        return;
      }
    }
    throw new Error(`the key was still served after ${CALLS_PER_CALLER_MAX} calls`);
  }

  async function write(process: CompiledService, key: string, address: Address): Promise<number> {
    const headers = { ...address, 'x-api-key': key };
    const memory = { key: address['x-forwarded-for'], value: 'v' };
    const answer = await process.post('/api/hub/memory', memory, headers);
    await answer.text();
    return answer.status;
  }

  async function callsIn(table: 'paid_calls' | 'standing_calls', account: TestAccount): Promise<string[]> {
    const rows: { call_id: string }[] = await service.database.query(
      `SELECT call_id FROM ${table} WHERE account_id = $1`,
      [account.id],
    );
    return rows.map((row) => row.call_id);
  }
});

/** Whether a memory was stored, under a new key or in place of another one. */
function isStored(status: number): boolean {
  return status === 201 || status === 200;
}

type Address = Record<'x-forwarded-for', string>;

let addresses = 0;

/** An address that nobody else calls from: of one address no more than 20 refused credentials a minute get their 401. */
function newAddress(): Address {
  addresses += 1;
  return { 'x-forwarded-for': `10.1.${addresses >> 8}.${addresses & 255}` };
}
