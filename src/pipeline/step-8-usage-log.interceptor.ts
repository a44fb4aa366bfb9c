import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { from, lastValueFrom, type Observable } from 'rxjs';
import type { CallState, Quote } from '../contract/call-state';
import { OperationTimedOut } from '../core/errors/service-errors';
import { Idempotency } from '../core/idempotency/idempotency';
import { Ledger, type Settlement } from '../core/ledger/ledger';
import { costNanoUsd, type TokenUse } from '../core/pricing/price-list';
import { formatUsd, nanoToUsd } from '../core/pricing/usd';
import { Clock } from '../infrastructure/clock/clock';
import { callOf } from './call-of';
import { operationTimeoutMs } from './operation-timeouts';

/**
 * Step 8: bounds the work's time, settles the call to its real cost and puts that into the answer. The settlement is
 * durable before the first byte leaves, and the answer is serialised before it, so that nothing can fail after a
 * charge. A call that fails comes back through the error filter, which releases the reservation.
 */
@Injectable()
export class UsageLogInterceptor implements NestInterceptor {
  constructor(
    private readonly ledger: Ledger,
    private readonly idempotency: Idempotency,
    private readonly clock: Clock,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const call = callOf(context);
    if (!call) {
      return next.handle();
    }
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    return from(this.answer(call, reply, next));
  }

  private async answer(call: CallState, reply: FastifyReply, next: CallHandler): Promise<unknown> {
    if (call.replay) {
      return this.replay(call, reply);
    }
    const result = await withinTime(call, lastValueFrom(next.handle(), { defaultValue: undefined }));
    reply.headers(call.headers);
    if (call.quote) {
      return this.settle(call, call.quote, reply, result);
    }
    const answer = this.wrap(call, result, 0n);
    if (!call.claim) {
      call.succeed();
      return answer;
    }
    const body = reply.serialize(answer) as string;
    await this.idempotency.complete(call.claim, { status: call.policy.status, body });
    call.succeed();
    return asJson(reply, body);
  }

  private async settle(call: CallState, quote: Quote, reply: FastifyReply, result: unknown): Promise<string> {
    const use = usedTokens(call, quote);
    const chargeNanoUsd = costNanoUsd(quote.price, use);
    const body = reply.serialize(this.wrap(call, result, chargeNanoUsd)) as string;
    const settled = await this.ledger.settle({
      callId: call.id,
      accountId: accountOf(call),
      outcome: 'settled',
      chargeNanoUsd,
      status: call.policy.status,
      ...use,
      now: this.clock.now(),
      answer: call.claim ? body : null,
    });
    if (settled.verdict === 'gone') {
      throw new OperationTimedOut(operationTimeoutMs(call.policy.rate));
    }
    call.succeed();
    setCostHeaders(reply, settled, use.inputTokens + use.outputTokens);
    return asJson(reply, body);
  }

  private async replay(call: CallState, reply: FastifyReply): Promise<string> {
    const stored = call.replay ?? { status: 500, body: '' };
    if (call.policy.price !== null) {
      const { balanceNanoUsd } = await this.ledger.balance(accountOf(call));
      setCostHeaders(reply, { chargedNanoUsd: 0n, balanceNanoUsd }, 0);
    }
    call.succeed();
    reply.status(stored.status).header('Idempotent-Replayed', 'true');
    return asJson(reply, stored.body);
  }

  private wrap(call: CallState, result: unknown, chargeNanoUsd: bigint): object {
    if (!call.policy.envelope) {
      return result as object;
    }
    return {
      data: result,
      metadata: {
        request_id: call.requestId,
        timestamp: this.clock.now().toISOString(),
        cost: nanoToUsd(chargeNanoUsd),
      },
    };
  }
}

/** The handler's result, or 504 once its time is over; the handler is told to stop through its signal. */
async function withinTime(call: CallState, work: Promise<unknown>): Promise<unknown> {
  const timeoutMs = operationTimeoutMs(call.policy.rate);
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = new OperationTimedOut(timeoutMs);
      call.abort.abort(error);
      reject(error);
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** What the handler reported; none where the price is fixed. */
function usedTokens(call: CallState, quote: Quote): TokenUse {
  if (quote.price.perTokenNanoUsd === null) {
    return { inputTokens: 0, outputTokens: 0 };
  }
  if (!call.use) {
    throw new Error(`${call.policy.operationId} is priced by tokens but reported none`);
  }
  return call.use;
}

function accountOf(call: CallState): string {
  if (!call.account) {
    throw new Error('a priced call has no account');
  }
  return call.account.id;
}

function setCostHeaders(
  reply: FastifyReply,
  settled: Pick<Settlement, 'chargedNanoUsd' | 'balanceNanoUsd'>,
  tokens: number,
): void {
  reply
    .header('X-Request-Cost', formatUsd(settled.chargedNanoUsd))
    .header('X-Tokens-Used', tokens)
    .header('X-Balance-Remaining', formatUsd(settled.balanceNanoUsd));
}

function asJson(reply: FastifyReply, body: string): string {
  reply.header('content-type', 'application/json; charset=utf-8');
  return body;
}
