import type { Session, User } from '../../../generated/types';
import type { Account } from '../../core/access/accounts/account.entity';
import type { StartedSession } from './auth.service';

export function toUser(account: Account): User {
  return {
    id: account.id,
    email: account.email,
    username: account.username,
    role: account.role,
    is_email_verified: account.isEmailVerified,
    created_at: account.createdAt.toISOString(),
  };
}

export function toSession({ token, expiresAt, account }: StartedSession): Session {
  const { id, email, username, role } = account;
  return { token, expires_at: expiresAt.toISOString(), user: { id, email, username, role } };
}
