import { setTimeout as pause } from 'node:timers/promises';
import { parseUsd } from '../../../src/ledger/money';
import type { PlainServer } from '../processes/plain-server';
import { depth } from '../jest/depth';
import { newOrder, type PaidOrder } from './paid-order';
import type { SeededRandom } from '../seeded-random';
import { until } from '../until';
import type { TestAccount } from '../api/world';

/** One call as its client saw it. */
export interface ClientCall {
  requestId: string;
  order: PaidOrder;
  /** Null when the connection broke, or a proxy says that its replica broke it: nobody knows how the call ended. */
  status: number | null;
  /** Of the X-Request-Cost header. */
  costNanoUsd: bigint | null;
  isReplay: boolean;
  body: string;
  /** On the clock of performance.now(). */
  sentAtMs: number;
  tookMs: number;
}

export interface PaidLoadOptions {
  /** Begins the ids of all calls. */
  name: string;
  accounts: readonly TestAccount[];
  random: SeededRandom;
  /** Who serves at this moment. */
  servers: () => readonly PlainServer[];
}

const GIVEN_UP_AFTER_MS = depth('GIVEN_UP_AFTER_MS', { short: 200_000, deep: 30_000 });
/** As a client would: an overloaded or broken service isn't asked again at once. */
const AFTER_AN_ERROR_MS = 50;
const ASKED_AGAIN_SHARE = 0.15;
const ANSWERED_BUT_ASKED_AGAIN_SHARE = 0.1;

/** Clients that keep a number of paid calls in flight and remember what they were told. */
export class PaidLoad {
  readonly calls: ClientCall[] = [];
  /** Calls with an Idempotency-Key whose clients ask again, because they don't know how theirs ended. */
  readonly unanswered: PaidOrder[] = [];
  /** Calls that were sent and not answered yet. */
  inFlight = 0;
  /** Calls that were answered with 2xx. */
  servedCalls = 0;
  /** Calls that were answered with 5xx. */
  failedCalls = 0;
  private clientsMax = 0;
  private clients = 0;
  private sent = 0;
  private ordered = 0;
  private readonly sentAtMs = new Map<TestAccount, number>();
  private readonly servedBy = new WeakMap<PlainServer, number>();

  constructor(private readonly options: PaidLoadOptions) {}

  /** From now on as many clients make one call after the other; those that are too many end with the call they make. */
  keepCalling(clients: number): void {
    this.clientsMax = clients;
    while (this.clients < clients) {
      this.clients += 1;
      void this.callUntilTooMany();
    }
  }

  async stop(): Promise<void> {
    this.clientsMax = 0;
    await until('the load has ended', () => this.clients === 0, 2 * GIVEN_UP_AFTER_MS);
  }

  /** How many calls this server has answered with 2xx. */
  servedOf(server: PlainServer): number {
    return this.servedBy.get(server) ?? 0;
  }

  /** Whether every account has had a paid call decided that was sent since then, on the clock of performance.now(). */
  isDecidedSince(sinceMs: number): boolean {
    return this.options.accounts.every((account) => (this.sentAtMs.get(account) ?? 0) > sinceMs);
  }

  /** Makes one call, asking another server than the last time where there is one. */
  async call(order: PaidOrder): Promise<ClientCall> {
    const servers = this.options.servers();
    const others = servers.filter((server) => server !== order.lastServer);
    const server = this.options.random.pick(others.length > 0 ? others : servers);
    order.lastServer = server;
    this.inFlight += 1;
    const told = await send(server, order, `${this.options.name}-call-${this.sent++}`);
    this.inFlight -= 1;
    this.calls.push(told);
    this.failedCalls += (told.status ?? 0) >= 500 ? 1 : 0;
    if (isServed(told)) {
      this.servedBy.set(server, this.servedOf(server) + 1);
      this.servedCalls += 1;
    }
    if (isAnswered(told) && order.kind !== 'malformed') {
      this.sentAtMs.set(order.account, told.sentAtMs);
    }
    return told;
  }

  private async callUntilTooMany(): Promise<void> {
    while (this.clients <= this.clientsMax) {
      const told = await this.call(this.nextOrder());
      const isAgain = !isAnswered(told) || this.options.random.next() < ANSWERED_BUT_ASKED_AGAIN_SHARE;
      if (told.order.idempotencyKey !== null && isAgain) {
        this.unanswered.push(told.order);
      }
      if (!isAnswered(told)) {
        await pause(AFTER_AN_ERROR_MS);
      }
    }
    this.clients -= 1;
  }

  private nextOrder(): PaidOrder {
    const { accounts, name, random } = this.options;
    const again = random.next() < ASKED_AGAIN_SHARE ? this.unanswered.shift() : undefined;
    return again ?? newOrder(`${name}-${this.ordered++}`, accounts, random);
  }
}

/** Whether the call was answered with success. */
export function isServed({ status }: ClientCall): boolean {
  return status === 200 || status === 201;
}

/** Whether the client knows how its call ended; a 409 says that an earlier one is still running. */
export function isAnswered({ status }: ClientCall): boolean {
  return status !== null && status < 500 && status !== 409;
}

/** The service names the request in its every answer, a proxy in none of its own. */
function isOfService(headers: Headers): boolean {
  return headers.has('x-request-id');
}

async function send(server: PlainServer, order: PaidOrder, requestId: string): Promise<ClientCall> {
  const sentAtMs = performance.now();
  const told = { requestId, order, sentAtMs, status: null, costNanoUsd: null, isReplay: false, body: '' };
  const headers: Record<string, string> = { 'x-api-key': order.account.key, 'x-request-id': requestId };
  if (order.idempotencyKey !== null) {
    headers['idempotency-key'] = order.idempotencyKey;
  }
  try {
    const signal = AbortSignal.timeout(GIVEN_UP_AFTER_MS);
    const response = await server.post(order.path, order.body, headers, signal);
    const body = await response.text();
    const cost = response.headers.get('x-request-cost');
    return {
      ...told,
      status: isOfService(response.headers) ? response.status : null,
      costNanoUsd: cost === null ? null : parseUsd(cost),
      isReplay: response.headers.get('idempotent-replayed') === 'true',
      body,
      tookMs: performance.now() - sentAtMs,
    };
  } catch {
    return { ...told, tookMs: performance.now() - sentAtMs };
  }
}
