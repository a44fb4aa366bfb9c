import { TooManyUnreadAnswers } from '../core/errors/service-errors';
import type { UnsentBytes } from '../infrastructure/http/unsent-bytes';

/**
 * Refuses work whose answer would add to those that nobody reads.
 * @param accountId null where nobody is known
 * @throws TooManyUnreadAnswers where the memory that answers take has to be freed first
 */
export function refuseUnread(unsent: UnsentBytes, accountId: string | null): void {
  if (accountId !== null && unsent.isAccountFull(accountId)) {
    throw new TooManyUnreadAnswers('account');
  }
  if (unsent.isProcessFull) {
    throw new TooManyUnreadAnswers('everybody');
  }
}
