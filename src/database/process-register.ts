import {
  Injectable,
  Logger,
  type OnApplicationShutdown,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DataSource, type EntityManager } from 'typeorm';
import { DatabaseAway, ServiceUnavailable } from '../errors/api-errors';
import { Metrics } from '../observability/metrics';
import { Clock, DatabaseClock } from '../runtime/clock';
import { FairConcurrencyLimit } from '../runtime/concurrency-limit';
import { newId } from '../runtime/ids';
import {
  ACCESS_CHANGED,
  ACKNOWLEDGED,
  type Announce,
  announcing,
  type Heartbeat,
  HEARTBEAT,
  LEAVE,
  REGISTER,
  RESIGN,
  untilKnown,
  VALID_FOR_MS,
} from './process-statements';
import { AccountDatabases } from './account-databases';
import { ANSWER_WITHIN_MS, DatabaseUrl } from './connection-pool';
import { SchemaPresence } from './schema-places';
import { SessionConnection } from './session-connection';

/** Two fit into RELIED_ON_FOR_MS, so that one may fail. */
const HEARTBEAT_EVERY_MS = 850;
const AGAIN_AFTER_MS = 200;
/** How long a heartbeat is relied on, from its sending: less than others wait. */
const RELIED_ON_FOR_MS = 1_800;
/** Changes of an account wait for its locks, each with a connection, so few run at once. */
const TURNS = {
  accountAtOnceMax: 4,
  waitingMax: 10_000,
  accountWaitingMax: 1_000,
  waitMsMax: ANSWER_WITHIN_MS,
};
const RETRY_AFTER_SECONDS = 1;
/** A larger difference is a fault of the machine. */
export const CLOCK_DIFFERENCE_MS_MAX = 2_000;

/** @param accountId null where it is unknown which accounts have changed */
type Watcher = (accountId: string | null) => Promise<void> | void;

/**
 * Taking a right away waits until each process acknowledged it or was silent for two seconds (`changing`). A
 * heartbeat is relied on for less; without one a process asks the database, and forgets all before it caches
 * again (`isHeard`). Times are the database's.
 */
