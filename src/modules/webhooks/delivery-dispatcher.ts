import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { Type } from 'class-transformer';
import { IsArray, ValidateNested } from 'class-validator';
import type { DataSource } from 'typeorm';
import { AccountDatabases } from '../../database/account-databases';
import { ProcessRegister } from '../../database/process-register';
import { chunksOf } from '../../runtime/collections';
import { Clock } from '../../runtime/clock';
import { type Claimed, claimInAll, Dispatcher, type Places } from '../../work/dispatcher';
import { AttemptOrder } from './delivery-attempts.repository';
import * as bounds from './delivery.limits';
import { DeliveryMetrics } from './delivery.metrics';

export interface ClaimedDelivery {
  id: string;
  attempt: number;
  isSlow: boolean;
}

interface Pair {
  receiver: string;
  accountId: string;
}

export const FAST_QUEUE = 'webhook-deliveries';
/** Has workers of its own, so that dead receivers hold up only one another. */
export const SLOW_QUEUE = 'webhook-deliveries-slow';

export class AttemptsJob {
  @IsArray() @ValidateNested({ each: true }) @Type(() => AttemptOrder) attempts!: AttemptOrder[];
}

/** All replicas may run each step at once: they do not see what one has claimed. */
@Injectable()
export class DeliveryDispatcher extends Dispatcher<ClaimedDelivery, Places<Pair>> {
  private readonly afterAccounts = new Map<DataSource, string | null>();

  constructor(
    private readonly databases: AccountDatabases,
    @InjectQueue(FAST_QUEUE) private readonly fastQueue: Queue<AttemptsJob>,
    @InjectQueue(SLOW_QUEUE) private readonly slowQueue: Queue<AttemptsJob>,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
    register: ProcessRegister,
  ) {
    const queues = [fastQueue, slowQueue];
    const jobsWaitingMax = bounds.JOBS_WAITING_MAX;
    super({ kind: 'deliveries', clock, register, channel: 'events', queues, jobsWaitingMax });
  }

  protected override async prepare(): Promise<boolean> {
    let [isFromTheFirst, isMore] = [true, false];
    await this.databases.inEach(async (database) => {
      const after = this.afterAccounts.get(database) ?? null;
      const round = await this.fanOut(database, after);
      this.afterAccounts.set(database, round.last_account);
      isFromTheFirst &&= after === null;
      isMore ||= round.is_more;
    });
    if (isFromTheFirst && !isMore) {
      this.metrics.outboxIsEmpty();
    }
    return isMore || !isFromTheFirst;
  }

  async fanOut(database: DataSource, after: string | null) {
    const [row]: { last_account: string | null; is_more: boolean }[] = await database.query(
      'SELECT * FROM events_fan_out($1, $2, $3, $4)',
      [after, bounds.ACCOUNTS_PER_ROUND_MAX, bounds.EVENTS_PER_ACCOUNT_MAX, this.clock.now()],
    );
    return row ?? { last_account: null, is_more: false };
  }

  override claim(after: Places<Pair> | null): Promise<Claimed<ClaimedDelivery, Places<Pair>>> {
    return claimInAll(this.databases, after, (database, pair) => this.claimIn(database, pair));
  }

  private async claimIn(database: DataSource, after: Pair | null): Promise<Claimed<ClaimedDelivery, Pair>> {
    const [row] = await database.query<ClaimRow[]>(HAND_OVER, [
      this.clock.now(),
      bounds.LEASE_SECONDS,
      after?.receiver ?? null,
      after?.accountId ?? null,
      bounds.PAIRS_PER_ROUND_MAX,
      bounds.LATER_PER_ROUND_MAX,
      bounds.PER_RECEIVER_MAX,
      bounds.PER_ACCOUNT_MAX,
      bounds.FAST_IN_HAND_MAX * this.workers,
      bounds.SLOW_IN_HAND_MAX * this.workers,
    ]);
    if (!row) {
      throw new Error('deliveries_hand_over gave no row');
    }
    const { receiver, accountId, areInHand, lost, ...claimed } = row;
    return {
      ...claimed,
      after: receiver === null || accountId === null ? null : { receiver, accountId },
      isFull: false,
      isQuiet: !row.areKeptBack && !areInHand,
      leasesOver: lost ?? 0,
      isBusy: lost === null,
    };
  }

  protected override lanes(claimed: readonly ClaimedDelivery[]): ClaimedDelivery[][] {
    return [false, true].map((lane) => claimed.filter(({ isSlow }) => isSlow === lane));
  }

  protected async add(claimed: readonly ClaimedDelivery[]): Promise<void> {
    const isSlow = claimed[0]?.isSlow ?? false;
    const orders = claimed.map(({ id, attempt }) => ({ deliveryId: id, attempt }));
    const size = isSlow ? 1 : bounds.FAST_PER_JOB_MAX;
    const jobs = chunksOf(orders, size).map((attempts) => ({ name: 'attempts', data: { attempts } }));
    await (isSlow ? this.slowQueue : this.fastQueue).addBulk(jobs);
    this.metrics.queued(claimed.length);
  }

  protected async putBack(claimed: readonly ClaimedDelivery[]): Promise<void> {
    for (const [database, together] of await this.databases.withEach('deliveries', claimed, ({ id }) => id)) {
      await database.query('SELECT deliveries_put_back($1, $2)', [
        together.map(({ id }) => id),
        together.map(({ attempt }) => attempt),
      ]);
    }
  }
}

const HAND_OVER = `
  SELECT handed AS items, last_receiver AS receiver, last_account AS "accountId", is_more AS "isMore",
    next_due_at AS "nextDueAt", are_kept_back AS "areKeptBack", leases_over AS lost,
    handed::text <> '[]' OR EXISTS (SELECT FROM deliveries WHERE stage = 'handed') AS "areInHand"
  FROM deliveries_hand_over($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

type ClaimRow = Pick<Claimed<ClaimedDelivery, Pair>, 'items' | 'isMore' | 'nextDueAt' | 'areKeptBack'> & {
  receiver: string | null;
  accountId: string | null;
  areInHand: boolean;
  lost: number | null;
};
