import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JwtSecret } from '../accounts/credentials';
import { ApiError, Conflict } from '../errors/api-errors';
import { leaseMs, type OperationPolicy } from '../contract/operation';
import { type Claim, Idempotency, type StoredAnswer } from '../ledger/idempotency';
import type { MeteredCall, Undoing } from './metered-call';
import type { Step } from './admission';

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
export class IdempotencyStep implements Step, Undoing {
  readonly name = 'idempotency';

  constructor(private readonly idempotency: Idempotency) {}

  isPassedBy({ idempotent, auth }: OperationPolicy): boolean {
    return idempotent && auth !== 'none';
  }

  run(call: MeteredCall): Promise<void> | void {
    const { idempotencyKey } = call.transport;
    if (idempotencyKey !== null && call.claim === null) {
      return this.claim(call, call.accountId, idempotencyKey);
    }
  }

  async undo(call: MeteredCall): Promise<void> {
    await this.idempotency.abandon(call.accountId, call.id);
  }

  private async claim(call: MeteredCall, accountId: string, idempotencyKey: string): Promise<void> {
    const claimed = await this.tryToClaim(call, accountId, idempotencyKey);
    if ('body' in claimed) {
      call.replay = claimed;
    } else {
      call.claim = claimed;
      call.onFailure(this);
    }
  }

  private async tryToClaim(
    call: MeteredCall,
    accountId: string,
    idempotencyKey: string,
  ): Promise<Claim | StoredAnswer> {
    try {
      return await this.idempotency.claim({
        accountId,
        idempotencyKey,
        operationId: call.policy.operationId,
        request: call.input,
        callId: call.id,
        now: call.startedAt,
        leaseUntil: new Date(call.startedAt.getTime() + leaseMs(call.policy.rate, call.asksForStream)),
        isBounded: call.policy.price !== null,
      });
    } catch (error) {
      // The claim may be stored although its confirmation was lost; it would then hold the key until its lease is over.
      if (!(error instanceof ApiError)) {
        call.onFailure(this);
      }
      throw error;
    }
  }
}
