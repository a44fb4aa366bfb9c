import { AccessKeys } from '../../../src/accounts/access-keys';
import type { TestService } from '../api/service';
import { createAccount, type TestAccount } from '../api/world';
import type { HostileWorld } from './hostile-requests';

const TEXT_CHARACTERS = 40_000;
const LONG_MEMORIES = 100;
const ENDED_TOKENS = 20;

/** Accounts with and without credit, limits and rights, and what they have stored: some of it long. */
export async function createHostileWorld(service: TestService): Promise<HostileWorld> {
  const rich = await createAccount(service, { creditUsd: '100000' });
  const free = await createAccount(service, { creditUsd: '1', tier: 'free' });
  const poor = await createAccount(service, { creditUsd: '0' });
  const admin = await createAccount(service, { creditUsd: '0', role: 'admin' });
  const victim = await createAccount(service, { creditUsd: '1' });
  const ended: TestAccount[] = [];
  for (let made = 0; made < ENDED_TOKENS; made += 1) {
    ended.push(await createAccount(service, { creditUsd: '0' }));
  }
  await storeLongMemories(service, rich);
  const spare = await service.app.get(AccessKeys).create({
    accountId: rich.id,
    name: 'spare',
    expiresAt: null,
    environment: 'test',
  });
  const credential = rich.key;
  const memory = await service.call('createMemory', { credential, body: { key: 'short', value: 'a text' } });
  const agent = await service.call('createAgent', { credential, body: { name: 'Support' } });
  return {
    // Mostly one that can pay, or the run would test little else than 402 and 429.
    keys: [rich.key, rich.key, rich.key, rich.key, free.key, poor.key, victim.key],
    tokens: [rich.token, rich.token, poor.token, admin.token],
    endedTokens: ended.map(({ token }) => token),
    ids: [agent.body.data.id, memory.body.data.id, spare.key.id, victim.id, victim.keyId],
  };
}

/** As many bytes as one page of a list could hold. */
async function storeLongMemories(service: TestService, { key }: TestAccount): Promise<void> {
  for (let stored = 0; stored < LONG_MEMORIES; stored += 1) {
    const body = { key: `long ${stored}`, value: 'memory '.repeat(TEXT_CHARACTERS / 7) };
    await service.call('createMemory', { credential: key, body });
  }
}
