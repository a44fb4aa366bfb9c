import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Quote } from '../contract/call-state';
import { StreamedAnswer } from '../core/models/streams/streamed-answer';
import { OperationTimedOut, OutcomeUnknown } from '../core/errors/service-errors';
import { Idempotency, type Claim, type StoredAnswer } from '../core/money/idempotency/idempotency';
import { Ledger, type Settlement } from '../core/money/ledger/ledger';
import { costNanoUsd, type TokenUse } from '../core/money/pricing/price-list';
import { formatUsd } from '../core/money/pricing/usd';
import { Clock } from '../infrastructure/clock/clock';
import { envelopeMetadata } from './enveloped';
import { operationTimeoutMs } from './operation-timeouts';
import type { PipelineCall } from './pipeline-call';
import { Step } from './step';
import { StreamedCalls } from './streamed-calls';

/**
 * Step 8: settles the call to its real cost, puts that into the answer and sends it. The settlement is durable before
 * the first byte leaves (the last, of a stream), and the answer is serialised before it, so that nothing can fail after a
 * charge. A call that fails comes to the error renderer instead, which has its reservation released.
 */
@Injectable()
export class UsageLogStep extends Step {
  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
    private readonly streams: StreamedCalls,
  ) {
    super();
  }

  override run(call: PipelineCall, _: FastifyRequest, reply: FastifyReply): Promise<void> | void {
    if (call.replay) {
      return this.replay(call, call.replay, reply);
    }
    reply.code(call.policy.status);
    if (call.headers) {
      reply.headers(call.headers);
    }
    if (call.quote && call.result instanceof StreamedAnswer) {
      return this.streams.send(call, call.quote, call.result, reply);
    }
    if (call.quote) {
      return this.settle(call, call.quote, reply);
    }
    if (call.claim) {
      return this.keep(call, call.claim, reply);
    }
    const answer = wrap(call, 0n, this.clock.now());
    call.succeed();
    reply.send(answer);
  }

  private async settle(call: PipelineCall, quote: Quote, reply: FastifyReply): Promise<void> {
    const use = usedTokens(call, quote);
    const chargeNanoUsd = costNanoUsd(quote.price, use);
    const now = this.clock.now();
    const body = call.passedOn ?? (reply.serialize(wrap(call, chargeNanoUsd, now)) as string);
    const settled = await this.ledger
      .settle({
        callId: call.id,
        accountId: call.accountId,
        outcome: 'settled',
        chargeNanoUsd,
        status: call.policy.status,
        inputTokens: use.inputTokens,
        outputTokens: use.outputTokens,
        now,
        answer: call.claim ? body : null,
      })
      .catch(throwUnknown);
    if (settled.verdict === 'gone') {
      throw new OperationTimedOut(operationTimeoutMs(call.policy.rate));
    }
    call.succeed();
    setCostHeaders(reply, settled, use.inputTokens + use.outputTokens);
    sendJson(reply, body);
  }

  /** Keeps the answer of a call that costs nothing for a retry of it. */
  private async keep(call: PipelineCall, claim: Claim, reply: FastifyReply): Promise<void> {
    const body = reply.serialize(wrap(call, 0n, this.clock.now())) as string;
    await this.idempotency.complete(claim, { status: call.policy.status, body });
    call.succeed();
    sendJson(reply, body);
  }

  private async replay(call: PipelineCall, stored: StoredAnswer, reply: FastifyReply): Promise<void> {
    if (call.policy.price !== null) {
      const { balanceNanoUsd } = await this.ledger.balance(call.accountId);
      setCostHeaders(reply, { chargedNanoUsd: 0n, balanceNanoUsd }, 0);
    }
    call.succeed();
    reply.code(stored.status).header('Idempotent-Replayed', 'true');
    sendJson(reply, stored.body);
  }
}

function wrap(call: PipelineCall, chargeNanoUsd: bigint, now: Date): unknown {
  if (!call.policy.envelope) {
    return call.result;
  }
  return { data: call.result, metadata: envelopeMetadata(call, chargeNanoUsd, now) };
}

function throwUnknown(cause: unknown): never {
  throw new OutcomeUnknown(cause);
}

/** What the handler reported; none where the price is fixed. */
function usedTokens(call: PipelineCall, quote: Quote): TokenUse {
  if (quote.price.perTokenNanoUsd === null) {
    return { inputTokens: 0, outputTokens: 0 };
  }
  if (!call.use) {
    throw new Error(`${call.policy.operationId} is priced by tokens but reported none`);
  }
  return call.use;
}

function setCostHeaders(
  reply: FastifyReply,
  settled: Pick<Settlement, 'chargedNanoUsd' | 'balanceNanoUsd'>,
  tokens: number,
): void {
  reply
    .header('x-request-cost', formatUsd(settled.chargedNanoUsd))
    .header('x-tokens-used', tokens)
    .header('x-balance-remaining', formatUsd(settled.balanceNanoUsd));
}

function sendJson(reply: FastifyReply, body: string): void {
  reply.header('content-type', 'application/json; charset=utf-8').send(body);
}
