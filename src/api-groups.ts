import { AccountModule } from './modules/account/account.module';
import { AdminModule } from './modules/admin/admin.module';
import { AdvancedModule } from './modules/advanced/advanced.module';
import { AgentsModule } from './modules/agents/agents.module';
import { AuthModule } from './modules/auth/auth.module';
import { DocumentsModule } from './modules/documents/documents.module';
import { CreativeModule } from './modules/creative/creative.module';
import { DocsModule } from './modules/docs/docs.module';
import { HealthModule } from './modules/health/health.module';
import { HubModule } from './modules/hub/hub.module';
import { KeysModule } from './modules/keys/keys.module';
import { LegalModule } from './modules/legal/legal.module';
import { MemoryModule } from './modules/memory/memory.module';
import { MonitoringModule } from './modules/monitoring/monitoring.module';
import { OmmModule } from './modules/omm/omm.module';
import { PaymentsModule } from './modules/payments/payments.module';
import { PricingModule } from './modules/pricing/pricing.module';
import { ProfessionalModule } from './modules/professional/professional.module';
import { RagModule } from './modules/rag/rag.module';
import { ScholarModule } from './modules/scholar/scholar.module';
import { SearchModule } from './modules/search/search.module';
import { StoriesModule } from './modules/stories/stories.module';
import { SupportModule } from './modules/support/support.module';
import { SystemModule } from './modules/system/system.module';
import { TasksModule } from './modules/tasks/tasks.module';
import { V1Module } from './modules/v1/v1.module';
import { WebhooksModule } from './modules/webhooks/webhooks.module';

/** The API groups, in the order of the document. */
export const API_GROUPS = [
  AuthModule,
  KeysModule,
  PaymentsModule,
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
