import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { Health, Readiness } from '../../../generated/types';
import { API_VERSION } from '../../contract/api-version';
import { ApiError } from '../../core/errors/api-error';
import { Upstreams } from '../../core/models/upstream/upstreams';
import { Clock } from '../../infrastructure/clock/clock';
import { DatabaseCheck } from '../../infrastructure/database/database-check';
import { RedisConnection } from '../../infrastructure/redis/redis-connection';

const DATABASE_DETAILS = {
  away: 'The database does not answer.',
  'disk full': 'The database cannot write to its disk.',
};

/** Whether the process lives, and whether it can serve. */
@Injectable()
export class HealthService implements OnModuleDestroy {
  private isDraining = false;
  private readonly databaseCheck: DatabaseCheck;

  constructor(
    database: DataSource,
    private readonly clock: Clock,
    private readonly upstreams: Upstreams,
    @Inject(RedisConnection) private readonly redis: RedisConnection | null,
  ) {
    this.databaseCheck = new DatabaseCheck(database, clock);
  }

  alive(): Health {
    return { status: 'ok', version: API_VERSION, timestamp: this.clock.now().toISOString() };
  }

  /** From here on the process only finishes the calls it has begun; a load balancer must send new ones elsewhere. */
  onModuleDestroy(): void {
    this.isDraining = true;
  }

  /** @throws ApiError 503 naming what is unavailable */
  async ready(): Promise<Readiness> {
    const checks = [await this.checkDatabase(), this.checkProcess()];
    const status = checks.every((check) => check.status === 'ok')
      ? ('ok' as const)
      : ('unavailable' as const);
    const readiness = {
      ...this.alive(),
      status,
      checks: [...checks, ...this.checkRedis(), ...this.checkUpstreams()],
    };
    if (status !== 'ok') {
      throw new ApiError(503, 'Service Unavailable', 'The service cannot serve calls right now.', {
        fields: { ...readiness },
      });
    }
    return readiness;
  }

  private checkProcess(): Readiness['checks'][number] {
    return this.isDraining
      ? { name: 'process', status: 'unavailable', detail: 'The process is shutting down.' }
      : { name: 'process', status: 'ok' };
  }

  /** Shown, but never a reason to send calls elsewhere: without Redis they are served all the same. */
  private checkRedis(): Readiness['checks'] {
    if (this.redis === null) {
      return [];
    }
    return this.redis.isUsable
      ? [{ name: 'redis', status: 'ok' }]
      : [{ name: 'redis', status: 'unavailable', detail: 'Rate limits are counted by each process alone.' }];
  }

  /** Shown, but never a reason to send calls elsewhere: another upstream may answer, and most operations need none. */
  private checkUpstreams(): Readiness['checks'] {
    return this.upstreams.states().map(({ name, ...state }) => ({ name: `upstream ${name}`, ...state }));
  }

  private async checkDatabase(): Promise<Readiness['checks'][number]> {
    const state = await this.databaseCheck.state();
    return state === 'ok'
      ? { name: 'database', status: 'ok' }
      : { name: 'database', status: 'unavailable', detail: DATABASE_DETAILS[state] };
  }
}
