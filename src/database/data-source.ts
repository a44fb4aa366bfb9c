import pg from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { SnakeCaseNames } from './columns';
import { ANSWER_WITHIN_MS, DeadlineClient, KEEP_ALIVE_AFTER_MS, STATEMENT_MS_MAX } from './connection';
import { PatientPool } from './connection-pool';
import { AccountsKeysLedger1763700000000 } from './migrations/1763700000000-accounts-keys-ledger';
import { LedgerFunctions1763700100000 } from './migrations/1763700100000-ledger-functions';
import { Memories1763700200000 } from './migrations/1763700200000-memories';
import { LedgerFlush1764100000000 } from './migrations/1764100000000-ledger-flush';
import { UsageRollUps1764200000000 } from './migrations/1764200000000-usage-roll-ups';
import { CallsPartitions1764200100000 } from './migrations/1764200100000-calls-partitions';
import { Agents1764300000000 } from './migrations/1764300000000-agents';
import { InstalledFunctions1764400000000 } from './migrations/1764400000000-installed-functions';
import { ReplacedSecrets1764500000000 } from './migrations/1764500000000-replaced-secrets';
import { EmailForms1764500100000 } from './migrations/1764500100000-email-forms';
import { ClientRequestIds1764600000000 } from './migrations/1764600000000-client-request-ids';
import { EventsWebhooks1764700000000 } from './migrations/1764700000000-events-webhooks';
import { Sightings1764700100000 } from './migrations/1764700100000-sightings';
import { Payments1764800000000 } from './migrations/1764800000000-payments';
import { Rag1764900000000 } from './migrations/1764900000000-rag';
import { RagVectors1764900100000 } from './migrations/1764900100000-rag-vectors';
import { SearchItems1764900200000 } from './migrations/1764900200000-search-items';
import { Stories1764900300000 } from './migrations/1764900300000-stories';
import { Tasks1764900400000 } from './migrations/1764900400000-tasks';
import { MemoriesSample1764900500000 } from './migrations/1764900500000-memories-sample';
import { Documents1764900600000 } from './migrations/1764900600000-documents';
import { DocumentBounds1764900650000 } from './migrations/1764900650000-document-bounds';
import { Rooms1764900700000 } from './migrations/1764900700000-rooms';
import { AdminActions1764900710000 } from './migrations/1764900710000-admin-actions';
import { Causes1765000100000 } from './migrations/1765000100000-causes';
import { RoomKeys1765000200000 } from './migrations/1765000200000-room-keys';
import { AccountStatistics1765000300000 } from './migrations/1765000300000-account-statistics';
import { DocumentsInTurns1765000400000 } from './migrations/1765000400000-documents-in-turns';
import { ForgottenRooms1765000500000 } from './migrations/1765000500000-forgotten-rooms';
import { StoredBytes1765000600000 } from './migrations/1765000600000-stored-bytes';
import { LoginAddresses1765000700000 } from './migrations/1765000700000-login-addresses';
import { Processes1765000800000 } from './migrations/1765000800000-processes';

/**
 * How TypeORM connects to the database. It never changes the schema by itself: only migrate() runs migrations. A
 * connection and the answer of a statement are waited for within five seconds (`deadlines.ts`); withLongStatements()
 * gives statements more time.
 * @param poolSizeMax how many connections are open at most
 */
export function dataSourceOptions(url: string, poolSizeMax: number): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    poolSize: poolSizeMax,
    migrations: [
      AccountsKeysLedger1763700000000,
      LedgerFunctions1763700100000,
      Memories1763700200000,
      LedgerFlush1764100000000,
      UsageRollUps1764200000000,
      CallsPartitions1764200100000,
      Agents1764300000000,
      InstalledFunctions1764400000000,
      ReplacedSecrets1764500000000,
      EmailForms1764500100000,
      ClientRequestIds1764600000000,
      EventsWebhooks1764700000000,
      Sightings1764700100000,
      Payments1764800000000,
      Rag1764900000000,
      RagVectors1764900100000,
      SearchItems1764900200000,
      Stories1764900300000,
      Tasks1764900400000,
      MemoriesSample1764900500000,
      Documents1764900600000,
      DocumentBounds1764900650000,
      Rooms1764900700000,
      AdminActions1764900710000,
      Causes1765000100000,
      RoomKeys1765000200000,
      AccountStatistics1765000300000,
      DocumentsInTurns1765000400000,
      ForgottenRooms1765000500000,
      StoredBytes1765000600000,
      LoginAddresses1765000700000,
      Processes1765000800000,
    ],
    namingStrategy: new SnakeCaseNames(),
    synchronize: false,
    driver: { ...pg, Pool: PatientPool },
    extra: {
      Client: DeadlineClient,
      connectionTimeoutMillis: ANSWER_WITHIN_MS,
      statement_timeout: STATEMENT_MS_MAX,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    },
  };
}
