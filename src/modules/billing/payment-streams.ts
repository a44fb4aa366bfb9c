import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BinaryAnswer } from '../../contract/operation';
import { Conflict, ServiceUnavailable } from '../../errors/api-errors';
import { Ledger } from '../../ledger/ledger';
import { Clock, DAY_MS } from '../../runtime/clock';
import { balanceRecord, paymentRecord } from './payment-record';
import { Payments } from './payments.repository';

const LOOKED_EVERY_MS = 2_000;
const COMMENT_EVERY_LOOKS = 7;
const STREAMS_MAX = { account: 5, process: 500 };
const PAYMENTS_MAX = 20;

const HEAD = {
  status: 200,
  headers: {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'x-accel-buffering': 'no',
  },
};
const COMMENT = new TextEncoder().encode(': \n\n');

/** Streams of what changes of an account's balance and payments. Whoever connects is told everything, so that nothing is missed. */
@Injectable()
export class PaymentStreams implements OnModuleDestroy {
  private readonly open = new Map<string, number>();
  private count = 0;
  private isClosing = false;

  constructor(
    private readonly ledger: Ledger,
    private readonly payments: Payments,
    private readonly clock: Clock,
  ) {}

  watch(accountId: string, seconds: number): BinaryAnswer {
    if ((this.open.get(accountId) ?? 0) >= STREAMS_MAX.account) {
      throw new Conflict(`An account watches by at most ${STREAMS_MAX.account} streams at once.`);
    }
    if (this.count >= STREAMS_MAX.process) {
      throw new ServiceUnavailable('Too many streams are open; call again.', 5);
    }
    return new BinaryAnswer(HEAD, (signal) => this.events(accountId, seconds * 1000, signal));
  }

  private async *events(accountId: string, lastsMs: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const endsMs = performance.now() + lastsMs;
    this.add(accountId, 1);
    try {
      const told = new Map<string, string>();
      for (let looks = 1; ; looks += 1) {
        const news = await this.news(accountId, told);
        if (news !== '') {
          yield new TextEncoder().encode(news);
        } else if (looks % COMMENT_EVERY_LOOKS === 0) {
          yield COMMENT;
        }
        if (performance.now() >= endsMs || !(await this.goesOn(signal))) {
          return;
        }
      }
    } finally {
      this.add(accountId, -1);
    }
  }

  /** A shutdown does not wait for streams that would go on for minutes: they end soon, and browsers connect again elsewhere. */
  onModuleDestroy(): void {
    this.isClosing = true;
  }

  private async goesOn(signal: AbortSignal): Promise<boolean> {
    await delay(LOOKED_EVERY_MS, undefined, { signal }).catch(() => undefined);
    return !signal.aborted && !this.isClosing;
  }

  private async news(accountId: string, told: Map<string, string>): Promise<string> {
    const balance = balanceRecord(await this.ledger.balance(accountId));
    const since = new Date(this.clock.now().getTime() - DAY_MS);
    const payments = await this.payments.recent(accountId, since, PAYMENTS_MAX);
    const states = [
      { event: 'balance', key: 'balance', data: JSON.stringify(balance) },
      ...payments.map((payment) => ({
        event: 'payment',
        key: payment.id,
        data: JSON.stringify(paymentRecord(payment)),
      })),
    ];
    const news = states.filter(({ key, data }) => told.get(key) !== data);
    news.forEach(({ key, data }) => told.set(key, data));
    return news.map(({ event, data }) => `event: ${event}\ndata: ${data}\n\n`).join('');
  }

  private add(accountId: string, change: 1 | -1): void {
    this.count += change;
    const left = (this.open.get(accountId) ?? 0) + change;
    if (left === 0) {
      this.open.delete(accountId);
    } else {
      this.open.set(accountId, left);
    }
  }
}
