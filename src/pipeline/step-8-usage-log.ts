import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { JwtSecret } from '../accounts/credentials';
import { OPERATION_TIMEOUT_MS } from '../contract/operation';
import {
  ApiError,
  CallCancelled,
  Conflict,
  errorText,
  NothingCharged,
  OperationTimedOut,
  OutcomeUnknown,
} from '../errors/api-errors';
import { type Claim, Idempotency, type Replay } from '../ledger/idempotency';
import { Ledger } from '../ledger/ledger';
import { OperatorLoss } from '../ledger/ledger.metrics';
import { costNanoUsd, formatUsd, nanoToUsd, type TokenUse } from '../ledger/money';
import { ChargedFailure } from '../models/errors';
import type { FinalUsage } from '../models/streamed-answer';
import { Clock } from '../runtime/clock';
import type { AdmittedCall, CallWork, MeteredCall, PaidWork } from './metered-call';

export function enveloped(work: CallWork, data: unknown, chargeNanoUsd: bigint, now: Date): unknown {
  return work.call.policy.envelope ? { data, metadata: envelopeMetadata(work, chargeNanoUsd, now) } : data;
}

function envelopeMetadata({ requestId, notes }: CallWork, chargeNanoUsd: bigint, now: Date): object {
  const { includedNanoUsd, engine } = notes;
  return {
    request_id: requestId,
    timestamp: isoText(now),
    cost: nanoToUsd(chargeNanoUsd + includedNanoUsd),
    ...(engine && { engine }),
  };
}

export function envelopedJson(work: CallWork, json: string, chargeNanoUsd: bigint, now: Date): string {
  if (!work.call.policy.envelope) {
    return json;
  }
  return `{"data":${json},"metadata":${JSON.stringify(envelopeMetadata(work, chargeNanoUsd, now))}}`;
}

let latestMs = NaN;
let latestText = '';

