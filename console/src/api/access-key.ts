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

/** Ends the key, also one that is being made. The session's end would end it too, where that reaches the service. */
export async function endAccessKey(keepalive = false): Promise<void> {
  const ended = held;
  forgetAccessKey();
  const key = await ended?.catch(() => undefined);
  if (key !== undefined) {
    const params = { path: { key_id: key.id } };
    await api.DELETE('/api/keys/{key_id}', { params, keepalive }).catch(() => undefined);
  }
}

// An account has five such keys at a time. One that nobody can use any more makes room when its page goes away, and so must not wait
// for its hour to end.
addEventListener('pagehide', () => void endAccessKey(true));

/** Calls an operation that takes access keys. A key that has ended makes room for a new one, but not one that has spent its cap. */
export async function withKey<Data>(
  call: (headers: { 'X-API-Key': string }) => Promise<Answered<Data>>,
): Promise<Data> {
  const { key_value } = await accessKey();
  try {
    return await answer(call({ 'X-API-Key': key_value }));
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      forgetAccessKey();
    }
    throw error;
  }
}
