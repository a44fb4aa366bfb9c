import { STATE_BYTES_AT_ONCE_MAX, STATE_BYTES_PER_SECOND_MAX } from './room-bounds';
import { StatesTooFast } from './room-errors';

const FILLED_WITHIN_MS = (STATE_BYTES_AT_ONCE_MAX / STATE_BYTES_PER_SECOND_MAX) * 1000;

/**
 * What the updates of each account may read and write of states: a bucket that fills at the rate and holds what may come at
 * once. How large a state is is known once it was read, so an update may take more than is there, and later ones wait for it.
 */
export class StateRates {
  /** When the bucket of each account is full again; whose was charged last stands last. */
  private readonly fullAtMs = new Map<string, number>();

  /** Of how many accounts the bucket is not full, as far as is known. */
  get accountCount(): number {
    return this.fullAtMs.size;
  }

  /** @throws StatesTooFast while the account has taken more than there was */
  admit(accountId: string, nowMs: number): void {
    const overdrawnMs = (this.fullAtMs.get(accountId) ?? nowMs) - nowMs - FILLED_WITHIN_MS;
    if (overdrawnMs > 0) {
      throw new StatesTooFast(Math.ceil(overdrawnMs / 1000));
    }
  }

  /** Takes what was read or written from the bucket of the account. */
  charge(accountId: string, bytes: number, nowMs: number): void {
    const fullAtMs = Math.max(this.fullAtMs.get(accountId) ?? nowMs, nowMs);
    this.fullAtMs.delete(accountId);
    this.fullAtMs.set(accountId, fullAtMs + (bytes / STATE_BYTES_PER_SECOND_MAX) * 1000);
    this.forgetFull(nowMs);
  }

  /** A bucket is full again seconds after it was charged last, so none stands long before one that is. */
  private forgetFull(nowMs: number): void {
    for (const [accountId, fullAtMs] of this.fullAtMs) {
      if (fullAtMs > nowMs) {
        return;
      }
      this.fullAtMs.delete(accountId);
    }
  }
}
