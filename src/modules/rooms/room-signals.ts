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
  /** Signals may have been missed. */
  missed(): void;
}

/** Through Redis where it works, else through Postgres; all listen to both. What happened in the room is read. */
@Injectable()
export class RoomSignals implements OnApplicationShutdown {
  private readonly logger = new Logger('Rooms');
  private readonly watchers: RoomWatcher[] = [];
  private readonly origin = newId();
  private readonly untold = new Set<string>();
  private telling: Promise<void> | null = null;
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
    await this.telling;
    this.subscription?.close();
  }

  get areHeard(): boolean {
    return this.register.isHeard && (this.subscription?.isListening ?? true);
  }

  watch(watcher: RoomWatcher): void {
    this.watchers.push(watcher);
  }

  /** Of a committed change. What is told at once leaves together: a notification takes a lock of the whole database. */
  tell(room: RoomKey, change: RoomChange): void {
    this.untold.add(`${this.origin} ${change} ${textOf(room)}`);
    this.telling ??= this.tellAll();
  }

  private async tellAll(): Promise<void> {
    while (this.untold.size > 0) {
      const texts = [...this.untold];
      this.untold.clear();
      if (!(await this.publish(texts))) {
        await this.notify(texts);
      }
    }
    // In the same turn as the last look at what is untold, so that nothing is told in between and forgotten.
    this.telling = null;
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

  /** A signal that can't be given costs others time only. It holds no data, so its commit need not wait for the disk. */
  private async notify(texts: readonly string[]): Promise<void> {
    await this.database
      .query(NOTIFY, [CHANNEL, texts])
      .catch((error: unknown) =>
        this.logger.warn({ message: 'signals of rooms were lost', error: errorText(error) }),
      );
  }

  private hear(text: string): void {
    const [origin, change, accountId, name] = text.split(' ');
    // What this process changed it has told its own members itself.
    if (origin !== this.origin && (change === 'events' || change === 'members') && accountId && name) {
      this.watchers.forEach((watcher) => watcher.changed({ accountId, name }, change));
    }
  }
}

const NOTIFY = `
  SELECT set_config('synchronous_commit', 'off', true), pg_notify($1, text) FROM unnest($2::text[]) AS text`;
