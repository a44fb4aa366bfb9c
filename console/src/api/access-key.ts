import type { PlaygroundKey } from '../../../generated/types';
import { answer, api, ApiError, type Answered } from './client';

const MINUTES = 60;
/** A call that began later might outlive its key. It is counted here: this machine's time of day may be wrong. */
const HELD_MS_MAX = (MINUTES - 5) * 60_000;

/** The key of minutes that AI operations are called with. It stands in this variable and nowhere else. */
let held: Promise<PlaygroundKey> | undefined;
let heldSinceMs = 0;
/** What the key may spend in all, USD. */
let capUsd = 1;

export function accessKey(): Promise<PlaygroundKey> {
  if (held === undefined || performance.now() - heldSinceMs > HELD_MS_MAX) {
    const body = { cap_usd: capUsd, expires_in_minutes: MINUTES };
    heldSinceMs = performance.now();
    held = answer(api.POST('/api/console/playground-keys', { body }));
    held.catch(forgetAccessKey);
  }
  return held;
}

/** The next call takes a new key, which may spend so much. */
export function setCap(usd: number): void {
  capUsd = usd;
  forgetAccessKey();
}

export function forgetAccessKey(): void {
  held = undefined;
}

// An account has five such keys at a time. One that nobody can use any more makes room when its page goes away, and so must not wait
// for its hour to end.
addEventListener('pagehide', () => {
  const left = held;
  forgetAccessKey();
  void left?.then(({ id }) =>
    api.POST('/api/keys/{key_id}/revoke', { params: { path: { key_id: id } }, keepalive: true }),
  );
});

/** Calls an operation that takes access keys. A key that was revoked or has spent its cap makes room for a new one. */
export async function withKey<Data>(
  call: (headers: { 'X-API-Key': string }) => Promise<Answered<Data>>,
): Promise<Data> {
  const { key_value } = await accessKey();
  try {
    return await answer(call({ 'X-API-Key': key_value }));
  } catch (error) {
    if (error instanceof ApiError && [401, 402].includes(error.status)) {
      forgetAccessKey();
    }
    throw error;
  }
}
