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
/** Beyond so many, keys are held until the leases of their claims are over. */
const FREED_LATER_MAX = 10_000;
const SWEEP_BATCHES = { sizeMax: 1000, batchesMax: 40 };

export interface Claim {
  /** The same for every retry with the key, so that a handler can make its own writes happen once. */
  id: string;
  accountId: string;
  callId: string;
}

export interface StoredAnswer {
  status: number;
  body: string;
}

export interface Replay extends StoredAnswer {
  /** That gave the answer; null where none did. */
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
  /** Whether the answer needs room in the account's storage, as that of an operation that costs something does. */
  isBounded: boolean;
}

/** Which call used an Idempotency-Key in the last 24 hours, and its answer (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class Idempotency {
  private freedLater: Freeing[] = [];
  private readonly writes = new BackgroundWrites(
    () => this.freedLater.length > 0,
    () => this.freeLater(),
  );

  constructor(private readonly databases: AccountDatabases) {}

  /**
   * Claims the key for this call, or returns the answer of the earlier call with the same key and request.
   * @throws Conflict while that call is running, StorageFull, IdempotencyKeyUsed
   */
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

  /** For a free call; the answer of a paid call is kept by its settlement. */
  async complete(claim: Claim, answer: StoredAnswer): Promise<void> {
    const { callId, accountId } = claim;
    const { status, body } = answer;
    await this.databases.of(accountId).query(COMPLETE, [callId, accountId, status, body]);
  }

  /** Frees the key of a call that failed. An answer that was kept stays. */
  async abandon(accountId: string, callId: string): Promise<void> {
    await this.free({ accountId, statement: ABANDON, values: [callId, accountId] });
  }

  /**
   * The same where nobody knows whether it was claimed. A server that had stalled may make the claim after this, so that a row has
   * to stay, which the late claim meets and a retry takes over at once.
   */
  async forgo(order: ClaimOrder): Promise<void> {
    const { accountId, callId, now, leaseUntil } = order;
    const values = [claimId(order), accountId, requestHash(order), callId, now, leaseUntil];
    await this.free({ accountId, statement: FORGO, values });
  }

  /** @throws the error of the database; where that is away, it is done once it is back */
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

  /** At most 40,000 claims of each schema in one run. */
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

// Its lease is over when it begins, and it is forgotten when that of the claim would have been over.
const FORGO = `
  INSERT INTO idempotency_claims AS c (id, account_id, request_hash, call_id, lease_until, expires_at)
  VALUES ($1, $2, $3, $4, $5, $6)
  ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until, expires_at = excluded.expires_at
  WHERE c.call_id = excluded.call_id AND c.status IS NULL`;

// Compared again outside, where a row that was locked is seen as it became: an expired key may have been claimed anew.
const FORGET = `
  DELETE FROM idempotency_claims WHERE expires_at <= $1 AND id IN (
    SELECT id FROM idempotency_claims WHERE expires_at <= $1 LIMIT $2)`;

interface ClaimRow {
  verdict: 'claimed' | 'replay' | 'mismatch' | 'running' | 'full';
  status: number;
  answer: string;
  model: string | null;
}

/** Made of account and key, so that equal keys of two accounts never meet. The key itself is not stored. */
function claimId({ accountId, idempotencyKey }: ClaimOrder): string {
  return hash('sha256', `${accountId}\n${idempotencyKey}`);
}

/** Numbers that differ only beyond a double's precision differ here too: an upstream is sent them as they came. */
function requestHash({ operationId, request }: ClaimOrder): string {
  return hash('sha256', exactJson([operationId, request], sorted));
}

/** Assigned to its sorted members, an object leaves them in their order and brings along how its numbers came. */
function sorted(_: string, member: unknown): unknown {
  return isObject(member)
    ? Object.assign(Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))), member)
    : member;
}
