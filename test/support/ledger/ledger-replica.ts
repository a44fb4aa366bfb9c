import { AccessKeys } from '../../../src/accounts/access-keys';
import { Outbox } from '../../../src/events/outbox';
import { hashSecret } from '../../../src/accounts/credentials';
import { SpendingLimitsRepository, type KeySpendingLimits } from '../../../src/accounts/spending-limits';
import { Accounts } from '../../../src/accounts/accounts';
import {
  Conflict,
  DatabaseAway,
  NothingCharged,
  NothingReserved,
  Unprocessable,
} from '../../../src/errors/api-errors';
import { ManualClock } from '../../../src/runtime/clock';
import { newId } from '../../../src/runtime/ids';
import { Lapsing } from './lapsing';
import type { LedgerAnswer, LedgerOperation } from './ledger-operation';
import type { OpenLedger } from './open-ledger';

/** SHA-256 of the secrets by the names that operations call them. */
export type NamedSecrets = Map<string, Buffer>;

const USE = { inputTokens: 0, outputTokens: 0, answer: null };
const NAMES = { operation: 'test', price: 'test', priceVersion: 'test' };

/** One replica's ledger and repositories, with a clock of its own. Does what it is told and answers as the model does. */
export class LedgerReplica {
  readonly clock = new ManualClock();
  readonly lapsing: Lapsing;
  private readonly keys: AccessKeys;
  private readonly limits: SpendingLimitsRepository;
  private readonly accounts: Accounts;

  constructor(readonly open: OpenLedger) {
    this.lapsing = new Lapsing(open);
    this.keys = new AccessKeys(open.databases, this.clock, new Outbox(), open.register);
    this.limits = new SpendingLimitsRepository(open.databases, this.clock, open.register);
    this.accounts = new Accounts(open.databases, this.clock, open.register);
  }

  async createAccount(): Promise<string> {
    const name = newId();
    const person = { email: `${name}@example.com`, username: name, passwordHash: '' };
    return (await this.accounts.create({ ...person, role: 'user', tier: 'free' })).id;
  }

  async createKey(accountId: string, expiresAt: Date | null): Promise<{ keyId: string; secretHash: Buffer }> {
    const fields = { accountId, name: 'test', expiresAt, environment: 'test' as const };
    const { key, secret } = await this.keys.create(fields);
    return { keyId: key.id, secretHash: hashSecret(secret) };
  }

  async limitsOf(accountId: string, keyId: string): Promise<KeySpendingLimits> {
    return this.limits.get(accountId, keyId);
  }

  async sweep(): Promise<number> {
    return this.open.ledger.sweep(this.clock.now());
  }

  /**
   * Errors that belong to the operation are answers; every other error is thrown.
   * @returns null for a release that took longer than its caller waits: nobody is told how it ended
   */
  async perform(
    accountId: string,
    operation: LedgerOperation,
    secrets: NamedSecrets,
  ): Promise<LedgerAnswer | null> {
    try {
      return await this.attempt(accountId, operation, secrets);
    } catch (error) {
      if (error instanceof Conflict || error instanceof Unprocessable) {
        return { refused: error.name as 'Conflict' | 'Unprocessable' };
      }
      if (error instanceof RangeError && operation.act === 'reserve' && operation.amount < 0n) {
        return { refused: 'impossible amount' };
      }
      if (error instanceof NothingReserved || error instanceof NothingCharged) {
        return { refused: 'nothing done' };
      }
      if (error instanceof DatabaseAway && operation.act === 'settle' && operation.outcome === 'released') {
        return null;
      }
      throw error;
    }
  }

  private async attempt(
    id: string,
    operation: LedgerOperation,
    secrets: NamedSecrets,
  ): Promise<LedgerAnswer> {
    const now = new Date(operation.nowMs);
    switch (operation.act) {
      case 'reserve': {
        const { callId, keyId, amount, secret, leaseUntilMs } = operation;
        const secretHash = secret === null ? null : secrets.get(secret);
        const call = { callId, accountId: id, keyId, amountNanoUsd: amount, secretHash, requestId: callId };
        return this.open.ledger.reserve({ ...call, ...NAMES, now, leaseUntil: new Date(leaseUntilMs) });
      }
      case 'settle': {
        const { callId, outcome, charge } = operation;
        const isCharged = outcome === 'settled';
        const cost = { chargeNanoUsd: isCharged ? charge : 0n, status: isCharged ? 200 : null };
        return this.open.ledger.settle({ callId, accountId: id, outcome, ...cost, ...USE, now });
      }
      case 'credit': {
        const { amount, reference } = operation;
        const credit = { type: 'deposit' as const, amountNanoUsd: amount, referenceId: reference };
        await this.open.ledger.credit({
          accountId: id,
          ...credit,
          description: 'test',
          requestId: null,
          now,
        });
        return 'done';
      }
      case 'open':
      case 'close':
        await this.accounts.update(id, () => ({ isActive: operation.act === 'open' }));
        return 'done';
      case 'hold':
      case 'expire':
      case 'ask excess':
      case 'end process':
      case 'take excess':
        throw new Error('this is a part of another operation');
      default:
        return this.changeKey(id, operation, secrets);
    }
  }

  private async changeKey(
    accountId: string,
    operation: Extract<LedgerOperation, { keyId: string; act: string }>,
    secrets: NamedSecrets,
  ): Promise<LedgerAnswer> {
    const { keyId } = operation;
    switch (operation.act) {
      case 'change limits':
        return this.limits.set(accountId, keyId, operation.change);
      case 'reset limits':
        return this.limits.reset(accountId, keyId);
      case 'remove limits':
        await this.limits.remove(accountId, keyId);
        return 'done';
      case 'revoke':
        await this.keys.revoke(accountId, keyId);
        return 'done';
      case 'rotate': {
        const { overlapSeconds, newSecret } = operation;
        const rotation = { accountId, id: keyId, overlapSeconds, environment: 'test' as const };
        const { secret } = await this.keys.rotate(rotation);
        secrets.set(newSecret, hashSecret(secret));
        return 'done';
      }
    }
  }
}
