import { Inject, Injectable, Module, type OnModuleDestroy } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  type Call,
  healthApi,
  type HealthApi,
  hubApi,
  type HubApi,
  pricingApi,
  type PricingApi,
  systemApi,
  type SystemApi,
} from '../../../generated/contract';
import type {
  Health,
  PriceList,
  PublicPriceList,
  Readiness,
  SystemInfo,
  SystemMetrics,
  SystemResources,
} from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { API_VERSION, Serves } from '../../contract/operation';
import { DatabaseCheck } from '../../database/database-health';
import { CLOCK_DIFFERENCE_MS_MAX, ProcessRegister } from '../../database/process-register';
import { RedisConnection } from '../../database/redis-connection';
import { ApiError } from '../../errors/api-errors';
import { Models } from '../../models/models';
import { Engines } from '../../models/models.module';
import { Upstreams } from '../../models/upstream/upstream-provider';
import { EventLoopDelay, machineShare } from '../../observability/machine-load';
import { LATENCY_WINDOW_SECONDS, RecentLatencies, type RecentLatency } from '../../observability/metrics';
import { Clock } from '../../runtime/clock';
import { inSnakeCase } from '../../runtime/json';
import { TaskCounts } from '../tasks/tasks.repository';
import { TasksModule } from '../tasks/tasks';
import { Features, PricingService } from './features';

const DATABASE_DETAILS = {
  away: 'The database does not answer.',
  'disk full': 'The database cannot write to its disk.',
  'read-only': 'The database takes no writes.',
};

@Injectable()
export class HealthService implements OnModuleDestroy {
  private isDraining = false;
  private readonly databaseCheck: DatabaseCheck;

  constructor(
    database: DataSource,
    private readonly clock: Clock,
    private readonly upstreams: Upstreams,
    private readonly register: ProcessRegister,
    @Inject(RedisConnection) private readonly redis: RedisConnection | null,
  ) {
    this.databaseCheck = new DatabaseCheck(database, clock);
  }

  alive(): Health {
    return { status: 'ok', version: API_VERSION, timestamp: this.clock.now().toISOString() };
  }

  /** The process only finishes its running calls; load balancers must send new ones elsewhere. */
  onModuleDestroy(): void {
    this.isDraining = true;
  }

  async ready(): Promise<Readiness> {
    const readiness = await this.state();
    if (readiness.status !== 'ok') {
      throw new ApiError(503, 'Service Unavailable', 'The service cannot serve calls right now.', {
        fields: { ...readiness },
      });
    }
    return readiness;
  }

  async state(): Promise<Readiness> {
    const database = await this.checkDatabase();
    const checks = [database, checkOf('process', this.isDraining ? 'The process is shutting down.' : null)];
    return {
      ...this.alive(),
      status: checks.every((check) => check.status === 'ok') ? 'ok' : 'unavailable',
      checks: [...checks, ...this.checkClock(), ...this.checkRedis(), ...this.checkUpstreams()],
    };
  }

  /** Never a reason to send calls elsewhere: everything goes by the database's clock. */
  private checkClock(): Check[] {
    const aheadMs = this.register.clockAheadMs;
    if (Math.abs(aheadMs) <= CLOCK_DIFFERENCE_MS_MAX) {
      return [];
    }
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    const detail = `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the database's, which is used.`;
    return [checkOf('clock', detail)];
  }

  /** Never a reason to send calls elsewhere: they are served without Redis too. */
  private checkRedis(): Check[] {
    if (this.redis === null) {
      return [];
    }
    return [checkOf('redis', this.redis.isUsable ? null : 'Rate limits are counted by each process alone.')];
  }

  /** Never a reason to send calls elsewhere: another upstream may answer, and most operations need none. */
  private checkUpstreams(): Check[] {
    return this.upstreams.states().map(({ name, ...state }) => ({ name: `upstream ${name}`, ...state }));
  }

  private async checkDatabase(): Promise<Check> {
    const state = await this.databaseCheck.state();
    return checkOf('database', state === 'ok' ? null : DATABASE_DETAILS[state]);
  }
}

