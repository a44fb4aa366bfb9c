import type { SecureContext } from 'node:tls';
import { DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource } from 'typeorm';
import { AccountsModule, EVENT_TIMERS, EventCleanup } from './accounts/accounts.module';
import { JwtSecret } from './accounts/credentials';
import { RateTiers, TierRates } from './accounts/rate-limiter';
import { Configuration } from './config/configuration';
import { AccountDatabases, openAccountDatabases } from './database/account-databases';
import { DatabaseUrl } from './database/connection-pool';
import { dataSourceOptions } from './database/data-source';
import { PoolFigures } from './database/database-health';
import { ProcessRegister } from './database/process-register';
import { RedisConnection } from './database/redis-connection';
import { EventsModule } from './events/event-subscriptions';
import { EventDocument } from './events/outbox';
import { FilesModule } from './files/file-readers';
import { AddressResolver, InputHttp, OutboundHttp, SystemResolver } from './http/outbound/outbound-http';
import { SocketMetrics } from './http/sockets/client-socket';
import { BalanceCheck, LEDGER_TIMERS, LedgerModule, Sweeper, UsageUpkeep } from './ledger/ledger.module';
import { PriceList } from './ledger/money';
import { ModelsModule } from './models/models.module';
import { AccountModule } from './modules/account/account';
import { AuthModule, ConsoleModule } from './modules/account/auth';
import { AdminModule } from './modules/admin/admin';
import { ReportsModule } from './modules/admin/reports';
import { AdvancedModule } from './modules/advanced/advanced';
import { AgentsModule } from './modules/agents/agents';
import { BILLING_TIMERS, BillingModule } from './modules/billing/billing';
import { ConfirmationRules } from './modules/billing/payment-policy';
import type { PaymentChain } from './modules/billing/payment-chain';
import { PaymentChains } from './modules/billing/payment-chains';
import { CreativeModule } from './modules/creative/creative';
import { DocsModule } from './modules/docs/docs';
import { DocumentsModule, DocumentWorkersModule } from './modules/documents/documents';
import { KeysModule } from './modules/keys/keys';
import { LegalModule } from './modules/legal/legal';
import { MEMORY_TIMERS, MemoryModule } from './modules/memory/memory';
import { MonitoringModule } from './modules/monitoring/monitoring';
import { OmmModule } from './modules/omm/omm';
import { ProfessionalModule } from './modules/professional/professional';
import { RagModule } from './modules/rag/rag';
import { CollaborateGateway } from './modules/rooms/collaborate.gateway';
import { RoomVisitsModule } from './modules/rooms/room-sessions';
import { RealtimeModule, ROOM_TIMERS } from './modules/rooms/rooms.repository';
import { ScholarModule } from './modules/scholar/scholar';
import { SearchModule } from './modules/search/search';
import { StoriesModule } from './modules/stories/stories';
import { SupportModule } from './modules/support/support';
import { HealthModule, HubModule, PricingModule, SystemModule } from './modules/system/system';
import { TasksModule, TaskWorkersModule } from './modules/tasks/tasks';
import { TASK_TIMERS } from './modules/tasks/tasks.repository';
import { V1Module } from './modules/v1/v1';
import { DeliveryWorkersModule, WebhooksModule } from './modules/webhooks/webhooks';
import { EventLoopDelay } from './observability/machine-load';
import { Metrics, RecentLatencies } from './observability/metrics';
import { NoTracing, Tracing } from './observability/tracing';
import { CallsModule } from './pipeline/calls.module';
import { PipelineModule } from './pipeline/http/pipeline.module';
import { OpenSockets, SocketRoutes } from './pipeline/socket/open-sockets';
import { IncomingFrames, SocketErrors } from './pipeline/socket/socket.adapter';
import { StreamGateway } from './pipeline/socket/stream.gateway';
import { RetrievalModule } from './retrieval/rag-retrieval';
import { Clock } from './runtime/clock';
import { TextModule } from './text/token-counter';
import { QueueModule } from './work/queue.module';
import { Timers } from './work/timers';

export interface ServiceOptions {
  configuration: Configuration;
  databaseUrl: DatabaseUrl;
  clock: Clock;
  tracing?: Tracing;
  chains?: readonly PaymentChain[];
  /** Certificate authorities that are trusted for customers' addresses. */
  authorities: SecureContext;
  confirmationRules: ConfirmationRules;
  eventDocument: EventDocument;
  jwtSecret: JwtSecret;
  prices: PriceList;
  rateTiers: RateTiers;
}

const MEASURES = [EventLoopDelay, Metrics, PoolFigures, RecentLatencies];

