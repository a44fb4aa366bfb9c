import { type DynamicModule, Module, type ModuleMetadata } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { EVENT_TIMERS, OldEvents } from './accounts/accounts.module';
import { SocketMetrics } from './http/sockets/socket.metrics';
import { KernelModule, ServiceOptions } from './kernel.module';
import { Books, LEDGER_TIMERS, Sweeper, UsageUpkeep } from './ledger/ledger.module';
import { AccountModule, AuthModule } from './modules/account/account';
import { AdminModule } from './modules/admin/admin';
import { AdvancedModule } from './modules/advanced/advanced';
import { AgentsModule } from './modules/agents/agents';
import { BillingModule } from './modules/billing/billing';
import { PaymentWorkersModule } from './modules/billing/payment-workers.module';
import { BILLING_TIMERS } from './modules/billing/payment-workers.module';
import { CreativeModule } from './modules/creative/creative';
import { DocsModule } from './modules/docs/docs';
import { DocumentWorkersModule } from './modules/documents/document-workers.module';
import { DocumentsModule } from './modules/documents/documents';
import { KeysModule } from './modules/keys/keys';
import { LegalModule } from './modules/legal/legal';
import { MemoryModule } from './modules/memory/memory';
import { MEMORY_TIMERS } from './modules/memory/memory';
import { MonitoringModule } from './modules/monitoring/monitoring';
import { OmmModule } from './modules/omm/omm';
import { ProfessionalModule } from './modules/professional/professional';
import { RagModule } from './modules/rag/rag';
import { CollaborateGateway } from './modules/rooms/collaborate.gateway';
import { RoomVisitsModule } from './modules/rooms/room-sessions';
import { RealtimeModule } from './modules/rooms/rooms.repository';
import { ROOM_TIMERS } from './modules/rooms/upkeep';
import { ScholarModule } from './modules/scholar/scholar';
import { SearchModule } from './modules/search/search';
import { StoriesModule } from './modules/stories/stories';
import { SupportModule } from './modules/support/support';
import { PricingModule } from './modules/system/system';
import { HealthModule, HubModule, SystemModule } from './modules/system/system';
import { TaskWorkersModule } from './modules/tasks/task-workers.module';
import { TasksModule } from './modules/tasks/tasks';
import { TASK_TIMERS } from './modules/tasks/tasks.repository';
import { V1Module } from './modules/v1/v1';
import { DeliveryWorkersModule } from './modules/webhooks/delivery-workers.module';
import { WebhooksModule } from './modules/webhooks/webhooks';
import { CallsModule } from './pipeline/calls.module';
import { PipelineModule } from './pipeline/http/pipeline.module';
import { Handshakes, OpenSockets, SocketRoutes } from './pipeline/socket/open-sockets';
import { SocketErrorFilter, SocketErrors } from './pipeline/socket/socket-errors';
import { AccountRates, IncomingFrames } from './pipeline/socket/socket.adapter';
import { StreamCalls, StreamGateway } from './pipeline/socket/stream.gateway';
import { Timers } from './work/timers';

/** The API groups, in the order of the document. */
const API_GROUPS = [
  AuthModule,
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
  HealthModule,
];

/** The work that a timer starts and no call does. A process of role `api` leaves it to other processes. */
@Module({
  imports: [ScheduleModule.forRoot(), BillingModule, TasksModule],
  providers: [
    Books,
    OldEvents,
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

/** The WebSockets of the service. A process without HTTP has none. */
@Module({
  imports: [PipelineModule, RoomVisitsModule],
  providers: [
    AccountRates,
    CollaborateGateway,
    Handshakes,
    IncomingFrames,
    OpenSockets,
    SocketErrorFilter,
    SocketErrors,
    SocketMetrics,
    SocketRoutes,
    StreamCalls,
    StreamGateway,
  ],
})
class SocketsModule {}

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
        ...(options.configuration.role === 'api'
          ? []
          : [
              DeliveryWorkersModule,
              DocumentWorkersModule,
              PaymentWorkersModule,
              TaskWorkersModule,
              UpkeepModule,
            ]),
      ],
    };
  }
}

/** What a process of role `worker` runs: the background jobs, and the operations that tasks name, without their routes. */
@Module({})
export class WorkerModule {
  static with(options: ServiceOptions): DynamicModule {
    return {
      module: WorkerModule,
      imports: [
        KernelModule.with(options),
        RealtimeModule,
        CallsModule,
        ...API_GROUPS,
        DeliveryWorkersModule,
        DocumentWorkersModule,
        PaymentWorkersModule,
        TaskWorkersModule,
        UpkeepModule,
      ],
    };
  }
}