@Injectable()
export class ProcessRegister implements OnModuleInit, OnModuleDestroy, OnApplicationShutdown {
  /** New for each start, and after others ended this process. */
  id = newId();
  private isRegistered = false;
  /** Whether this is the one working process that does what only one has to do. */
  isLeading = false;
  workers = 1;
  private works = false;
  /** Milliseconds this machine's clock is ahead of the database's; negative when behind. */
  clockAheadMs = 0;
  private readonly logger = new Logger(ProcessRegister.name);
  private readonly watchers: Watcher[] = [];
  private readonly endWatchers: (() => void)[] = [];
  private readonly listeners = new Map<string, ((payload: string) => void)[]>();
  private readonly missedWatchers: (() => void)[] = [];
  private readonly waiting = new Map<string, (processId: string) => void>();
  private readonly session: SessionConnection;
  private readonly presence: SchemaPresence | null;
  private reliedOnUntilMs = -Infinity;
  /** By the machine's clock, which runs on while a virtual machine is suspended. */
  private reliedOnUntilTimeMs = -Infinity;
  private readonly changes = new KnownChanges();
  private readonly turns = new FairConcurrencyLimit(
    TURNS,
    () => new ServiceUnavailable('Too many changes of this account wait; call again.', RETRY_AFTER_SECONDS),
  );
  private timer: NodeJS.Timeout | null = null;
  private beating: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    url: DatabaseUrl,
    private readonly database: DataSource,
    private readonly clock: Clock,
    metrics: Metrics,
    private readonly accounts: AccountDatabases,
  ) {
    this.listen(ACCESS_CHANGED, (payload) => this.learn(payload));
    this.listen(ACKNOWLEDGED, (payload) => {
      const [changeId = '', processId = ''] = payload.split(' ');
      this.waiting.get(changeId)?.(processId);
    });
    const heard = (channel: string, payload: string) => this.hear(channel, payload);
    this.session = new SessionConnection(url.session, this.listeners, { heard, missed: () => this.miss() });
    const ofSchemas = {
      heard,
      missed: () => this.missedWatchers.forEach((missed) => missed()),
      ended: (id: string) => id === this.id && this.becomeAnother(),
    };
    const { places } = accounts;
    this.presence = places && new SchemaPresence(places, database, this.listeners, ofSchemas);
    metrics.gauge(
      'clock_ahead_seconds',
      "By how much this machine's clock is ahead of the database's.",
      () => this.clockAheadMs / 1000,
    );
  }

  async onModuleInit(): Promise<void> {
    await this.beat();
    await this.presence?.beat(this.id);
  }

  /** Hands the lead over while this process's calls end. */
  onModuleDestroy(): void {
    this.works = false;
    if (this.isLeading) {
      this.isLeading = false;
      this.session.query(RESIGN, []).catch(() => undefined);
    }
  }

  /** On failure the process counts as silent. */
  async onApplicationShutdown(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer ?? undefined);
    await this.beating;
    this.reliedOnUntilMs = -Infinity;
    await this.presence?.leave(this.id);
    if (this.session.isOpen) {
      await this.tried(() => this.session.query(LEAVE, [this.id]));
      await this.session.close();
    }
  }

  /** Whether caches may be used: no change can have been acknowledged without this process. */
  get isHeard(): boolean {
    return performance.now() < this.reliedOnUntilMs && Date.now() < this.reliedOnUntilTimeMs;
  }

  /** For changes of keys, tokens or accounts. Acknowledged when the watcher's promise resolves. */
  onChange(watcher: Watcher): void {
    this.watchers.push(watcher);
  }

  /** Call before the first heartbeat. `missed` runs after a possible gap, and when this process leads. */
  listen(channel: string, heard: (payload: string) => void, missed?: () => void): void {
    this.listeners.set(channel, [...(this.listeners.get(channel) ?? []), heard]);
    this.missedWatchers.push(...(missed ? [missed] : []));
  }

  /** From now on this process works and may lead. When its connection ends, another one soon leads. */
  async work(): Promise<void> {
    this.works = true;
    await this.beat();
  }

  get isFollowing(): boolean {
    return this.works && !this.isLeading;
  }

  /** Called when others have ended this process for its silence; it goes on under a new id. */
  onEnded(watcher: () => void): void {
    this.endWatchers.push(watcher);
  }

  async renew(endedId: string): Promise<void> {
    if (endedId === this.id && this.isRegistered) {
      this.becomeAnother();
    }
    await this.beating;
    if (!this.isRegistered) {
      await this.beat();
    }
    await this.presence?.beat(this.id);
  }

  private becomeAnother(): void {
    this.logger.warn({ message: 'others have ended this process, which was not heard of in time' });
    this.id = newId();
    this.isRegistered = false;
    this.reliedOnUntilMs = -Infinity;
    this.endWatchers.forEach((watcher) => watcher());
    void this.notifyWatchers(null);
  }

  /**
   * On return no process grants the right.
   * @throws DatabaseAway if that is uncertain after ten seconds, though the change is made;
   * ServiceUnavailable for too many changes of the account, without a change
   */
  async changing<Result>(namedId: string, change: (announce: Announce) => Promise<Result>): Promise<Result> {
    // Caches have ids in lower case, as Postgres writes them.
    const accountId = namedId.toLowerCase();
    const id = newId();
    const knownBy = new Set<string>();
    const waiting = new Set<() => void>();
    this.waiting.set(id, (processId) => {
      knownBy.add(processId);
      waiting.forEach((wake) => wake());
    });
    try {
      const result = await this.turns.within(accountId, () => change(announcing(accountId, id)));
      if (!(await this.notifyWatchers(accountId))) {
        throw new DatabaseAway();
      }
      await untilKnown(this.database, this.id, knownBy, waiting);
      return result;
    } finally {
      this.waiting.delete(id);
    }
  }

  /** As `changing`, in a transaction of the account's schema. */
  changingWithin<Result>(
    accountId: string,
    change: (manager: EntityManager, announce: Announce) => Promise<Result>,
  ): Promise<Result> {
    return this.changing(accountId, (announce) =>
      this.accounts.of(accountId).transaction((manager) => change(manager, announce)),
    );
  }

  current<Row extends { accountId: string }>(statement: string, values: unknown[]): Promise<Row | null> {
    return this.changes.current(() => this.accounts.find<Row>(statement, values));
  }

  /** For changes that take no right away, which nobody waits for. */
  announcing(accountId: string): Announce {
    return announcing(accountId.toLowerCase(), newId());
  }

  private async notifyWatchers(accountId: string | null): Promise<boolean> {
    this.changes.add(accountId);
    const notified = this.watchers.map(async (watcher) => watcher(accountId));
    const failed = (await Promise.allSettled(notified)).filter((result) => result.status === 'rejected');
    failed.forEach(({ reason }) =>
      this.logger.error({ message: 'a change of access was not carried out', error: String(reason) }),
    );
    return failed.length === 0;
  }

  private hear(channel: string, payload: string): void {
    this.listeners.get(channel)?.forEach((heard) => heard(payload));
  }

  private learn(payload: string): void {
    const [changeId = '', accountId = ''] = payload.split(' ');
    // A change of its own, which it has carried out already.
    if (this.waiting.has(changeId)) {
      return;
    }
    const acknowledgement = [ACKNOWLEDGED, `${changeId} ${this.id}`];
    const acknowledge = async (): Promise<void> => {
      if (await this.notifyWatchers(accountId)) {
        await this.session.query('SELECT pg_notify($1, $2)', acknowledgement);
      }
    };
    // A connection that broke meanwhile carries no heartbeat either.
    acknowledge().catch(() => undefined);
  }

  private miss(): void {
    this.reliedOnUntilMs = -Infinity;
    this.isLeading = false;
    if (!this.isStopped) {
      this.missedWatchers.forEach((missed) => missed());
    }
  }

  private beat(): Promise<void> {
    this.beating = this.beating
      .then(() => this.heartbeat())
      .then((afterMs) => {
        clearTimeout(this.timer ?? undefined);
        if (!this.isStopped) {
          this.timer = setTimeout(() => void this.beat(), afterMs).unref();
        }
      });
    return this.beating;
  }

  /** Never throws: it is retried, and others judge by silence. @returns milliseconds to the next */
  private async heartbeat(): Promise<number> {
    let afterMs = AGAIN_AFTER_MS;
    await this.tried(async () => {
      const [sentMs, sentTimeMs] = [performance.now(), Date.now()];
      const rereads = !this.isHeard;
      const own = [this.id, this.isFollowing, this.works];
      const [beat] = this.isRegistered
        ? await this.session.query<Heartbeat>(HEARTBEAT, [...own, rereads])
        : await this.session.query<Heartbeat>(REGISTER, own);
      if (beat?.leads) {
        this.isLeading = true;
        this.missedWatchers.forEach((missed) => missed());
      }
      if (!beat) {
        this.becomeAnother();
        afterMs = 0;
        return;
      }
      this.isRegistered = true;
      void this.presence?.beat(this.id);
      this.workers = Math.max(1, beat.workers);
      this.setClock(beat.now_ms, sentMs, performance.now());
      // Relied on for too long: the next heartbeat says that all is reread.
      if (beat.must_reread || (!rereads && !this.isHeard)) {
        this.reliedOnUntilMs = -Infinity;
        await this.notifyWatchers(null);
        afterMs = 0;
        return;
      }
      if (rereads) {
        void this.notifyWatchers(null);
      }
      this.reliedOnUntilMs = sentMs + RELIED_ON_FOR_MS;
      this.reliedOnUntilTimeMs = sentTimeMs + RELIED_ON_FOR_MS;
      afterMs = HEARTBEAT_EVERY_MS;
    });
    return afterMs;
  }

  private setClock(databaseMs: number, sentMs: number, receivedMs: number): void {
    const halfMs = (receivedMs - sentMs) / 2;
    this.clockAheadMs = Date.now() - (databaseMs + halfMs);
    if (this.clock instanceof DatabaseClock) {
      this.clock.set(databaseMs - sentMs - halfMs, halfMs);
    }
  }

  private async tried(work: () => Promise<unknown>): Promise<void> {
    await this.session.within(VALID_FOR_MS, work).catch((error: unknown) => {
      this.logger.debug({ message: 'a heartbeat of this process failed', error: String(error) });
    });
  }
}

const ACCOUNTS_MAX = 10_000;

/** Changes this process heard of, so that what was read meanwhile is read again. */
class KnownChanges {
  private count = 0;
  private lastOfAll = 0;
  private readonly lastOf = new LRUCache<string, number>({
    max: ACCOUNTS_MAX,
    dispose: (change, _, reason) => {
      if (reason === 'evict') {
        this.lastOfAll = Math.max(this.lastOfAll, change);
      }
    },
  });

  add(accountId: string | null): void {
    this.count += 1;
    if (accountId === null) {
      this.lastOfAll = this.count;
    } else {
      this.lastOf.set(accountId, this.count);
    }
  }

  /** A change counts from its acknowledgement on, so reads during one are repeated. */
  async current<Row extends { accountId: string }>(read: () => Promise<Row[]>): Promise<Row | null> {
    for (;;) {
      const began = this.count;
      const [row] = await read();
      if (!row || Math.max(this.lastOfAll, this.lastOf.get(row.accountId) ?? 0) <= began) {
        return row ?? null;
      }
    }
  }
}
