import { Module, type DynamicModule } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Configuration, InvalidConfiguration } from '../config/configuration';
import { Clock } from './clock/clock';
import { dataSourceOptions } from './database/data-source-options';
import { DatabaseUrl } from './database/database-url';
import { Metrics } from './metrics/metrics';
import { AddressResolver } from './outbound-http/address-resolver';
import { OutboundHttp } from './outbound-http/outbound-http';
import { SystemResolver } from './outbound-http/system-resolver';
import { trustedAuthorities } from './outbound-http/trusted-authorities';
import { RedisConnection } from './redis/redis-connection';

export interface InfrastructureOptions {
  configuration: Configuration;
  databaseUrl: DatabaseUrl;
  clock: Clock;
}

/**
 * Provides the whole application with the configuration, the clock, the metrics, the pool of database connections, and
 * the connection to Redis, which is null without Redis, and with the one way to call addresses that customers give.
 */
@Module({})
export class InfrastructureModule {
  static with({ configuration, databaseUrl, clock }: InfrastructureOptions): DynamicModule {
    const shared = [
      { provide: Configuration, useValue: configuration },
      { provide: DatabaseUrl, useValue: databaseUrl },
      { provide: Clock, useValue: clock },
      { provide: RedisConnection, useFactory: () => redisOf(configuration) },
      { provide: AddressResolver, useClass: SystemResolver },
      {
        provide: OutboundHttp,
        inject: [AddressResolver],
        useFactory: (resolver: AddressResolver) => outboundHttp(configuration, resolver),
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

/** @throws InvalidConfiguration when the file of certificates is of no use */
function outboundHttp(
  { allowLoopback, outboundCaFile }: Configuration,
  resolver: AddressResolver,
): OutboundHttp {
  try {
    return new OutboundHttp({ allowLoopback, resolver, authorities: trustedAuthorities(outboundCaFile) });
  } catch (error) {
    throw new InvalidConfiguration([`OUTBOUND_CA_FILE (${outboundCaFile}): ${(error as Error).message}`]);
  }
}
