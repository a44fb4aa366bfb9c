import { type AccountRateLimits, Accounts } from '../../../src/accounts/accounts';
import { AccountTokens } from '../../../src/accounts/credentials';
import { hashPassword } from '../../../src/accounts/password-jobs';
import { AccessKeys } from '../../../src/accounts/access-keys';
import type { LimitChange } from '../../../src/accounts/access-keys';
import { SpendingLimitsRepository } from '../../../src/accounts/spending-limits';
import { Ledger } from '../../../src/ledger/ledger';
import { parseUsd } from '../../../src/ledger/money';
import { newId } from '../../../src/runtime/ids';
import type { TestService } from './service';

export interface TestAccount {
  id: string;
  email: string;
  password: string;
  token: string;
  keyId: string;
  /** The access key's secret. */
  key: string;
}

let addresses = 0;

/** Accounts that no other test shares, each with a token and a key, and an address nobody else calls from. */
export class World {
  readonly ip = `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${(addresses += 1) & 255}`;

  private constructor(
    readonly service: TestService,
    readonly owner: TestAccount,
    readonly stranger: TestAccount,
    readonly admin: TestAccount,
  ) {}

  static async create(service: TestService): Promise<World> {
    const owner = await createAccount(service, { creditUsd: '10' });
    const stranger = await createAccount(service, { creditUsd: '10' });
    const admin = await createAccount(service, { creditUsd: '0', role: 'admin' });
    return new World(service, owner, stranger, admin);
  }

  async balanceNanoUsd(account: TestAccount = this.owner): Promise<bigint> {
    return (await this.service.app.get(Ledger).balance(account.id)).balanceNanoUsd;
  }

  /** Leaves an account with this much, by a charge that nothing else can see. */
  async setBalanceUsd(account: TestAccount, usd: string): Promise<void> {
    const target = parseUsd(usd);
    const ledger = this.service.app.get(Ledger);
    const now = this.service.clock.now();
    const excess = (await this.balanceNanoUsd(account)) - target;
    if (excess < 0n) {
      await credit(this.service, account.id, -excess);
    } else if (excess > 0n) {
      const callId = newId();
      const call = { callId, accountId: account.id, now };
      await ledger.reserve({
        ...call,
        keyId: null,
        amountNanoUsd: excess,
        leaseUntil: new Date(now.getTime() + 60_000),
        operation: 'test',
        requestId: callId,
        price: 'test',
        priceVersion: 'test',
      });
      const nothingUsed = { inputTokens: 0, outputTokens: 0, answer: null, status: 200 };
      await ledger.settle({ ...call, ...nothingUsed, outcome: 'settled', chargeNanoUsd: excess });
    }
    expect(await this.balanceNanoUsd(account)).toBe(target);
  }

  async setLimits(account: TestAccount, change: LimitChange): Promise<void> {
    await this.service.app.get(SpendingLimitsRepository).set(account.id, account.keyId, change);
  }

  async setRates(account: TestAccount, rateLimits: Partial<AccountRateLimits>): Promise<void> {
    const none = {
      requests_per_second: null,
      requests_per_minute: null,
      requests_per_hour: null,
      requests_per_day: null,
    };
    const own = { ...none, ...rateLimits };
    await this.service.app.get(Accounts).update(account.id, () => ({ tier: 'enterprise', rateLimits: own }));
  }
}

/** An account without rate limits (tier enterprise), unless a tier is named. */
export async function createAccount(
  service: TestService,
  fields: { creditUsd: string; role?: 'user' | 'admin'; tier?: string },
): Promise<TestAccount> {
  const { app } = service;
  const name = newId().replaceAll('-', '');
  const email = `${name}@example.com`;
  const password = 'correct horse battery staple';
  const account = await app.get(Accounts).create({
    email,
    username: name.slice(0, 32),
    passwordHash: passwordHash(password),
    role: fields.role ?? 'user',
    tier: fields.tier ?? 'enterprise',
  });
  await credit(service, account.id, parseUsd(fields.creditUsd));
  const { key, secret } = await app
    .get(AccessKeys)
    .create({ accountId: account.id, name: 'test', expiresAt: null, environment: 'test' });
  const { token } = app.get(AccountTokens).issue(account);
  return { id: account.id, email, password, token, keyId: key.id, key: secret };
}

let hashed: string | null = null;

/** One hash serves all test accounts of a file: argon2 is slow on purpose. */
function passwordHash(password: string): string {
  hashed ??= hashPassword(password);
  return hashed;
}

async function credit(service: TestService, accountId: string, amountNanoUsd: bigint): Promise<void> {
  if (amountNanoUsd > 0n) {
    await service.app.get(Ledger).credit({
      accountId,
      type: 'deposit',
      amountNanoUsd,
      description: 'test credit',
      referenceId: null,
      requestId: null,
      now: service.clock.now(),
    });
  }
}
