import { AccountTokens } from '../../../src/accounts/credentials';
import type { TestService } from '../api/service';
import type { TestAccount } from '../api/world';

/** Moves the clock to the last millisecond of the present UTC day. */
export function moveToLastMomentOfDay({ clock }: TestService): void {
  const now = clock.now();
  clock.set(
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + 1) - 1).toISOString(),
  );
}

/** Moves the clock to the last millisecond of the present UTC month. */
export function moveToLastMomentOfMonth({ clock }: TestService): void {
  const now = clock.now();
  clock.set(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1) - 1).toISOString());
}

/** A token issued now: the one that a test's account began with does not outlive a day. */
export function freshToken({ app }: TestService, account: TestAccount): string {
  return app.get(AccountTokens).issue({ id: account.id, role: 'user', tokenVersion: 1 }).token;
}
