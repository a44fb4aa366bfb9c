import { AccessKeys } from '../../../src/accounts/access-keys';
import { Accounts } from '../../../src/accounts/accounts';
import type { TestService } from '../api/service';
import { switchOff } from '../api/switched-off-webhook';
import { createAccount, type TestAccount, type World } from '../api/world';
import { paymentInReview } from '../payments/chain-looks';
import type { SeededRandom } from '../seeded-random';

/** An account of the fuzz. Its mark stands in texts that it sends, and may come back to nobody else. */
export interface FuzzAccount extends TestAccount {
  mark: string;
}

const ENDING_ACCOUNTS = 8;
const IDS_KEPT_MAX = 40;

/** Accounts in every state, and the ids of what they have made; one world for each slice, so that what is ended ends with it. */
export class FuzzWorld {
  private readonly ids = new Map<string, { owner: string; id: string }[]>();

  private constructor(
    /** Two with credit and no limits, whose things are the same kind of things. */
    readonly owners: readonly FuzzAccount[],
    readonly admin: FuzzAccount,
    /** Without credit, with little, and on the free tier. */
    readonly poor: readonly FuzzAccount[],
    /** Those that operations of the group auth and admins may end. */
    readonly ending: readonly FuzzAccount[],
    readonly disabled: FuzzAccount,
    readonly revokedKeys: readonly string[],
  ) {}

  static async create(service: TestService): Promise<FuzzWorld> {
    const make = async (creditUsd: string, fields: { role?: 'admin'; tier?: string } = {}) => {
      const account = await createAccount(service, { creditUsd, ...fields });
      return { ...account, mark: `mark-${account.id.replaceAll('-', '').slice(-20)}` };
    };
    const owners = [await make('5000'), await make('5000')];
    const poor = [await make('0'), await make('0.01'), await make('5', { tier: 'free' })];
    const ending: FuzzAccount[] = [];
    for (let made = 0; made < ENDING_ACCOUNTS; made += 1) {
      ending.push(await make('1'));
    }
    const disabled = await make('5');
    await service.app.get(Accounts).update(disabled.id, () => ({ isActive: false }));
    const revokedKeys = await refusedKeys(service, owners[0]?.id ?? '');
    const world = new FuzzWorld(
      owners,
      await make('5', { role: 'admin' }),
      poor,
      ending,
      disabled,
      revokedKeys,
    );
    ending.forEach(({ id }) => world.keep('user_id', id, id));
    await world.makeForAdmins(service);
    return world;
  }

  /** What only time or a chain would bring about: a payment in review, and a webhook that was switched off. */
  private async makeForAdmins(service: TestService): Promise<void> {
    const [owner] = this.owners as [FuzzAccount];
    const world = { service, owner } as unknown as World;
    this.keep('payment_id', owner.id, (await paymentInReview(world)).id);
    const body = { url: 'https://hooks.example.com/a', events: ['balance.low'] };
    const { body: webhook } = await service.call('createWebhook', { credential: owner.token, body });
    this.keep('webhook_id', owner.id, await switchOff(world, webhook.id, 'It failed for 5 days.'));
  }

  get accounts(): FuzzAccount[] {
    return [...this.owners, this.admin, ...this.poor, ...this.ending, this.disabled];
  }

  /** Remembers something that an account has made, under the name of the path's parameter. */
  keep(parameter: string, owner: string, id: string): void {
    const all = this.ids.get(parameter) ?? [];
    // The key that an account calls with, and the accounts that call, would be gone for the rest of the slice.
    const isCalling = this.accounts.some(({ keyId }) => keyId === id);
    if (!isCalling && !all.some((one) => one.id === id)) {
      this.ids.set(parameter, [...all.slice(-IDS_KEPT_MAX), { owner, id }]);
    }
  }

  /** An id of the account's own as a rule, of another's now and then; undefined where nobody has any. */
  idOf(parameter: string, account: string | null, random: SeededRandom): string | undefined {
    const all = this.ids.get(parameter) ?? [];
    const own = all.filter(({ owner }) => owner === account);
    const some = own.length > 0 && random.next() < 0.85 ? own : all;
    return some.length > 0 ? random.pick(some).id : undefined;
  }

  /** What may not stand in an answer to these accounts. */
  secretsBeyond(accounts: ReadonlySet<string>): string[] {
    return this.accounts
      .filter(({ id }) => !accounts.has(id))
      .flatMap(({ mark, email, key, token }) => [mark, email, key, token]);
  }
}

/** A revoked key and one that has expired. */
async function refusedKeys(service: TestService, accountId: string): Promise<string[]> {
  const keys = service.app.get(AccessKeys);
  const fields = { accountId, environment: 'test' as const };
  const revoked = await keys.create({ ...fields, name: 'revoked', expiresAt: null });
  await keys.revoke(accountId, revoked.key.id);
  const expired = await keys.create({
    ...fields,
    name: 'expired',
    expiresAt: new Date(service.clock.now().getTime() - 60_000),
  });
  return [revoked.secret, expired.secret];
}
