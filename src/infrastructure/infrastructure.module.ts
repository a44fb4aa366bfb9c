import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Configuration } from '../config/configuration';
import { Clock } from './clock/clock';
import { dataSourceOptions } from './database/data-source-options';
import { DatabaseUrl } from './database/database-url';
import { Metrics } from './metrics/metrics';
import { QueueModule } from './queue/queue.module';
import { RedisConnection } from './redis/redis-connection';

export interface InfrastructureOptions {
  configuration: Configuration;
  databaseUrl: DatabaseUrl;
  clock: Clock;
}

/**
 * Provides the whole application with the configuration, the clock, the metrics, the pool of database connections, the
 * queues, and the connection to Redis, which is null without Redis.
 */
@Module({})
export class InfrastructureModule {
  static with({ configuration, databaseUrl, clock }: InfrastructureOptions): DynamicModule {
    const shared = [
      { provide: Configuration, useValue: configuration },
      { provide: DatabaseUrl, useValue: databaseUrl },
      { provide: Clock, useValue: clock },
      { provide: RedisConnection, useFactory: () => redisOf(configuration) },
    ];
    return {
      module: InfrastructureModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(databaseUrl.value, configuration.databasePoolSizeMax),
          autoLoadEntities: true,
          retryAttempts: 5,
          retryDelay: 1000,
        }),
        QueueModule.with(configuration, databaseUrl),
      ],
      providers: [...shared, Metrics],
      exports: [...shared.map(({ provide }) => provide), Metrics],
    };
  }
}

async function redisOf(configuration: Configuration): Promise<RedisConnection | null> {
  const { redisUrl: url, redisKeyPrefix: keyPrefix, redisTimeoutMs: timeoutMs } = configuration;
  return url === null ? null : RedisConnection.open({ url, keyPrefix, timeoutMs });
}
