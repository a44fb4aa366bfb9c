import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { inBatches } from '../../../infrastructure/database/in-batches';
import { Conflict, Unprocessable } from '../../errors/request-errors';
import { isObject } from '../../../infrastructure/json/json-object';

const KEPT_FOR_MS = 24 * 60 * 60 * 1000;
const SWEEP_BATCHES = { sizeMax: 1000, batchesMax: 40 };

export interface Claim {
  /** The same for every try of one call: what a handler may make its own writes unique by. */
  id: string;
  callId: string;
}

export interface StoredAnswer {
  status: number;
  /** The answer's body as it was sent. */
  body: string;
}

export interface ClaimOrder {
  accountId: string;
  idempotencyKey: string;
  operationId: string;
  /** The parsed request: equal requests hash alike whatever the order of their members. */
  request: unknown;
  callId: string;
  now: Date;
  leaseUntil: Date;
}

/** The Idempotency-Key's memory: one claim per account and key for 24 hours (draft-ietf-httpapi-idempotency-key-header). */
@Injectable()
export class Idempotency {
  constructor(private readonly database: DataSource) {}

  /**
   * Claims the key for this call, or returns the answer that an earlier call left.
   * @throws Conflict while the earlier call runs, Unprocessable when the key was used for another request
   */
  async claim(order: ClaimOrder): Promise<Claim | StoredAnswer> {
    const id = claimId(order.accountId, order.idempotencyKey);
    const [row]: ClaimRow[] = await this.database.query(
      'SELECT * FROM idempotency_claim($1, $2, $3, $4, $5, $6, $7)',
      [
        id,
        order.accountId,
        hash(canonical([order.operationId, order.request])),
        order.callId,
        order.now,
        order.leaseUntil,
        new Date(order.now.getTime() + KEPT_FOR_MS),
      ],
    );
    switch (row?.verdict) {
      case 'claimed':
        return { id, callId: order.callId };
      case 'replay':
        return { status: row.status, body: row.answer };
      case 'mismatch':
        throw new Unprocessable('This Idempotency-Key was used for another request.');
      default:
        throw new Conflict('A call with this Idempotency-Key is still running.', { retryAfterSeconds: 1 });
    }
  }

  /** Keeps the answer of a call that costs nothing; the settlement keeps that of a paid call. */
  async complete(claim: Claim, answer: StoredAnswer): Promise<void> {
    await this.database.query('UPDATE idempotency_claims SET status = $2, answer = $3 WHERE call_id = $1', [
      claim.callId,
      answer.status,
      answer.body,
    ]);
  }

  /** Frees the key of a call that failed, so that a retry runs again. */
  async abandon(callId: string): Promise<void> {
    await this.database.query('DELETE FROM idempotency_claims WHERE call_id = $1 AND status IS NULL', [
      callId,
    ]);
  }

  /** Forgets claims older than 24 hours, at most 40,000, and returns how many. */
  async sweep(now: Date): Promise<number> {
    return inBatches(SWEEP_BATCHES, async (sizeMax) => {
      const deleted: [unknown, number] = await this.database.query(FORGET, [now, sizeMax]);
      return deleted[1];
    });
  }
}

const FORGET = `
  DELETE FROM idempotency_claims WHERE id IN (
    SELECT id FROM idempotency_claims WHERE expires_at <= $1 LIMIT $2)`;

interface ClaimRow {
  verdict: 'claimed' | 'replay' | 'mismatch' | 'running';
  status: number;
  answer: string;
}

/** The claim's id: accounts cannot reach each other's keys, and the key itself is not stored. */
function claimId(accountId: string, idempotencyKey: string): string {
  return hash(`${accountId}\n${idempotencyKey}`);
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    isObject(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
