import { BullModule } from '@nestjs/bullmq';
import {
  type DynamicModule,
  Injectable,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { DiscoveryModule, DiscoveryService } from '@nestjs/core';
import {
  createIORedisClient,
  type IRedisClient,
  Queue,
  RedisConnection,
  setDefaultBackendFactory,
} from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { Configuration } from '../config/configuration';
import type { DatabaseUrl } from '../database/connection';
import { queueBackend, QueueConnections } from './queue-backend';
import { GracefulWorker, QueueProcessors } from './queue-worker';
import { QueueFaults, QueueMetrics } from './queue.metrics';

/**
 * The client that BullMQ gets for each of its connections to Redis. ioredis leaves the timer of `socketTimeout` running
 * when the connection closes, and it would then cut the next one. So it is taken away with the connection it was for.
 */
const redisClient: NonNullable<typeof RedisConnection.clientFactory> = (options): IRedisClient => {
  const { url = '', ...others } = options as RedisOptions & { url?: string };
  const client = new Redis(url, others);
  client.on('close', () => {
    const timed = client as unknown as { socketTimeoutTimer?: NodeJS.Timeout };
    clearTimeout(timed.socketTimeoutTimer);
    timed.socketTimeoutTimer = undefined;
  });
  return createIORedisClient(client);
};

/** Logs the faults of all queues to which jobs are added. BullMQ writes those that nobody listens for to the console. */
@Injectable()
class WatchedQueues implements OnModuleInit {
  constructor(private readonly discovery: DiscoveryService) {}

  onModuleInit(): void {
    for (const { instance } of this.discovery.getProviders()) {
      const provider = instance as unknown;
      if (provider instanceof Queue) {
        provider.on('error', new QueueFaults(provider.name).report);
      }
    }
  }
}

/** Closes the connections to Postgres that the queues share, after all that uses them; those to Redis BullMQ closes. */
class QueueShutdown implements OnApplicationShutdown {
  constructor(private readonly connection: object) {}

  async onApplicationShutdown(): Promise<void> {
    if (this.connection instanceof QueueConnections) {
      await this.connection.end();
    }
  }
}

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
