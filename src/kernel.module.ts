import { DynamicModule, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { JwtSecret } from './accounts/account-tokens';
import { AccountsModule } from './accounts/accounts.module';
import { RateTiers } from './accounts/rate-tiers';
import { TierRates } from './accounts/rate-windows';
import { Configuration, InvalidConfiguration } from './config/configuration';
import { AccountShards } from './database/account-shards';
import { DatabaseUrl } from './database/connection';
import { dataSourceOptions } from './database/data-source';
import { PoolFigures } from './database/database-health';
import { ProcessRegister } from './database/process-register';
import { RedisConnection } from './database/redis-connection';
import { EventsModule } from './events/event-subscriptions';
import { EventDocument } from './events/outbox';
import { FilesModule } from './files/file-readers';
import {
  AddressResolver,
  InputHttp,
  OutboundHttp,
  type OutboundOptions,
  SystemResolver,
  trustedAuthorities,
} from './http/outbound/outbound-http';
import { LedgerModule } from './ledger/ledger.module';
import { PriceList } from './ledger/price-list';
import { ModelsModule } from './models/models.module';
import { ConfirmationRules } from './modules/billing/confirmation-rules';
import type { PaymentChain } from './modules/billing/payment-chain';
import { PaymentChains } from './modules/billing/payment-chains';
import { EventLoopDelay } from './observability/machine-load';
import { Metrics } from './observability/metrics';
import { RecentLatencies } from './observability/recent-latencies';
import { NoTracing, Tracing } from './observability/tracing';
import { RetrievalModule } from './retrieval/retrieval.module';
import { Clock } from './runtime/clock';
import { TextModule } from './text/token-counter';
import { QueueModule } from './work/queue.module';

/** What the application hands to its rooms and features. */
export interface ServiceOptions {
  configuration: Configuration;
  databaseUrl: DatabaseUrl;
  clock: Clock;
  /** Absent where spans go nowhere. */
  tracing?: Tracing;
  /** In the place of those that the configuration names. */
  chains?: readonly PaymentChain[];
  confirmationRules: ConfirmationRules;
  eventDocument: EventDocument;
  jwtSecret: JwtSecret;
  prices: PriceList;
  rateTiers: RateTiers;
}

const MEASURES = [EventLoopDelay, Metrics, PoolFigures, RecentLatencies];

/**
 * The rooms that features stand on, and what the application hands to all: the configuration, the clock, the metrics, the
 * pool of database connections, the connection to Redis, which is null without Redis, the ways out to other hosts, the
 * blockchains that payments are taken on, and the prices.
 */
@Module({})
export class KernelModule {
  static with(options: ServiceOptions): DynamicModule {
    const { configuration, databaseUrl, clock, tracing, chains } = options;
    const shared = [
      { provide: Configuration, useValue: configuration },
      { provide: DatabaseUrl, useValue: databaseUrl },
      { provide: AccountShards, useValue: new AccountShards(configuration.accountShards) },
      { provide: Clock, useValue: clock },
      { provide: ConfirmationRules, useValue: options.confirmationRules },
      { provide: EventDocument, useValue: options.eventDocument },
      { provide: JwtSecret, useValue: options.jwtSecret },
      { provide: PriceList, useValue: options.prices },
      { provide: ProcessRegister, useClass: ProcessRegister },
      { provide: TierRates, useValue: new TierRates(options.rateTiers) },
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
      module: KernelModule,
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
        EventsModule,
        AccountsModule,
        LedgerModule,
        TextModule,
        ModelsModule,
        RetrievalModule,
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
