import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AccountDatabases } from '../database/account-databases';
import { ProcessRegister } from '../database/process-register';
import { ServiceUnavailable } from '../errors/api-errors';
import { CallsInFlight } from './calls-in-flight';
import type { MeteredCall } from './metered-call';

const LOOKED_EVERY_MS = 5;
const ASKED_EVERY_MS = 25;
/** Longer than a move may take. */
const WAITED_MS_MAX = 8_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * While an account is moved to another schema, its new calls wait before they touch anything. Once those that had begun have
 * ended, this process says so; whoever moves the account waits for that.
 */
@Injectable()
export class AccountMoves implements OnModuleInit {
  private readonly waiting = new Set<MeteredCall>();
  /** With one schema nothing is moved. */
  readonly arePossible: boolean;
  /** While it is not known where all accounts are, each call asks where its own is. */
  private isStale = false;

  constructor(
    private readonly databases: AccountDatabases,
    private readonly register: ProcessRegister,
    private readonly inFlight: CallsInFlight,
  ) {
    this.arePossible = databases.all.length > 1;
  }

  /** By now the register hears of changes; what came before is read. */
  async onModuleInit(): Promise<void> {
    if (this.arePossible) {
      this.register.onChange((accountId) => this.learn(accountId));
      await this.learn(null);
    }
  }

  /**
   * A process that is not heard of may have missed where the account is. The call that a part belongs to has been let in, and its
   * end is waited for. @throws ServiceUnavailable after eight seconds
   */
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
    await this.databases.tellDrained(accountId, this.register.id);
  }
}
