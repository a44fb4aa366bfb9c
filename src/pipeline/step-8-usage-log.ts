import { Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { KeyDirectory } from '../accounts/key-cache';
import { type BinaryAnswer, operationTimeoutMs, STREAM_TIMEOUT_MS } from '../contract/operation';
import {
  ApiError,
  CallCancelled,
  ClientGone,
  errorText,
  NotFound,
  OperationTimedOut,
} from '../errors/api-errors';
import { type Claim, Idempotency, type StoredAnswer } from '../ledger/idempotency';
import { Ledger } from '../ledger/ledger';
import { formatUsd, type TokenUse } from '../ledger/money';
import { type UnchargedCall, UsageLog, UsageRowsLost } from '../ledger/usage-log';
import { ChargedFailure } from '../models/errors';
import { type FinalNumbers, StreamedAnswer } from '../models/streamed-answer';
import { Clock } from '../runtime/clock';
import { LateWrites } from '../runtime/late-writes';
import { idsForLog, type Quote, SENT } from './call-transport';
import type { MeteredCall } from './metered-call';
import { SecretAnswers } from './step-2c-idempotency';
import { enveloped, Settlement, StreamedAnswers } from './settlement';

const WAITING_MAX = 10_000;

/** Free ones of access keys, and priced ones refused or replayed. Beyond 10,000 that wait they are only counted. */
@Injectable()
export class UnchargedCalls implements OnApplicationShutdown {
  private readonly logger = new Logger('UsageLog');
  private waiting: UnchargedCall[] = [];
  private readonly writes = new LateWrites(
    () => this.waiting.length > 0,
    () => this.insert(),
  );
  private dropped = 0;

  constructor(
    private readonly calls: UsageLog,
    private readonly keys: KeyDirectory,
    private readonly clock: Clock,
  ) {}

  async onApplicationShutdown(): Promise<void> {
    await this.write();
  }

  /** Resolves when what waits is durable or lost, which is logged. */
  write(): Promise<void> {
    return this.writes.end();
  }

  note(call: MeteredCall, status: number): void {
    if (!call.isUncharged) {
      return;
    }
    if (call.key) {
      this.keys.touch(call.key).catch((error: unknown) => this.logger.warn(String(error)));
    }
    if (this.waiting.length >= WAITING_MAX) {
      this.dropped += 1;
      return;
    }
    this.waiting.push({
      id: call.id,
      accountId: call.accountId,
      keyId: call.key?.id ?? null,
      requestId: call.requestId,
      clientRequestId: call.clientRequestId,
      operation: call.policy.operationId,
      outcome: status < 400 ? 'settled' : call.isReserved ? 'released' : 'refused',
      status,
      price: call.quote?.price.name ?? null,
      priceVersion: call.quote?.priceVersion ?? null,
      createdAt: call.startedAt,
      completedAt: this.clock.now(),
    });
    this.writes.begin();
  }

  private async insert(): Promise<void> {
    const batch = this.waiting;
    this.waiting = [];
    if (this.dropped > 0) {
      this.logger.warn({ message: 'usage rows of uncharged calls were dropped', count: this.dropped });
      this.dropped = 0;
    }
    try {
      await this.calls.insertUncharged(batch);
    } catch (error) {
      const count = error instanceof UsageRowsLost ? error.count : batch.length;
      this.logger.error({ message: 'usage rows were lost', count, error: errorText(error) });
    }
  }
}

const NOTHING = new Uint8Array();

const logger = new Logger('Http');

/**
 * Reads the first piece before the head leaves, so that what is gone is refused as anywhere else.
 * @throws what that throws, and the refusal of a call whose credential has ended; a later failure breaks the connection
 */
export async function sendBinary(call: MeteredCall, { head, bytes }: BinaryAnswer): Promise<typeof SENT> {
  const pieces = bytes(call.signal)[Symbol.asyncIterator]();
  // Nothing judges a stream again that was opened by a credential which ended during its first look.
  call.onRefused = (refusal) => call.abort(refusal);
  try {
    const first = await pieces.next();
    call.throwIfRefused();
    await sendFrom(first, pieces, call, head);
    return SENT;
  } catch (error) {
    throw call.refusal ?? error;
  } finally {
    // Not awaited, because a source that hangs would not answer this either.
    pieces.return?.().catch(() => undefined);
  }
}

async function sendFrom(
  first: IteratorResult<Uint8Array>,
  pieces: AsyncIterator<Uint8Array>,
  call: MeteredCall,
  head: BinaryAnswer['head'],
): Promise<void> {
  const stream = call.transport.openStream(() => call.abort(new ClientGone()), head);
  const timer = setTimeout(() => call.abort(new ClientGone()), STREAM_TIMEOUT_MS);
  // A connection that has closed by now is never told to have closed.
  if (stream.isGone) {
    call.abort(new ClientGone());
  }
  try {
    for (let piece = first; stream.takesBody && piece.done !== true; piece = await pieces.next()) {
      await stream.write(piece.value, call.signal);
      call.signal.throwIfAborted();
    }
    stream.end(NOTHING);
  } catch (error) {
    stream.destroy();
    if (!call.signal.aborted) {
      // What its owner has deleted meanwhile is no failure of the service.
      const level = error instanceof NotFound ? 'warn' : 'error';
      logger[level]({ message: 'an answer broke off', ...idsForLog(call), error: errorText(error) });
    }
  } finally {
    clearTimeout(timer);
    call.succeed();
  }
}

/**
 * Step 8. The settlement is durable before the first byte of an answer leaves, or the last bytes of a stream. Answers
 * are serialised before it, so that nothing can fail after the charge.
 */
@Injectable()
export class UsageLogStep {
  constructor(
    private readonly settlement: Settlement,
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
    private readonly streams: StreamedAnswers,
    private readonly secrets: SecretAnswers,
  ) {}

  /** Tells what the items of a free call cost. They are answered also where the balance can't be read just now. */
  async tellItems(call: MeteredCall): Promise<void> {
    const { includedNanoUsd, includedTokens } = call.notes;
    await this.tellCost(call, includedNanoUsd, includedTokens).catch(() => undefined);
  }

  /** Settles a paid call, and answers it. @returns JSON text; SENT where it has left as a stream */
  charged(call: MeteredCall, quote: Quote, result: unknown): Promise<unknown> {
    return result instanceof StreamedAnswer
      ? this.streams.send(call, quote, result).then(() => SENT)
      : this.settle(call, quote, result);
  }

  /**
   * Where the caller left while an upstream worked, the call is charged as a stream is: its input and what was produced.
   * A cancelled call's claim keeps that as its answer, so that nobody begins it again; where the claim was taken over
   * meanwhile nothing is charged. A ChargedFailure is charged what the model used, and kept for retries. Where its key ended, the call is
   * released here, because the revocation is answered once the call no longer works.
   * @throws error, always; the call is over if it was charged or released
   */
  async left(call: MeteredCall, quote: Quote, error: unknown): Promise<never> {
    if (error instanceof ApiError && error === call.refusal) {
      await call.fail(error.status);
      throw error;
    }
    const left = call.useWhenLeft ?? (error instanceof ChargedFailure ? call.use : null);
    if (left && error instanceof ChargedFailure) {
      call.parameter().setHeader('X-Model-Used', error.model);
    }
    if (left && error instanceof ApiError) {
      const use = call.report(await left);
      const kept = keptFailure(call, error);
      const answer = kept === null ? null : () => kept;
      const numbers = await this.settlement.settle(call, quote, use, answer, error.status);
      if (numbers) {
        call.succeed();
        setCostHeaders(call, numbers);
        call.transport.setHeaders(call.notes.headers ?? {});
      }
    }
    throw error;
  }

  /** @throws the kept error of a call that was charged although it failed */
  async replay(call: MeteredCall, stored: StoredAnswer): Promise<string> {
    if (call.policy.price !== null || call.policy.itemCosts) {
      await this.tellCost(call, 0n, 0);
    }
    call.throwIfRefused();
    const body = call.policy.secretAnswer ? this.secrets.open(call.accountId, stored.body) : stored.body;
    call.succeed();
    call.transport.setHeaders(REPLAYED);
    if (stored.status >= 400) {
      const { error, message } = JSON.parse(body) as Pick<ApiError, 'error' | 'message'>;
      throw new ApiError(stored.status, error, message);
    }
    return body;
  }

  private async tellCost(call: MeteredCall, chargedNanoUsd: bigint, tokens: number): Promise<void> {
    const { balanceNanoUsd } = await this.ledger.balance(call.accountId);
    setCostHeaders(call, { chargedNanoUsd, balanceNanoUsd, tokens });
  }

  private async settle(call: MeteredCall, quote: Quote, result: unknown): Promise<string> {
    let body = '';
    const numbers = await this.settlement.settle(call, quote, usedTokens(call, quote), (charge, now) => {
      body = call.notes.passedOn ?? call.transport.serialize(enveloped(call, result, charge, now));
      return call.claim ? body : null;
    });
    if (!numbers) {
      throw call.refusal ?? new OperationTimedOut(operationTimeoutMs(call.policy.rate));
    }
    call.succeed();
    setCostHeaders(call, numbers);
    return body;
  }

  async keep(call: MeteredCall, claim: Claim, result: unknown): Promise<string> {
    const body = call.transport.serialize(enveloped(call, result, 0n, this.clock.now()));
    const kept = call.policy.secretAnswer ? this.secrets.seal(call.accountId, body) : body;
    await this.idempotency.complete(claim, { status: call.successStatus, body: kept });
    call.succeed();
    return body;
  }
}

/** What the claim of a cancelled call keeps. Nobody is answered with it. */
const CANCELLED = '{}';

/** A claim that was taken before the call is a task's, which takes whatever is kept for a result. */
function keptFailure({ claim, terms }: MeteredCall, failure: ApiError): string | null {
  if (claim !== null && failure instanceof CallCancelled) {
    return CANCELLED;
  }
  const { error, message } = failure;
  const isKept = claim !== null && terms.claim === null && failure instanceof ChargedFailure;
  return isKept ? JSON.stringify({ error, message }) : null;
}

const REPLAYED = Object.freeze({ 'idempotent-replayed': 'true' });

function usedTokens(call: MeteredCall, quote: Quote): TokenUse {
  if (quote.price.perTokenNanoUsd === null) {
    return { inputTokens: 0, outputTokens: 0 };
  }
  if (!call.use) {
    throw new Error(`${call.policy.operationId} is priced by tokens but did not report how many it used`);
  }
  return call.use;
}

function setCostHeaders(call: MeteredCall, numbers: FinalNumbers): void {
  call.transport.setHeaders({
    'x-request-cost': formatUsd(numbers.chargedNanoUsd),
    'x-tokens-used': numbers.tokens,
    'x-balance-remaining': formatUsd(numbers.balanceNanoUsd),
  });
}
