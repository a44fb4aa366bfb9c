import type { PlaygroundKey } from '../../../generated/types';
import { answer, api, ApiError, type Answered } from './client';

const MINUTES = 60;
/** A call that began later might outlive its key. It is counted here: this machine's time of day may be wrong. */
const HELD_MS_MAX = (MINUTES - 5) * 60_000;

/** The key of minutes that AI operations are called with. It stands in this variable and nowhere else. */
let held: Promise<PlaygroundKey> | undefined;
let heldSinceMs = 0;
let heldCapUsd = 0;
/** Whether tasks wait for their turn with it: without it they would fail. */
let isOfTasks = false;
const DEFAULT_CAP_USD = 1;
/** What the key may spend in all, USD. */
let capUsd = DEFAULT_CAP_USD;
/** The caps of a day count together, those of ended keys too: pages that are only looked at must not use them up. */
const FREE_CAP_USD = 0.01;

/** @param isFree for calls that cost nothing: any key will do */
export function accessKey(isFree = false): Promise<PlaygroundKey> {
  const cap = isFree ? FREE_CAP_USD : capUsd;
  const isOther = !isFree && heldCapUsd !== cap;
  if (held !== undefined && performance.now() - heldSinceMs > HELD_MS_MAX) {
    // What was begun with it goes on: it ends by itself.
    forgetAccessKey();
  }
  if (held === undefined || isOther) {
    const body = { cap_usd: cap, expires_in_minutes: MINUTES };
    const ending = endAccessKey();
    heldSinceMs = performance.now();
    heldCapUsd = cap;
    // The old one makes room first.
    const made = ending.then(() => answer(api.POST('/api/console/playground-keys', { body })));
    held = made;
    made.catch(() => forgetAccessKey(made));
  }
  return held;
}

export function chosenCap(): number {
  return capUsd;
}

/** The next call takes a new key, which may spend so much. */
export function setCap(usd = DEFAULT_CAP_USD): void {
  capUsd = usd;
  heldCapUsd = 0;
}

/** While tasks wait it stays until its hour is over, or the session. */
export function leaveAccessKeyToTasks(areWaiting: boolean): void {
  isOfTasks = areWaiting;
}

/** @param key that has failed: a newer one stays */
export function forgetAccessKey(key = held): void {
  if (held === key) {
    held = undefined;
    isOfTasks = false;
  }
}

/** Ends the key, also one that is being made. The session's end would end it too, where that reaches the service. */
export async function endAccessKey(keepalive = false): Promise<void> {
  const ended = isOfTasks ? undefined : held;
  forgetAccessKey();
  const key = await ended?.catch(() => undefined);
  if (key !== undefined) {
    const params = { path: { key_id: key.id } };
    await api.DELETE('/api/keys/{key_id}', { params, keepalive }).catch(() => undefined);
  }
}

// An account has five such keys at a time: one that nobody can use any more would make a sixth end one that is in use.
addEventListener('pagehide', () => void endAccessKey(true));

/** Calls an operation that takes access keys: once more with a new key where its own has ended, but not where it has spent its cap. */
export async function withKey<Data>(
  call: (headers: { 'X-API-Key': string }) => Promise<Answered<Data>>,
  isFree = false,
): Promise<Data> {
  const asked = accessKey(isFree);
  const key = await asked;
  const headersOf = ({ key_value }: PlaygroundKey) => ({ 'X-API-Key': key_value });
  try {
    return await answer(call(headersOf(key)));
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 401)) {
      throw error;
    }
    // Of calls that were refused together the first one has made the new key.
    forgetAccessKey(asked);
    return answer(call(headersOf(await accessKey(isFree))));
  }
}
