import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtSecret } from '../accounts/credentials';
import { ApiError, Conflict } from '../errors/api-errors';
import { leaseMs } from '../contract/operation';
import { type ClaimOrder, Idempotency } from '../ledger/idempotency';
import type { RequestInput } from './call-transport';
import { type AdmittedCall, asksForStream, type MeteredCall, type Undoing } from './metered-call';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The database is not enough to read it: the key is made of JWT_SECRET, and only the account itself can have it opened. */
@Injectable()
export class SecretAnswers {
  private readonly key: Buffer;

  constructor({ key }: JwtSecret) {
    this.key = Buffer.from(hkdfSync('sha256', key, '', 'answers kept for retries', KEY_BYTES));
  }

  seal(accountId: string, body: string): string {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.key, nonce).setAAD(Buffer.from(accountId));
    const sealed = Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
  }

  /** @throws Conflict where JWT_SECRET has changed since */
  open(accountId: string, kept: string): string {
    const bytes = Buffer.from(kept, 'base64');
    const [tagAt, textAt] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES];
    try {
      const decipher = createDecipheriv(CIPHER, this.key, bytes.subarray(0, tagAt))
        .setAAD(Buffer.from(accountId))
        .setAuthTag(bytes.subarray(tagAt, textAt));
      return Buffer.concat([decipher.update(bytes.subarray(textAt)), decipher.final()]).toString('utf8');
    } catch {
      throw new Conflict(
        'The call was made, but its answer can not be shown again: the secret that sealed it has changed.',
      );
    }
  }
}

/** Step 2c: a retry gets the stored answer and skips price, charge and work. A call that came with its claim takes none. */
@Injectable()
export class IdempotencyStep implements Undoing {
  constructor(private readonly idempotency: Idempotency) {}

  async undo(call: MeteredCall): Promise<void> {
    await this.idempotency.abandon(call.accountId, call.id);
  }

  /** @returns the claim, or the answer that is stored */
  async claim(
    call: MeteredCall,
    request: RequestInput,
    idempotencyKey: string,
  ): Promise<Pick<AdmittedCall, 'claim' | 'replay'>> {
    const { accountId, policy, startedAt } = call;
    const lengthMs = leaseMs(policy.rate, asksForStream(request.body));
    const order: ClaimOrder = {
      accountId,
      idempotencyKey,
      operationId: policy.operationId,
      request,
      callId: call.id,
      now: startedAt,
      leaseUntil: new Date(startedAt.getTime() + lengthMs),
      isBounded: policy.price !== null,
    };
    try {
      const claimed = await this.idempotency.claim(order);
      if ('body' in claimed) {
        return { claim: null, replay: claimed };
      }
      call.onFailure(this);
      return { claim: claimed, replay: null };
    } catch (error) {
      // The claim may be stored although its confirmation was lost; it would then hold the key until its lease is over.
      if (!(error instanceof ApiError)) {
        call.onFailure({ undo: () => this.idempotency.forgo(order) });
      }
      throw error;
    }
  }
}
