import type { PlainServer } from '../processes/plain-server';
import type { SeededRandom } from '../seeded-random';
import type { TestAccount } from '../api/world';

/** What a client wants done once, however often it has to ask. */
export interface PaidOrder {
  id: string;
  account: TestAccount;
  /** `other` is what {@link newOrder} does not make. */
  kind: 'write' | 'chat' | 'malformed' | 'other';
  path: string;
  body: object;
  /** Null where the client doesn't ask again, because that could charge twice. */
  idempotencyKey: string | null;
  /** Who was asked last; a client that asks again turns to somebody else. */
  lastServer: PlainServer | null;
}

const QUESTIONS = ['What is the capital of France?', 'Who wrote Faust?', 'How far away is the moon?'];
const MALFORMED_SHARE = 0.03;
const CHAT_SHARE = 0.35;
const KEYED_SHARE = 0.3;

/** Writes at a fixed price, chats that are settled below what they reserved, and some that no one can serve. */
export function newOrder(id: string, accounts: readonly TestAccount[], random: SeededRandom): PaidOrder {
  const order = { id, account: random.pick(accounts), lastServer: null };
  const kindShare = random.next();
  const idempotencyKey = random.next() < KEYED_SHARE ? id : null;
  const question = random.pick(QUESTIONS);
  if (kindShare < MALFORMED_SHARE) {
    return { ...order, kind: 'malformed', path: '/api/hub/memory', body: { key: 7 }, idempotencyKey: null };
  }
  if (kindShare < MALFORMED_SHARE + CHAT_SHARE) {
    const messages = [{ role: 'user', content: question }];
    const body = { model: 'any', messages, max_tokens: random.between(8, 64) };
    return { ...order, kind: 'chat', path: '/v1/chat/completions', body, idempotencyKey };
  }
  // A name of its own, so that the memory shows whether the work of just this order was done.
  return {
    ...order,
    kind: 'write',
    path: '/api/hub/memory',
    body: { key: id, value: question },
    idempotencyKey,
  };
}
