import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { ApiKeyExpired, TokenExpired } from '../accounts/credentials';
import { AccountDatabases } from '../database/account-databases';
import { ENDED_WITHIN_MS } from '../database/process-statements';
import { ProcessRegister } from '../database/process-register';
import { type ApiError, ServiceUnavailable, ShuttingDown } from '../errors/api-errors';
import { Ledger } from '../ledger/ledger';
import { Clock } from '../runtime/clock';
import { PassingMap } from '../runtime/collections';
import { Credentials } from './credentials';
import type { EndObserver, MeteredCall } from './metered-call';

export const DRAIN_MS_MAX = 25_000;
/** When a shutdown breaks off open streams: the rest of DRAIN_MS_MAX is for settling them. */
const STREAMS_BROKEN_OFF_AFTER_MS = 20_000;
const RETRY_AFTER_SECONDS = 1;
const LOOKED_EVERY_MS = 5;

/** Makes a shutdown wait for calls: a settlement needs the database after its connection closed. */
@Injectable()
export class CallsInFlight implements EndObserver, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly logger = new Logger('Shutdown');
  private readonly calls = new PassingMap<MeteredCall>();
  private draining = false;
  private isBreakingOff = false;
  private lastEnded: () => void = () => undefined;
  private drained: Promise<void> = Promise.resolve();

  begin(call: MeteredCall): void {
    if (this.draining) {
      throw new ShuttingDown();
    }
    this.calls.set(call.id, call);
    call.onEnd(this);
  }

  ended(call: MeteredCall): void {
    this.calls.delete(call.id);
    if (this.calls.size === 0) {
      this.lastEnded();
    }
  }

  of(accountId: string | null): MeteredCall[] {
    return [...this.calls.values()].filter(
      ({ credential }) =>
        'account' in credential && (accountId === null || credential.account.id === accountId),
    );
  }

  has(call: MeteredCall): boolean {
    return this.calls.has(call.id);
  }

  streamBegins(call: MeteredCall): void {
    call.isStreaming = true;
    if (this.isBreakingOff) {
      breakOff(call);
    }
  }

  /** Answers that have not begun will end their connections, so that no further call comes there. */
  endConnections(): void {
    for (const { transport } of this.calls.values()) {
      transport.setHeaders({ connection: 'close' });
    }
  }

  /** Starts all times now: Nest asks modules in turn, and an earlier one may wait for a socket. */
  onModuleDestroy(): void {
    this.draining = true;
    this.drained = this.drain();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.drained;
  }

  private async drain(): Promise<void> {
    if (this.calls.size === 0) {
      return;
    }
    const timers: NodeJS.Timeout[] = [];
    await new Promise<void>((resolve) => {
      this.lastEnded = resolve;
      timers.push(setTimeout(resolve, DRAIN_MS_MAX));
      const breakStreamsOff = () => {
        this.isBreakingOff = true;
        [...this.calls.values()].filter(({ isStreaming }) => isStreaming).forEach(breakOff);
      };
      timers.push(setTimeout(breakStreamsOff, STREAMS_BROKEN_OFF_AFTER_MS));
    });
    timers.forEach(clearTimeout);
    if (this.calls.size > 0) {
      this.logger.warn({
        message: 'calls were cut off; their reservations will be swept',
        count: this.calls.size,
      });
    }
  }
}

function breakOff(call: MeteredCall): void {
  call.abort(
    new ServiceUnavailable(
      'The service is shutting down. What was delivered is charged.',
      RETRY_AFTER_SECONDS,
    ),
  );
}

/**
 * Ends an ended credential's calls before the change is acknowledged, so that nothing is charged later. Streams and the
 * work of models break off, and what was delivered is charged. A key's other work gets a second; a token's goes on, for
 * it may be what ends the token.
 */
@Injectable()
export class EndedCredentials implements OnModuleInit {
  constructor(
    private readonly inFlight: CallsInFlight,
    private readonly credentials: Credentials,
    private readonly register: ProcessRegister,
    private readonly ledger: Ledger,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.register.onChange((accountId) => this.end(accountId));
  }

