import type { AdminUser } from '../../generated/types';
import { normalEmail } from '../../src/accounts/email-address';
import { CommandFailure, EXIT } from './failures';
import { pagesOf } from './list-options';
import type { Session } from './session';

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

type Found = Pick<AdminUser, 'id' | 'email'>;

/**
 * The account that an operator names by its id, e-mail address or username. One that is spelled exactly so comes first, as at
 * its login: of old accounts with one normal form, all but one have kept their spelling.
 * @throws CommandFailure where there is none, and where several could be meant
 */
export async function findUser(session: Session, named: string): Promise<Found> {
  if (ID.test(named)) {
    return session.call('getUser', { params: { user_id: named } });
  }
  const form = normalEmail(named);
  const alike = new Map<string, Found>();
  // The service looks for a part of a name as its database compares letters, which need not find the normal form.
  for (const search of new Set([named, form])) {
    for await (const { users } of pagesOf(session, 'listUsers', 'users', { search })) {
      const exact = users.find(({ email, username }) => [email, username].includes(named));
      if (exact) {
        return exact;
      }
      for (const user of users) {
        if ([user.email, user.username].some((name) => normalEmail(name) === form)) {
          alike.set(user.id, user);
        }
      }
    }
  }
  return onlyOne([...alike.values()], named);
}

function onlyOne([found, ...others]: Found[], named: string): Found {
  if (!found) {
    throw new CommandFailure(`No account has the id, e-mail address or username ${named}.`, EXIT.refused);
  }
  if (others.length > 0) {
    const ids = [found, ...others].map(({ id, email }) => `${id} (${email})`);
    throw new CommandFailure(
      `${named} may be any of these accounts, so name one by its id: ${ids.join(', ')}.`,
      EXIT.refused,
    );
  }
  return found;
}
