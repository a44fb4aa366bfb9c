import { AccessKeys } from '../../src/accounts/access-keys';
import { SpendingLimitsRepository } from '../../src/accounts/spending-limits';
import { Ledger } from '../../src/ledger/ledger';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { CompiledService } from '../support/processes/compiled-service';
import { TestService } from '../support/api/service';
import { depth } from '../support/jest/depth';
import { fittingCalls, tightAccount, type TightAccount } from '../support/ledger/tight-account';
import { createAccount } from '../support/api/world';
import { openReservations } from '../support/ledger/open-reservations';

const CALLS = depth('RACING_HTTP_CALLS', { short: 1_000, deep: 10_000 });
const PROCESSES = 3;
const ACCOUNTS = 50;
const AT_ONCE_PER_PROCESS = 50;
const PRICE_NANO_USD = 100_000n;
const TRIES_MAX = 3;

/** How often each answer was given: 201, or 402 with its error. */
type Answers = Record<string, number>;

interface Caller {
  id: string;
  plan: TightAccount;
  keys: string[];
}

describe(`${CALLS} HTTP calls over ${PROCESSES} processes and ${ACCOUNTS} accounts`, () => {
  let service: TestService;
  const processes: CompiledService[] = [];
  beforeAll(async () => {
    service = await TestService.start();
    const environment = {
      DATABASE_URL: service.databaseUrl,
      JWT_SECRET: 'a secret for tests that nobody else has: 0123456789',
    };
    for (let started = 0; started < PROCESSES; started += 1) {
      processes.push(await CompiledService.start(environment));
    }
  });
  afterAll(async () => {
    await Promise.all(processes.map((process) => process.stop()));
    await service.stop();
  });

  it('are answered with 201 as often as the model lets them pass, and with 402 otherwise', async () => {
    const callers: Caller[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) {
      callers.push(await createCaller(service, tightAccount(index, CALLS / ACCOUNTS, PRICE_NANO_USD)));
    }
    const startedMs = performance.now();
    const answers = await race(processes, callers);
    const tookMs = performance.now() - startedMs;

    for (const [index, { id, plan }] of callers.entries()) {
      const fitting = fittingCalls(plan);
      expectAnswers(answers[index] ?? {}, plan, fitting);
      const { balanceNanoUsd, reservedNanoUsd } = await service.app.get(Ledger).balance(id);
      expect(balanceNanoUsd).toBe(plan.balanceNanoUsd - BigInt(fitting) * PRICE_NANO_USD);
      expect(reservedNanoUsd).toBe(0n);
    }
    expect(await ledgerFaults(service.database)).toEqual([]);
    expect(await openReservations(service)).toEqual([]);
    const served = answers.reduce((sum, counts) => sum + (counts[201] ?? 0), 0);
    process.stdout.write(
      `${CALLS} HTTP calls: ${served} served, ${CALLS - served} refused with 402 as the model says; ` +
        `overspent 0; ${Math.round((CALLS / tookMs) * 1000)} calls/s\n`,
    );
  }, 900_000);
});

/** What refused a call names the bound that it met; where both bind it depends on who came first. */
function expectAnswers(answers: Answers, { bound }: TightAccount, fitting: number): void {
  const {
    201: served = 0,
    'Insufficient credits': credits = 0,
    'Spending limit exceeded': limits = 0,
    ...rest
  } = answers;
  expect(rest).toEqual({});
  expect({ bound, served, refused: credits + limits }).toEqual({
    bound,
    served: fitting,
    refused: CALLS / ACCOUNTS - fitting,
  });
  if (bound === 'balance') {
    expect(limits).toBe(0);
  } else if (bound !== 'balance and limits') {
    expect(credits).toBe(0);
  }
}

async function createCaller(service: TestService, plan: TightAccount): Promise<Caller> {
  const account = await createAccount(service, { creditUsd: '0' });
  const now = service.clock.now();
  await service.app.get(Ledger).credit({
    accountId: account.id,
    type: 'deposit',
    amountNanoUsd: plan.balanceNanoUsd,
    description: 'test credit',
    referenceId: null,
    requestId: null,
    now,
  });
  const keys: string[] = [];
  for (const change of plan.keyLimits) {
    const fields = { accountId: account.id, name: 'race', expiresAt: null, environment: 'test' as const };
    const { key, secret } = await service.app.get(AccessKeys).create(fields);
    const limits = { ...change, timezone: zoneAtNoon() };
    await service.app.get(SpendingLimitsRepository).set(account.id, key.id, limits);
    keys.push(secret);
  }
  return { id: account.id, plan, keys };
}

/** The processes run by the real clock: no midnight must come into the race. */
function zoneAtNoon(): string {
  const aheadHours = 12 - new Date().getUTCHours();
  return `Etc/GMT${aheadHours > 0 ? '-' : '+'}${Math.abs(aheadHours)}`;
}

async function race(processes: CompiledService[], callers: Caller[]): Promise<Answers[]> {
  const answers = callers.map((): Answers => ({}));
  let next = 0;
  const worker = async (process: CompiledService): Promise<void> => {
    for (let index = next++; index < CALLS; index = next++) {
      const turn = Math.floor(index / callers.length);
      const caller = callers[index % callers.length];
      const key = caller?.keys[turn % caller.keys.length] ?? '';
      const response = await answerOf(process, index, key);
      const { error } = (await response.json()) as { error?: string };
      const answer = response.status === 402 ? (error ?? '') : String(response.status);
      const counts = answers[index % callers.length] ?? {};
      counts[answer] = (counts[answer] ?? 0) + 1;
    }
  };
  await Promise.all(
    processes.flatMap((process) => Array.from({ length: AT_ONCE_PER_PROCESS }, () => worker(process))),
  );
  return answers;
}

/** A slow machine may keep a call waiting for the database for more than five seconds: such a 503 is free, and says to call again. */
async function answerOf(process: CompiledService, index: number, key: string): Promise<Response> {
  for (let tries = 1; ; tries += 1) {
    const response = await process.post(
      '/api/hub/memory',
      { key: `k${index}`, value: 'v' },
      { 'x-api-key': key },
    );
    if (response.status !== 503 || tries === TRIES_MAX) {
      return response;
    }
  }
}