  private async end(accountId: string | null): Promise<void> {
    const endMs = performance.now() + ENDED_WITHIN_MS;
    const calls = this.inFlight.of(accountId);
    const refusals = new Map<string, Promise<ApiError | null>>();
    const refusalOf = (call: MeteredCall) => {
      const shown = JSON.stringify([call.credential.kind, call.transport.caller]);
      const refusal = refusals.get(shown) ?? this.refusalOf(call);
      refusals.set(shown, refusal);
      return refusal;
    };
    const judged = await Promise.all(calls.map(async (call) => ({ call, refusal: await refusalOf(call) })));
    const ended = judged
      .filter(({ call, refusal }) => refusal !== null && this.stop(call, refusal))
      .map(({ call }) => call);
    const left = () => ended.filter((call) => this.inFlight.has(call) && call.isWorking);
    while (left().length > 0 && performance.now() < endMs) {
      await delay(LOOKED_EVERY_MS);
    }
    await Promise.all(left().map((call) => this.endUncharged(call)));
  }

  /** A paid call that goes on is not charged, and stores nothing if it heeds its signal. */
  private async endUncharged(call: MeteredCall): Promise<void> {
    const { id: callId, accountId, policy, refusal } = call;
    if (policy.price !== null && refusal) {
      call.onOverdue?.(refusal);
      const nothing = { chargeNanoUsd: 0n, status: null, inputTokens: 0, outputTokens: 0, answer: null };
      await this.ledger.settle({ callId, accountId, outcome: 'expired', now: this.clock.now(), ...nothing });
    }
  }

  /** Expiry ends no call that began before it. */
  private async refusalOf({ credential, transport }: MeteredCall): Promise<ApiError | null> {
    const now = await this.credentials.again(transport, credential.kind === 'key' ? 'key' : 'jwt');
    const hasEnded =
      now.kind === 'refused' && !(now.error instanceof ApiKeyExpired || now.error instanceof TokenExpired);
    return hasEnded ? now.error : null;
  }

  private stop(call: MeteredCall, refusal: ApiError): boolean {
    const { isStreaming } = call;
    if (call.credential.kind === 'token' && call.isWorking && !isStreaming && call.onRefused === null) {
      return false;
    }
    call.refuse(refusal);
    if (isStreaming) {
      call.abort(refusal);
    }
    return true;
  }
}

const ASKED_EVERY_MS = 25;
/** Longer than a move may take. */
const WAITED_MS_MAX = 8_000;

/** An account's new calls wait during its move, which waits for the running ones of each process. */
@Injectable()
export class AccountMoves implements OnModuleInit {
  private readonly waiting = new Set<MeteredCall>();
  readonly arePossible: boolean;
  /** While unsure where all accounts are, each call asks for its own. */
  private isStale = false;

  constructor(
    private readonly databases: AccountDatabases,
    private readonly register: ProcessRegister,
    private readonly inFlight: CallsInFlight,
  ) {
    this.arePossible = databases.all.length > 1;
  }

  async onModuleInit(): Promise<void> {
    if (this.arePossible) {
      this.register.onChange((accountId) => this.learn(accountId));
      await this.learn(null);
    }
  }

  /** A silent process may have missed a move. A move waits for the outer call of a part. @throws ServiceUnavailable */
  letIn(call: MeteredCall): Promise<void> | void {
    const mayWait = this.isStale || this.databases.isMoving(call.accountId) || !this.register.isHeard;
    if (mayWait && !call.terms.isPart) {
      return this.wait(call, call.accountId);
    }
  }

  private async wait(call: MeteredCall, accountId: string): Promise<void> {
    const deadlineMs = performance.now() + WAITED_MS_MAX;
    this.waiting.add(call);
    try {
      await this.databases.readRoutes(accountId);
      while (this.databases.isMoving(accountId)) {
        if (performance.now() > deadlineMs) {
          throw new ServiceUnavailable('The account is being moved; call again.', RETRY_AFTER_SECONDS);
        }
        await delay(ASKED_EVERY_MS);
        await this.databases.readRoutes(accountId);
      }
    } finally {
      this.waiting.delete(call);
    }
  }

  private async learn(accountId: string | null): Promise<void> {
    this.isStale ||= accountId === null;
    await this.databases.readRoutes(accountId);
    if (accountId === null) {
      this.isStale = false;
    } else if (this.databases.isMoving(accountId)) {
      void this.drain(accountId).catch(() => undefined);
    }
  }

  private async drain(accountId: string): Promise<void> {
    const version = this.databases.versionOf(accountId);
    while (this.inFlight.of(accountId).some((call) => !this.waiting.has(call))) {
      await delay(LOOKED_EVERY_MS);
      if (this.databases.versionOf(accountId) !== version) {
        return;
      }
    }
    await this.databases.notifyDrained(accountId, this.register.id);
  }
}
