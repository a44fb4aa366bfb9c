import type { ApiRequest } from '../support/api/service';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { openReservations } from '../support/ledger/open-reservations';

/** What makes one step refuse the call, and what its refusal is called. */
interface Step {
  name: string;
  error: string;
  status: number;
  provoke(world: World, request: ApiRequest): Promise<void> | void;
}

const STEPS: Step[] = [
  {
    name: '1 rate limit',
    status: 429,
    error: 'Rate limit exceeded',
    provoke: async (world, request) => {
      await world.setRates(world.owner, { requests_per_day: 1 });
      await world.service.call('listModels', { credential: world.owner.key, ip: request.ip });
      for (let calls = 0; calls < 20; calls += 1) {
        await world.service.call('listModels', { credential: 'svc_test_unknown', ip: request.ip });
      }
    },
  },
  {
    name: '2 authentication',
    status: 401,
    error: 'Invalid API key',
    provoke: (_, request) => {
      request.credential = 'svc_test_unknown';
    },
  },
  {
    name: '2b validation',
    status: 400,
    error: 'Validation error',
    provoke: (_, request) => {
      request.body = { key: '', value: 'v' };
    },
  },
  {
    name: '2c idempotency',
    status: 422,
    error: 'Unprocessable',
    provoke: async (world, request) => {
      const headers = { 'idempotency-key': `order-${world.owner.id}` };
      const first = { credential: world.owner.key, headers, body: { key: 'first', value: 'v' } };
      expect((await world.service.call('createMemory', first)).status).toBe(201);
      request.headers = headers;
    },
  },
  {
    name: '4 balance',
    status: 402,
    error: 'Insufficient credits',
    provoke: async (world) => world.setBalanceUsd(world.owner, '0.000099999'),
  },
  {
    name: '5 spending limits',
    status: 402,
    error: 'Spending limit exceeded',
    provoke: async (world) => world.setLimits(world.owner, { dailyLimitNano: 1n }),
  },
  {
    name: '7 processing',
    status: 500,
    error: 'Internal Server Error',
    provoke: (world) => {
      const controller = world.service.controllerOf('createMemory');
      const intact = { ...controller };
      for (const name of Object.keys(intact)) {
        controller[name] = null;
      }
      mend.push(() => Object.assign(controller, intact));
    },
  },
];

const mend: (() => void)[] = [];
const pairs = STEPS.slice(1).map((later, index) => [STEPS[index] as Step, later] as const);

describe('the order of the pipeline', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await TestService.start();
  });
  afterEach(() => mend.splice(0).forEach((restore) => restore()));
  afterAll(async () => service.stop());

  it.each(pairs.map(([earlier, later]) => [earlier.name, later.name, earlier, later] as const))(
    '%s names the error when %s would fail too, and nothing is charged',
    async (_, __, earlier, later) => {
      const answer = await refuse(service, [earlier, later]);
      expect([answer.status, answer.body.error]).toEqual([earlier.status, earlier.error]);
    },
  );

  it.each(STEPS.map((step) => [step.name, step] as const))('%s refuses alone as well', async (_, step) => {
    const answer = await refuse(service, [step]);
    expect([answer.status, answer.body.error]).toEqual([step.status, step.error]);
  });

  it('charges a call that no step refuses', async () => {
    const world = await World.create(service);
    const before = await world.balanceNanoUsd();
    const answer = await service.call('createMemory', {
      credential: world.owner.key,
      body: { key: 'k', value: 'v' },
    });
    expect(answer.status).toBe(201);
    expect(before - (await world.balanceNanoUsd())).toBe(100_000n);
  });
});

async function refuse(service: TestService, steps: Step[]) {
  const world = await World.create(service);
  const request: ApiRequest = { credential: world.owner.key, ip: world.ip, body: { key: 'k', value: 'v' } };
  for (const step of steps) {
    await step.provoke(world, request);
  }
  const before = await state(world);
  const answer = await service.call('createMemory', request);
  expect(answer.headers['x-request-cost']).toBeUndefined();
  expect(await state(world)).toEqual(before);
  expect(await openReservations(service, world.owner.id)).toEqual([]);
  expect(await ledgerFaults(service.database)).toEqual([]);
  return answer;
}

/** What a refused call must leave as it was. */
async function state(world: World): Promise<unknown> {
  const { service, owner } = world;
  return service.database.query(
    `SELECT b.balance_nano, b.reserved_nano - lent AS reserved_nano, k.month_spent_nano - lent AS month_spent_nano,
       (SELECT count(*) FROM ledger_entries WHERE account_id = $1) AS entries,
       (SELECT count(*) FROM memories WHERE account_id = $1) AS memories
     FROM balances AS b JOIN access_keys AS k ON k.account_id = b.account_id,
       LATERAL (SELECT coalesce(sum(amount_nano), 0) AS lent FROM leases WHERE account_id = b.account_id) AS leases
     WHERE b.account_id = $1`,
    [owner.id],
  );
}
