import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { ProcessRegister } from '../../database/process-register';
import { RedisConnection, RedisSubscription } from '../../database/redis-connection';
import { errorText } from '../../errors/api-errors';
import { newId } from '../../runtime/ids';
import { textOf, type RoomKey } from './room';

const CHANNEL = 'rooms';

export type RoomChange = 'events' | 'members';

export interface RoomWatcher {
  changed(room: RoomKey, change: RoomChange): void;
  missed(): void;
}

/** Sent through Redis, or else Postgres; all listen to both. Signals carry no data. */
@Injectable()
export class RoomSignals implements OnApplicationShutdown {
  private readonly logger = new Logger('Rooms');
  private readonly watchers: RoomWatcher[] = [];
  private readonly origin = newId();
  private readonly unsent = new Set<string>();
  private sending: Promise<void> | null = null;
  private readonly subscription: RedisSubscription | null;

  constructor(
    private readonly database: DataSource,
    @Inject(RedisConnection) private readonly redis: RedisConnection | null,
    private readonly register: ProcessRegister,
  ) {
    const heard = (text: string) => this.hear(text);
    const lost = () => this.watchers.forEach((watcher) => watcher.missed());
    register.listen(CHANNEL, heard, lost);
    this.subscription = redis && new RedisSubscription(redis.address, CHANNEL, heard, lost);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.sending;
    this.subscription?.close();
  }

  get areHeard(): boolean {
    return this.register.isHeard && (this.subscription?.isListening ?? true);
  }

  watch(watcher: RoomWatcher): void {
    this.watchers.push(watcher);
  }

  /** After the commit. Sent in batches: a Postgres notification locks the whole database. */
  notify(room: RoomKey, change: RoomChange): void {
    this.unsent.add(`${this.origin} ${change} ${textOf(room)}`);
    this.sending ??= this.sendAll();
  }

  private async sendAll(): Promise<void> {
    while (this.unsent.size > 0) {
      const texts = [...this.unsent];
      this.unsent.clear();
      if (!(await this.publish(texts))) {
        await this.notifyByPostgres(texts);
      }
    }
    // In the same turn as the last check of `unsent`, so that nothing in between is forgotten.
    this.sending = null;
  }

  private async publish(texts: readonly string[]): Promise<boolean> {
    const { redis } = this;
    if (!redis) {
      return false;
    }
    try {
      await Promise.all(texts.map((text) => redis.publish(CHANNEL, text)));
      return true;
    } catch (error) {
      this.logger.warn({ message: 'signals of rooms go through Postgres', error: errorText(error) });
      return false;
    }
  }

  /** A lost signal only delays others. It holds no data, so its commit need not wait for the disk. */
  private async notifyByPostgres(texts: readonly string[]): Promise<void> {
    await this.database
      .query(NOTIFY, [CHANNEL, texts])
      .catch((error: unknown) =>
        this.logger.warn({ message: 'signals of rooms were lost', error: errorText(error) }),
      );
  }

  private hear(text: string): void {
    const [origin, change, accountId, name] = text.split(' ');
    // This process has already notified its own members.
    if (origin !== this.origin && (change === 'events' || change === 'members') && accountId && name) {
      this.watchers.forEach((watcher) => watcher.changed({ accountId, name }, change));
    }
  }
}

const NOTIFY = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, text) FROM unnest($2::text[]) AS text`;
