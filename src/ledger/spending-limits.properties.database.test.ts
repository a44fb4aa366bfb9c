import fc from 'fast-check';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { openLedger, type OpenLedger } from '../../test/support/ledger/open-ledger';
import { AccessKeys } from '../accounts/access-keys';
import { Accounts } from '../accounts/accounts';
import { SpendingLimitsRepository } from '../accounts/spending-limits';
import { Outbox } from '../events/outbox';
import { ManualClock } from '../runtime/clock';
import { newId } from '../runtime/ids';
import type { Ledger } from './ledger';

const ZONES = [
  'UTC',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'America/Los_Angeles',
  'Pacific/Auckland',
  'Asia/Kolkata',
];
const [PER_REQUEST, DAILY, MONTHLY] = [50, 100, 220];

interface Call {
  id: string;
  cost: number;
  isRunning: boolean;
}

/** What one counter of a key should show: the sum of what the calls of its present period have reserved or cost. */
class Period {
  private label = '';
  private members = new Set<Call>();

  constructor(private readonly labelLength: number) {}

  spent(now: Date, zone: string): number {
    return this.label < this.at(now, zone) ? 0 : [...this.members].reduce((sum, call) => sum + call.cost, 0);
  }

  count(call: Call, now: Date, zone: string): void {
    const present = this.at(now, zone);
    if (this.label < present) {
      this.label = present;
      this.members.clear();
    }
    this.members.add(call);
  }

  forget(): void {
    this.members.clear();
  }

  /**
   * Moves to another zone. What was spent in the counter's period still counts if that period goes on in either zone.
   */
  move(now: Date, from: string, to: string): void {
    const [left, entered] = [this.at(now, from), this.at(now, to)];
    if (this.label < left && this.label < entered) {
      this.members.clear();
    }
    this.label = entered;
  }

  private at(now: Date, zone: string): string {
    return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(now).slice(0, this.labelLength);
  }
}

type Step =
  | { act: 'reserve'; amount: number }
  | { act: 'settle'; pick: number; charge: number }
  | { act: 'move'; zone: string }
  | { act: 'wait'; minutes: number }
  | { act: 'reset' | 'sweep' };

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ act: fc.constant('reserve'), amount: fc.integer({ min: 0, max: 55 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        act: fc.constant('settle'),
        pick: fc.nat({ max: 9 }),
        charge: fc.integer({ min: -10, max: 60 }),
      }),
    },
    { weight: 3, arbitrary: fc.record({ act: fc.constant('move'), zone: fc.constantFrom(...ZONES) }) },
    {
      weight: 3,
      arbitrary: fc.record({
        act: fc.constant('wait'),
        minutes: fc.constantFrom(1, 60, 300, 720, 1439, 2880, 45_000),
      }),
    },
    { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('reset', 'sweep') }) },
  ),
  { minLength: 10, maxLength: 40, size: 'max' },
);

/** A key in the database, and beside it a model in memory of what its counters should show. */
class Subject {
  private readonly day = new Period('2026-01-30'.length);
  private readonly month = new Period('2026-01'.length);
  private readonly calls: Call[] = [];
  private zone = 'UTC';

  constructor(
    private readonly ledger: Ledger,
    private readonly limits: SpendingLimitsRepository,
    private readonly clock: ManualClock,
    private readonly accountId: string,
    private readonly keyId: string,
  ) {}

  static async create({ database, databases, ledger, register }: OpenLedger): Promise<Subject> {
    const clock = new ManualClock(new Date('2026-01-30T09:00:00.000Z'));
    const limits = new SpendingLimitsRepository(databases, clock, register);
    const name = newId();
    const person = { email: `${name}@example.com`, username: name, passwordHash: '' };
    const account = await new Accounts(databases, clock, register).create({
      ...person,
      role: 'user',
      tier: 'free',
    });
    await database.query('UPDATE balances SET balance_nano = 1000000 WHERE account_id = $1', [account.id]);
    const keys = new AccessKeys(databases, clock, new Outbox(), register);
    const { key } = await keys.create({ accountId: account.id, name, expiresAt: null, environment: 'test' });
    await limits.set(account.id, key.id, {
      dailyLimitNano: BigInt(DAILY),
      monthlyLimitNano: BigInt(MONTHLY),
      perRequestLimitNano: BigInt(PER_REQUEST),
    });
    return new Subject(ledger, limits, clock, account.id, key.id);
  }

