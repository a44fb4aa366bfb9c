import { BullModule } from '@nestjs/bullmq';
import { Module, type DynamicModule } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { RedisConnection, setDefaultBackendFactory } from 'bullmq';
import type { Configuration } from '../../config/configuration';
import type { DatabaseUrl } from '../database/database-url';
import { GracefulWorker } from './graceful-worker';
import { queueBackend } from './queue-backend';
import { QueueConnections } from './queue-connections';
import { QueueMetrics } from './queue-metrics';
import { QueueProcessors } from './queue-processors';
import { QueueShutdown } from './queue-shutdown';
import { redisClient } from './redis-client';
import { WatchedQueues } from './watched-queues';

/**
 * The queues of the whole application. Here alone it is decided where they are: in Redis where there is one, else in
 * the service's own Postgres. Whoever needs a queue imports `BullModule.registerQueue({ name })` and adds jobs to it;
 * a class with `@Processor(name)` works them off, in processes that start QueueProcessors.
 */
@Module({})
export class QueueModule {
  static with(configuration: Configuration, databaseUrl: DatabaseUrl): DynamicModule {
    setDefaultBackendFactory(queueBackend);
    RedisConnection.clientFactory = redisClient;
    BullModule.workerClass = GracefulWorker;
    const { redisUrl, redisKeyPrefix } = configuration;
    const connection = redisUrl === null ? new QueueConnections(databaseUrl.value) : { url: redisUrl };
    return {
      module: QueueModule,
      global: true,
      imports: [
        DiscoveryModule,
        // Without any queue it brings what finds the processors.
        BullModule.registerQueue(),
        BullModule.forRoot({
          connection: connection,
          prefix: `${redisKeyPrefix}queue`,
          // Nothing reads the length of BullMQ's own log of events, which each start would write.
          skipMetasUpdate: true,
          // What was done, and what failed for good, is told by the tables of whoever added the job. A job that stayed
          // would keep another of the same id from being added.
          defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
          extraOptions: { manualRegistration: true },
        }),
      ],
      providers: [
        QueueMetrics,
        QueueProcessors,
        WatchedQueues,
        { provide: QueueShutdown, useValue: new QueueShutdown(connection) },
      ],
      exports: [QueueProcessors],
    };
  }
}