@Module({})
export class KernelModule {
  static with(options: ServiceOptions): DynamicModule {
    const { configuration, databaseUrl, clock, tracing, chains } = options;
    const shared = [
      { provide: Configuration, useValue: configuration },
      { provide: DatabaseUrl, useValue: databaseUrl },
      {
        provide: AccountDatabases,
        inject: [DataSource],
        useFactory: (main: DataSource) => openAccountDatabases(main, configuration.accountSchemas),
      },
      { provide: Clock, useValue: clock },
      { provide: ConfirmationRules, useValue: options.confirmationRules },
      { provide: EventDocument, useValue: options.eventDocument },
      { provide: JwtSecret, useValue: options.jwtSecret },
      { provide: PriceList, useValue: options.prices },
      { provide: ProcessRegister, useClass: ProcessRegister },
      { provide: TierRates, useValue: new TierRates(options.rateTiers) },
      { provide: Tracing, useValue: tracing ?? new NoTracing() },
      { provide: RedisConnection, useFactory: () => redisOf(configuration) },
      {
        provide: PaymentChains,
        useFactory: () =>
          chains
            ? new PaymentChains(new Map(chains.map((chain) => [chain.currency, chain])))
            : PaymentChains.of(configuration, clock),
      },
      { provide: AddressResolver, useClass: SystemResolver },
      outbound(OutboundHttp, options.authorities, configuration.allowLoopbackWebhooks),
      outbound(InputHttp, options.authorities, configuration.allowLoopbackInputs),
    ];
    return {
      module: KernelModule,
      global: true,
      imports: [
        TypeOrmModule.forRoot({
          ...dataSourceOptions(databaseUrl, configuration.databasePoolSizeMax),
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

async function redisOf(configuration: Configuration): Promise<RedisConnection | null> {
  const { redisUrl: url, redisKeyPrefix: keyPrefix, redisTimeoutMs: timeoutMs } = configuration;
  return url === null ? null : RedisConnection.open({ url, keyPrefix, timeoutMs });
}

function outbound(client: typeof OutboundHttp, authorities: SecureContext, allowLoopback: boolean) {
  const useFactory = (resolver: AddressResolver) => new client({ allowLoopback, resolver, authorities });
  return { provide: client, inject: [AddressResolver], useFactory };
}

const API_GROUPS = [
  AuthModule,
  ConsoleModule,
  KeysModule,
  BillingModule,
  PricingModule,
  AccountModule,
  SupportModule,
  MonitoringModule,
  HubModule,
  MemoryModule,
  AgentsModule,
  RagModule,
  SearchModule,
  TasksModule,
  StoriesModule,
  SystemModule,
  V1Module,
  DocumentsModule,
  AdvancedModule,
  OmmModule,
  LegalModule,
  ProfessionalModule,
  ScholarModule,
  CreativeModule,
  DocsModule,
  WebhooksModule,
  AdminModule,
  ReportsModule,
  HealthModule,
];

@Module({
  imports: [ScheduleModule.forRoot(), BillingModule, TasksModule],
  providers: [
    BalanceCheck,
    EventCleanup,
    Sweeper,
    UsageUpkeep,
    ...Timers.of(
      ...EVENT_TIMERS,
      ...LEDGER_TIMERS,
      ...BILLING_TIMERS,
      ...MEMORY_TIMERS,
      ...ROOM_TIMERS,
      ...TASK_TIMERS,
    ),
  ],
})
class UpkeepModule {}

@Module({
  imports: [PipelineModule, RoomVisitsModule],
  providers: [
    CollaborateGateway,
    IncomingFrames,
    OpenSockets,
    SocketErrors,
    SocketMetrics,
    SocketRoutes,
    StreamGateway,
  ],
})
class SocketsModule {}

/** Processes of role `api` do none of it. */
const BACKGROUND_WORK = [DeliveryWorkersModule, DocumentWorkersModule, TaskWorkersModule, UpkeepModule];

@Module({})
export class AppModule {
  static with(options: ServiceOptions, extraModules: ModuleMetadata['imports'] = []): DynamicModule {
    return {
      module: AppModule,
      imports: [
        KernelModule.with(options),
        RealtimeModule,
        PipelineModule,
        ...API_GROUPS,
        ...extraModules,
        SocketsModule,
        ...(options.configuration.role === 'api' ? [] : BACKGROUND_WORK),
      ],
    };
  }
}

/** For role `worker`: background jobs, and the operations that tasks name, without their routes. */
@Module({})
export class WorkerModule {
  static with(options: ServiceOptions): DynamicModule {
    return {
      module: WorkerModule,
      imports: [KernelModule.with(options), RealtimeModule, CallsModule, ...API_GROUPS, ...BACKGROUND_WORK],
    };
  }
}
