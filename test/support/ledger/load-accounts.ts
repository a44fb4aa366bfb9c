import type { TestService } from '../api/service';
import { createAccount, type TestAccount } from '../api/world';

const RICH = 5;

/** Accounts for a load: some that can pay for all of it, and one whose credit runs out on the way. */
export async function loadAccounts(service: TestService): Promise<TestAccount[]> {
  const credits = [...Array.from({ length: RICH }, () => '1000'), '0.05'];
  return Promise.all(credits.map((creditUsd) => createAccount(service, { creditUsd })));
}
