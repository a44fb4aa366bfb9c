import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AccountDatabases } from '../database/account-databases';
import { isDatabaseAway } from '../database/driver-errors';
import { Conflict, IdempotencyKeyUsed } from '../errors/api-errors';
import { exactJson } from '../runtime/exact-numbers';
import { isObject } from '../runtime/json';
import { BackgroundWrites } from '../runtime/background-writes';
import { StorageFull } from './storage-limit';

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
/** Beyond this number, keys stay claimed until their leases end. */
const FREED_LATER_MAX = 10_000;
const SWEEP_BATCHES = { sizeMax: 1000, batchesMax: 40 };

export interface Claim {
  /** Equal for every retry with the key, so that a handler can make its writes happen once. */
  id: string;
  accountId: string;
  callId: string;
}

export interface StoredAnswer {
  status: number;
  body: string;
}

export interface Replay extends StoredAnswer {
  model: string | null;
}

export interface ClaimOrder {
  accountId: string;
  idempotencyKey: string;
  operationId: string;
  request: unknown;
  callId: string;
  now: Date;
  /** From then on a retry may take the claim over, because the call's process must have died. */
  leaseUntil: Date;
  /** Whether the answer counts against the account's storage, as those of priced operations do. */
  isBounded: boolean;
}

/** Keys of the last 24 hours, with the answers (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class Idempotency {
  private freedLater: Freeing[] = [];
  private readonly writes = new BackgroundWrites(
    () => this.freedLater.length > 0,
    () => this.freeLater(),
  );

  constructor(private readonly databases: AccountDatabases) {}

  /** @throws Conflict while the other call with this key runs; StorageFull; IdempotencyKeyUsed */
  async claim(order: ClaimOrder): Promise<Claim | Replay> {
    const id = claimId(order);
    const [row]: ClaimRow[] = await this.databases
      .of(order.accountId)
      .query('SELECT * FROM idempotency_claim($1, $2, $3, $4, $5, $6, $7, $8)', [
        id,
        order.accountId,
        requestHash(order),
        order.callId,
        order.now,
        order.leaseUntil,
        new Date(order.now.getTime() + KEPT_FOR_MS),
        order.isBounded,
      ]);
    switch (row?.verdict) {
      case 'claimed':
        return { id, accountId: order.accountId, callId: order.callId };
      case 'replay':
        return { status: row.status, body: row.answer, model: row.model };
      case 'full':
        throw new StorageFull();
      case 'mismatch':
        throw new IdempotencyKeyUsed();
      default:
        throw new Conflict('A call with this Idempotency-Key is still running.', { retryAfterSeconds: 1 });
    }
  }

  /** For a free call; a paid call's answer is stored by its settlement. */
  async complete(claim: Claim, answer: StoredAnswer): Promise<void> {
    const { callId, accountId } = claim;
    const { status, body } = answer;
    await this.databases.of(accountId).query(COMPLETE, [callId, accountId, status, body]);
  }

  /** Frees the key of a failed call. A stored answer stays. */
  async abandon(accountId: string, callId: string): Promise<void> {
    await this.free({ accountId, statement: ABANDON, values: [callId, accountId] });
  }

  /**
   * For an unknown outcome: a stalled server may still make the claim, so a row stays that the late claim
   * meets and a retry takes over at once.
   */
  async forgo(order: ClaimOrder): Promise<void> {
    const { accountId, callId, now, leaseUntil } = order;
    const values = [claimId(order), accountId, requestHash(order), callId, now, leaseUntil];
    await this.free({ accountId, statement: FORGO, values });
  }

  /** @throws the database's error; if it is down, the key is freed once it is back */
  private async free(freeing: Freeing): Promise<void> {
    try {
      await this.databases.of(freeing.accountId).query(freeing.statement, freeing.values);
    } catch (error) {
      if (isDatabaseAway(error) && this.freedLater.length < FREED_LATER_MAX) {
        this.freedLater.push(freeing);
        this.writes.begin();
      }
      throw error;
    }
  }

  private async freeLater(): Promise<void> {
    const freeings = this.freedLater;
    this.freedLater = [];
    for (const freeing of freeings) {
      await this.free(freeing).catch(() => undefined);
    }
  }

  async sweep(now: Date): Promise<number> {
    return this.databases.deleteInEach(FORGET, now, SWEEP_BATCHES);
  }
}

interface Freeing {
  accountId: string;
  statement: string;
  values: unknown[];
}

const COMPLETE = `
  UPDATE idempotency_claims SET status = $3, answer = $4 WHERE call_id = $1 AND account_id = $2`;

const ABANDON = `
  DELETE FROM idempotency_claims WHERE call_id = $1 AND account_id = $2 AND status IS NULL`;

// Its lease is over from the start, and it expires when the claim's lease would have been over.
const FORGO = `
  INSERT INTO idempotency_claims AS c (id, account_id, request_hash, call_id, lease_until, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, expires_at = excluded.expires_at
  WHERE c.call_id = excluded.call_id AND c.status IS NULL`;

// Compares expires_at again outside: an expired key may be claimed anew while its row was locked.
const FORGET = `
  DELETE FROM idempotency_claims WHERE expires_at <= $1 AND id IN (
    SELECT id FROM idempotency_claims WHERE expires_at <= $1 LIMIT $2)`;

interface ClaimRow {
  verdict: 'claimed' | 'replay' | 'mismatch' | 'running' | 'full';
  status: number;
  answer: string;
  model: string | null;
}

/** From account and key, so that equal keys of two accounts never meet. The key itself is not stored. */
function claimId({ accountId, idempotencyKey }: ClaimOrder): string {
  return hash('sha256', `${accountId}\n${idempotencyKey}`);
}

/** Numbers that differ only beyond a double's precision differ here too, because upstreams get all digits. */
function requestHash({ operationId, request }: ClaimOrder): string {
  return hash('sha256', exactJson([operationId, request], sorted));
}

/** Sorts members; assigning the object itself keeps its exact numbers. */
function sorted(_: string, member: unknown): unknown {
  return isObject(member)
    ? Object.assign(Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))), member)
    : member;
}
