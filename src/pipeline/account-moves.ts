import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountDatabases } from '../database/account-databases';
import { DRAINED } from '../database/account-move';
import { ProcessRegister } from '../database/process-register';
import { ServiceUnavailable } from '../errors/api-errors';
import type { OperationPolicy } from '../contract/operation';
import type { Step } from './admission';
import { CallsInFlight } from './calls-in-flight';
import type { MeteredCall } from './metered-call';

const LOOKED_EVERY_MS = 5;
const WAITED_MS_MAX = 5_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * While an account is moved to another schema, its new calls wait before they touch anything. Once those that had begun have
 * ended, this process says so; whoever moves the account waits for that.
 */
@Injectable()
export class AccountMoves implements Step, OnModuleInit {
  readonly name = 'authentication';
  private readonly waiting = new Set<MeteredCall>();

  constructor(
    private readonly databases: AccountDatabases,
    private readonly register: ProcessRegister,
    private readonly inFlight: CallsInFlight,
  ) {}

  onModuleInit(): void {
    if (this.databases.all.length > 1) {
      this.register.onChange((accountId) => this.learn(accountId));
    }
  }

  /** With one schema nothing is moved. */
  isPassedBy({ auth }: OperationPolicy): boolean {
    return this.databases.all.length > 1 && auth !== 'none';
  }

  /** A process that is not heard of may have missed where the account is. @throws ServiceUnavailable after five seconds */
  run(call: MeteredCall): Promise<void> | void {
    if (this.databases.isMoving(call.accountId) || !this.register.isHeard) {
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
        await delay(LOOKED_EVERY_MS);
      }
    } finally {
      this.waiting.delete(call);
    }
  }

  private async learn(accountId: string | null): Promise<void> {
    await this.databases.readRoutes(accountId);
    if (accountId !== null && this.databases.isMoving(accountId)) {
      void this.drain(accountId).catch(() => undefined);
    }
  }

  private async drain(accountId: string): Promise<void> {
    while (this.inFlight.of(accountId).some((call) => !this.waiting.has(call))) {
      await delay(LOOKED_EVERY_MS);
      if (!this.databases.isMoving(accountId)) {
        return;
      }
    }
    await this.databases.everyone.query('SELECT pg_notify($1, $2)', [
      DRAINED,
      `${accountId} ${this.register.id}`,
    ]);
  }
}
