import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Configuration, InvalidConfiguration } from '../config/configuration';
import type { PaymentChain } from './chain/payment-chain';
import { PaymentChains } from './chain/payment-chains';
import { Clock } from './clock/clock';
import { AccountShards } from './database/account-shards';
import { dataSourceOptions } from './database/data-source-options';
import { DatabaseUrl } from './database/database-url';
import { PoolFigures } from './database/pool-figures';
import { FilesModule } from './files/files.module';
import { EventLoopDelay } from './metrics/event-loop-delay';
import { Metrics } from './metrics/metrics';
import { RecentLatencies } from './metrics/recent-latencies';
import { AddressResolver } from './outbound-http/address-resolver';
import { InputHttp } from './outbound-http/input-http';
import { OutboundHttp, type OutboundOptions } from './outbound-http/outbound-http';
import { SystemResolver } from './outbound-http/system-resolver';
import { trustedAuthorities } from './outbound-http/trusted-authorities';
import { QueueModule } from './queue/queue.module';
import { ProcessRegister } from './processes/process-register';
import { RedisConnection } from './redis/redis-connection';
import { NoTracing, Tracing } from './tracing/span';

export interface InfrastructureOptions {
  configuration: Configuration;
  databaseUrl: DatabaseUrl;
  clock: Clock;
  /** Absent where spans go nowhere. */
  tracing?: Tracing;
  /** In the place of those that the configuration names. */
  chains?: readonly PaymentChain[];
}

const MEASURES = [EventLoopDelay, Metrics, PoolFigures, RecentLatencies];

/**
 * Provides the whole application with the configuration, the clock, the metrics, the pool of database connections, the
 * queues, the connection to Redis, which is null without Redis, the one way to call addresses that customers give, the
 * blockchains that payments are taken on, and what reads and writes files.
 */
@Module({})
export class InfrastructureModule {
  static with({ configuration, databaseUrl, clock, tracing, chains }: InfrastructureOptions): DynamicModule {
    const shared = [
      { provide: Configuration, useValue: configuration },
      { provide: DatabaseUrl, useValue: databaseUrl },
      { provide: AccountShards, useValue: new AccountShards(configuration.accountShards) },
      { provide: Clock, useValue: clock },
      { provide: ProcessRegister, useClass: ProcessRegister },
      { provide: Tracing, useValue: tracing ?? new NoTracing() },
      { provide: RedisConnection, useFactory: () => redisOf(configuration) },
      { provide: PaymentChains, useFactory: () => chainsOf(configuration, clock, chains) },
      { provide: AddressResolver, useClass: SystemResolver },
      {
        provide: OutboundHttp,
        inject: [AddressResolver],
        useFactory: (resolver: AddressResolver) =>
          new OutboundHttp(outboundOptions(configuration, configuration.allowLoopbackWebhooks, resolver)),
      },
      {
        provide: InputHttp,
        inject: [AddressResolver],
        useFactory: (resolver: AddressResolver) =>
          new InputHttp(outboundOptions(configuration, configuration.allowLoopbackInputs, resolver)),
      },
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
        FilesModule,
      ],
      providers: [...shared, ...MEASURES],
      exports: [...shared.map(({ provide }) => provide), ...MEASURES],
    };
  }
}

function chainsOf(
  configuration: Configuration,
  clock: Clock,
  chains: readonly PaymentChain[] | undefined,
): PaymentChains {
  return chains
    ? new PaymentChains(new Map(chains.map((chain) => [chain.currency, chain])))
    : PaymentChains.of(configuration, clock);
}

async function redisOf(configuration: Configuration): Promise<RedisConnection | null> {
  const { redisUrl: url, redisKeyPrefix: keyPrefix, redisTimeoutMs: timeoutMs } = configuration;
  return url === null ? null : RedisConnection.open({ url, keyPrefix, timeoutMs });
}

/** @throws InvalidConfiguration when the file of certificates is of no use */
function outboundOptions(
  { outboundCaFile }: Configuration,
  allowLoopback: boolean,
  resolver: AddressResolver,
): OutboundOptions {
  try {
    return { allowLoopback, resolver, authorities: trustedAuthorities(outboundCaFile) };
  } catch (error) {
    throw new InvalidConfiguration([`OUTBOUND_CA_FILE (${outboundCaFile}): ${(error as Error).message}`]);
  }
}