/** Cached for calls in the same millisecond: making it is slow. */
function isoText(time: Date): string {
  const ms = time.getTime();
  if (ms !== latestMs) {
    latestText = time.toISOString();
    latestMs = ms;
  }
  return latestText;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypted by a key from JWT_SECRET: the database alone is not enough, and only the account may read. */
@Injectable()
export class EncryptedAnswers {
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

/**
 * Settles durably before an answer's first byte or a stream's last bytes leave. Answers are serialised before
 * it, so that nothing can fail after the charge.
 */
@Injectable()
export class UsageLogStep {
  private readonly logger = new Logger('Settlement');

  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
    private readonly loss: OperatorLoss,
    private readonly secrets: EncryptedAnswers,
  ) {}

  /**
   * @param answer makes the JSON text stored for a retry; null frees the key. Nothing is settled if it
   * throws. Called again if less was charged than the call cost.
   * @returns null when the sweeper released the call: it must not succeed
   * @throws OutcomeUnknown where nobody can say whether the call was charged
   */
  async settle(
    work: PaidWork,
    use: TokenUse,
    answer: ((chargeNanoUsd: bigint, now: Date) => string | null) | null,
    status: number = work.call.successStatus,
  ): Promise<FinalUsage | null> {
    const { call, admitted, notes, meter } = work;
    const chargeNanoUsd = costNanoUsd(work.quote.price, use);
    const now = this.clock.now();
    const kept = answer && answer(chargeNanoUsd, now);
    const order = {
      callId: call.id,
      accountId: call.accountId,
      outcome: 'settled' as const,
      chargeNanoUsd,
      status,
      ...use,
      model: notes.headers?.['X-Model-Used'],
      now,
      answer: kept,
      holdsClaim: admitted.claim !== null,
    };
    let settled: Awaited<ReturnType<Ledger['settle']>>;
    try {
      settled = await this.ledger.settle(order);
    } catch (cause) {
      if (cause instanceof NothingCharged) {
        throw cause;
      }
      call.isOutcomeUnknown = true;
      throw new OutcomeUnknown(cause);
    }
    if (settled.verdict === 'gone') {
      return null;
    }
    const { chargedNanoUsd, balanceNanoUsd } = settled;
    if (chargedNanoUsd < chargeNanoUsd) {
      this.loss.note(chargeNanoUsd - chargedNanoUsd, call.requestId);
      await this.correct(work, kept, { status, body: answer && answer(chargedNanoUsd, now) });
    }
    const charge = { chargedNanoUsd, balanceNanoUsd, tokens: use.inputTokens + use.outputTokens };
    call.terms.charged?.(charge, meter.use);
    return charge;
  }

  /** Stores the answer with the true charge. If that fails, a retry reads the higher cost. */
  private async correct(
    { admitted: { claim } }: CallWork,
    kept: string | null,
    { status, body }: { status: number; body: string | null },
  ): Promise<void> {
    if (claim && body !== null && body !== kept) {
      await this.idempotency
        .complete(claim, { status, body })
        .catch((error: unknown) => this.logger.warn(errorText(error)));
    }
  }

  /** The cost of a free call's items, which are answered even if the balance cannot be read. */
  async reportItems({ call, notes }: CallWork): Promise<void> {
    await this.reportCost(call, notes.includedNanoUsd, notes.includedTokens).catch(() => undefined);
  }

  /**
   * If the caller left, charges input and output so far; a cancelled call stores that, so that it is not
   * repeated. A ChargedFailure is charged the model's use and kept for retries. A call whose key ended is released,
   * because the revocation waits for it. A claim taken over is charged nothing.
   * @throws error, always; the call is over if it was charged or released
   */
  async left(work: PaidWork, error: unknown): Promise<never> {
    const { call, admitted, meter } = work;
    if (error instanceof ApiError && error === call.refusal) {
      await call.fail(error.status);
      throw error;
    }
    const left = meter.useWhenLeft ?? (error instanceof ChargedFailure ? meter.use : null);
    if (left && error instanceof ChargedFailure) {
      work.setHeader('X-Model-Used', error.model);
    }
    if (left && error instanceof ApiError) {
      const use = meter.report(await left);
      const numbers = await this.settle(work, use, keptFailure(admitted, error), error.status);
      if (numbers) {
        call.succeed();
        setCostHeaders(call, numbers);
        call.transport.setHeaders(work.notes.headers ?? {});
      }
    }
    throw error;
  }

  /** @throws the stored error of a call that failed but was charged */
  async replay(call: MeteredCall, stored: Replay): Promise<string> {
    if (call.policy.price !== null || call.policy.itemCosts) {
      await this.reportCost(call, 0n, 0);
    }
    call.throwIfRefused();
    const body = call.policy.secretAnswer ? this.secrets.open(call.accountId, stored.body) : stored.body;
    call.succeed();
    call.transport.setHeaders(REPLAYED);
    if (stored.model !== null) {
      call.transport.setHeaders({ 'X-Model-Used': stored.model });
    }
    if (stored.status >= 400) {
      throw new ReplayedFailure(stored.status, JSON.parse(body) as KeptFields);
    }
    return body;
  }

  private async reportCost(call: MeteredCall, chargedNanoUsd: bigint, tokens: number): Promise<void> {
    const { balanceNanoUsd } = await this.ledger.balance(call.accountId);
    setCostHeaders(call, { chargedNanoUsd, balanceNanoUsd, tokens });
  }

  async charged(work: PaidWork, result: unknown): Promise<string> {
    const { call, admitted, notes } = work;
    let body = '';
    const numbers = await this.settle(work, usedTokens(work), (charge, now) => {
      body = notes.passedOn ?? call.transport.serialize(enveloped(work, result, charge, now));
      return admitted.claim ? body : null;
    });
    if (!numbers) {
      throw call.refusal ?? new OperationTimedOut(OPERATION_TIMEOUT_MS[call.policy.rate]);
    }
    call.succeed();
    setCostHeaders(call, numbers);
    return body;
  }

  async keep(work: CallWork, claim: Claim, result: unknown): Promise<string> {
    const { call } = work;
    const body = call.transport.serialize(enveloped(work, result, 0n, this.clock.now()));
    const kept = call.policy.secretAnswer ? this.secrets.seal(call.accountId, body) : body;
    await this.idempotency.complete(claim, { status: call.successStatus, body: kept });
    call.succeed();
    return body;
  }
}

const CANCELLED = '{}';

interface KeptFields {
  error: string;
  message: string;
  request_id: string;
  timestamp: string;
  /** In USD. */
  cost: number;
}

/** The stored failure of a charged call with the same Idempotency-Key. */
export class ReplayedFailure extends ApiError {
  readonly requestId: string;
  readonly costUsd: number;

  constructor(status: number, { error, message, request_id, timestamp, cost }: KeptFields) {
    super(status, error, message, { fields: { request_id, timestamp } });
    this.requestId = request_id;
    this.costUsd = cost;
  }
}

function keptFailure(
  { claim, call: { requestId } }: AdmittedCall,
  failure: ApiError,
): ((chargeNanoUsd: bigint, now: Date) => string) | null {
  if (claim !== null && failure instanceof CallCancelled) {
    return () => CANCELLED;
  }
  if (claim === null || !(failure instanceof ChargedFailure)) {
    return null;
  }
  const { error, message } = failure;
  return (chargeNanoUsd, now) => {
    const ids = { request_id: requestId, timestamp: isoText(now) };
    return JSON.stringify({ error, message, ...ids, cost: nanoToUsd(chargeNanoUsd) } satisfies KeptFields);
  };
}

const REPLAYED = Object.freeze({ 'idempotent-replayed': 'true' });

function usedTokens({ call, quote, meter }: PaidWork): TokenUse {
  if (quote.price.perTokenNanoUsd === null) {
    return { inputTokens: 0, outputTokens: 0 };
  }
  if (!meter.use) {
    throw new Error(`${call.policy.operationId} is priced by tokens but did not report how many it used`);
  }
  return meter.use;
}

function setCostHeaders(call: MeteredCall, numbers: FinalUsage): void {
  call.transport.setHeaders({
    'x-request-cost': formatUsd(numbers.chargedNanoUsd),
    'x-tokens-used': numbers.tokens,
    'x-balance-remaining': formatUsd(numbers.balanceNanoUsd),
  });
}