type Check = Readiness['checks'][number];

function checkOf(name: string, fault: string | null): Check {
  return fault === null ? { name, status: 'ok' } : { name, status: 'unavailable', detail: fault };
}

@Serves(healthApi)
class HealthController implements HealthApi {
  constructor(private readonly health: HealthService) {}

  async getLiveness(): Promise<Health> {
    return Promise.resolve(this.health.alive());
  }

  async getReadiness(): Promise<Readiness> {
    return this.health.ready();
  }
}

@Module({ controllers: [HealthController], providers: [HealthService], exports: [HealthService] })
export class HealthModule {}

@Serves(hubApi)
class HubController implements HubApi {
  constructor(private readonly health: HealthService) {}

  async getHubHealth(): Promise<Health> {
    return Promise.resolve(this.health.alive());
  }
}

@Module({ imports: [HealthModule], controllers: [HubController] })
export class HubModule {}

export function latencyRecord({ kind, count, ...latency }: RecentLatency) {
  return {
    rate_class: kind as SystemMetrics['latencies'][number]['rate_class'],
    requests: count,
    ...inSnakeCase(latency, 'p50Ms', 'p95Ms', 'p99Ms'),
  };
}

/** Nothing here may reveal other accounts or where the service runs. */
@Serves(systemApi)
class SystemController implements SystemApi {
  private readonly startedAtMs: number;

  constructor(
    private readonly configuration: Configuration,
    private readonly clock: Clock,
    private readonly features: Features,
    private readonly engines: Engines,
    private readonly latencies: RecentLatencies,
    private readonly eventLoop: EventLoopDelay,
    private readonly tasks: TaskCounts,
  ) {
    this.startedAtMs = clock.now().getTime();
  }

  async getSystemInfo(): Promise<SystemInfo> {
    const [features, engines] = await Promise.all([this.features.list(), this.engines.list()]);
    return {
      version: API_VERSION,
      environment: this.configuration.environment,
      features,
      engines: engines.map((engine) => ({
        ...inSnakeCase(engine, 'provider', 'quality', 'models', 'isAvailable'),
        operations: [...engine.operations],
      })),
    };
  }

  async getSystemMetrics({ account }: Call<'getSystemMetrics'>): Promise<SystemMetrics> {
    const uptimeMs = this.clock.now().getTime() - this.startedAtMs;
    const queue = await this.tasks.of(account.id);
    return {
      uptime_seconds: Math.max(0, Math.floor(uptimeMs / 1000)),
      window_seconds: LATENCY_WINDOW_SECONDS,
      queue: inSnakeCase(queue, 'waiting', 'running', 'ownWaiting', 'ownRunning'),
      latencies: this.latencies.all().map(latencyRecord),
    };
  }

  async getSystemResources(): Promise<SystemResources> {
    const share = machineShare();
    return Promise.resolve({
      ...inSnakeCase(share, 'cores', 'processMemoryBytes', 'heapUsedBytes'),
      load_average_1m: share.loadAverage,
      memory_total_bytes: share.memoryBytes,
      memory_free_bytes: share.freeMemoryBytes,
      event_loop_delay_p99_ms: this.eventLoop.p99Ms(),
    });
  }
}

@Module({
  imports: [TasksModule],
  controllers: [SystemController],
  providers: [Features],
})
export class SystemModule {}

@Serves(pricingApi)
class PricingController implements PricingApi {
  constructor(
    private readonly pricing: PricingService,
    private readonly models: Models,
  ) {}

  async getPricing(): Promise<PriceList> {
    return Promise.resolve(this.pricing.inForce());
  }

  async getPublicPricing(): Promise<PublicPriceList> {
    const models = await this.models.list();
    return {
      ...this.pricing.inForce(),
      models: models.map(({ id, operations }) => ({ id, operations: [...operations] })),
    };
  }
}

@Module({ controllers: [PricingController], providers: [PricingService] })
export class PricingModule {}