  async run(step: Step): Promise<void> {
    switch (step.act) {
      case 'reserve':
        return this.reserve(step.amount);
      case 'settle':
        return this.settle(step.pick, step.charge);
      case 'move':
        return this.move(step.zone);
      case 'wait':
        return this.clock.advance(step.minutes * 60_000);
      case 'reset':
        return this.reset();
      case 'sweep':
        return this.sweep();
    }
  }

  async expectCounters(): Promise<void> {
    await this.ledger.show(this.accountId);
    const shown = await this.limits.get(this.accountId, this.keyId);
    const now = this.clock.now();
    expect([shown.daySpentNano, shown.monthSpentNano].map(Number)).toEqual([
      this.day.spent(now, this.zone),
      this.month.spent(now, this.zone),
    ]);
  }

  private async reserve(amount: number): Promise<void> {
    const now = this.clock.now();
    const fits =
      amount <= PER_REQUEST &&
      this.day.spent(now, this.zone) + amount <= DAILY &&
      this.month.spent(now, this.zone) + amount <= MONTHLY;
    const call = { id: newId(), cost: amount, isRunning: true };
    const { verdict } = await this.ledger.reserve({
      callId: call.id,
      accountId: this.accountId,
      keyId: this.keyId,
      amountNanoUsd: BigInt(amount),
      now,
      leaseUntil: new Date(now.getTime() + 1000),
      operation: 'test',
      requestId: call.id,
      price: 'test',
      priceVersion: 'test',
    });
    expect(verdict === 'reserved').toBe(fits);
    if (fits) {
      this.day.count(call, now, this.zone);
      this.month.count(call, now, this.zone);
      this.calls.push(call);
    }
  }

  private async settle(pick: number, charge: number): Promise<void> {
    const running = this.calls.filter(({ isRunning }) => isRunning);
    const call = running[pick % Math.max(1, running.length)];
    if (!call) {
      return;
    }
    const order = { callId: call.id, accountId: this.accountId, chargeNanoUsd: BigInt(charge), status: 200 };
    const nothing = { inputTokens: 0, outputTokens: 0, answer: null };
    await this.ledger.settle({ ...order, ...nothing, outcome: 'settled', now: this.clock.now() });
    this.countExcess(charge - call.cost, PER_REQUEST - call.cost);
    Object.assign(call, { cost: Math.min(Math.max(charge, 0), call.cost), isRunning: false });
  }

  /** What a call cost beyond its reservation counts in the present day and month, as far as they have room. */
  private countExcess(excess: number, roomOfRequest: number): void {
    const now = this.clock.now();
    const [day, month] = [this.day.spent(now, this.zone), this.month.spent(now, this.zone)];
    const cost = Math.min(excess, roomOfRequest, DAILY - day, MONTHLY - month);
    if (cost > 0) {
      const part = { id: newId(), cost, isRunning: false };
      this.day.count(part, now, this.zone);
      this.month.count(part, now, this.zone);
    }
  }

  private async move(zone: string): Promise<void> {
    await this.limits.set(this.accountId, this.keyId, { timezone: zone });
    if (zone !== this.zone) {
      this.day.move(this.clock.now(), this.zone, zone);
      this.month.move(this.clock.now(), this.zone, zone);
      this.zone = zone;
    }
  }

  private async reset(): Promise<void> {
    await this.limits.reset(this.accountId, this.keyId);
    this.day.forget();
    this.month.forget();
  }

  private async sweep(): Promise<void> {
    this.clock.advance(1000);
    await this.ledger.sweep(this.clock.now());
    for (const call of this.calls.filter(({ isRunning }) => isRunning)) {
      Object.assign(call, { cost: 0, isRunning: false });
    }
  }
}

describe('spending limits', () => {
  let testDatabase: TestDatabase;
  let open: OpenLedger;
  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    open = await openLedger(testDatabase.url);
  });
  afterAll(async () => {
    await open.close();
    await testDatabase.drop();
  });

  it('count what they should whatever happens: calls, time, zones, resets and deaths in any order', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const subject = await Subject.create(open);
        for (const step of sequence) {
          await subject.run(step);
          await subject.expectCounters();
        }
      }),
      { numRuns: 60 },
    );
  });
});
