import { Injectable, Module } from '@nestjs/common';
import {
  type CreateMemoryBatchCall,
  type CreateMemoryCall,
  type GetMemoryCall,
  type GetMemoryStatsCall,
  memoryApi,
  type MemoryApi,
  type QueryMemoriesCall,
  type SearchMemoriesCall,
} from '../../../generated/contract';
import type {
  CreateMemoryRequest,
  Memory,
  MemoryBatch,
  MemoryList,
  MemorySearchResults,
  MemoryStats,
  QueryMemoriesRequest,
} from '../../../generated/types';
import { Serves } from '../../contract/serves';
import type { BoundedPage } from '../../database/bounded-statements';
import { NotFound } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { limitMetadata } from '../../retrieval/limit-metadata';
import {
  MemoriesRepository,
  type MemoryFields,
  type MemoryFilter,
  type MemoryPage,
  type MemoryRecord,
  type MemoryTotals,
  type RankedMemory,
} from '../../retrieval/memories.repository';
import { Clock } from '../../runtime/clock';
import { isId } from '../../runtime/ids';

const BATCH_BYTES_MAX = 2 * 1024 * 1024;

function toMemory(record: MemoryRecord): Memory {
  return {
    id: record.id,
    namespace: record.namespace,
    key: record.key,
    value: record.value,
    metadata: record.metadata,
    created_at: record.createdAt.toISOString(),
    updated_at: record.updatedAt.toISOString(),
    expires_at: record.expiresAt?.toISOString() ?? null,
  };
}

/**
 * What a batch has stored. A batch without repetitions always fits; one that names a large memory a hundred times would
 * otherwise be answered with a hundred copies of it.
 */
function toMemoryBatch(stored: readonly MemoryRecord[]): MemoryBatch {
  const memories: Memory[] = [];
  let bytes = 0;
  for (const memory of stored.map(toMemory)) {
    bytes += Buffer.byteLength(JSON.stringify(memory));
    if (bytes > BATCH_BYTES_MAX) {
      break;
    }
    memories.push(memory);
  }
  return { memories, count: stored.length, truncated: memories.length < stored.length };
}

function toMemoryFields(body: CreateMemoryRequest): MemoryFields {
  return {
    namespace: body.namespace,
    key: body.key,
    value: body.value,
    metadata: body.metadata ?? {},
    ttlSeconds: body.ttl_seconds ?? null,
  };
}

/** @throws Unprocessable when the period would end before it starts */
function toFilter(body: Partial<QueryMemoriesRequest>): MemoryFilter {
  const { start, end } = openPeriod(body);
  return {
    namespace: body.namespace ?? null,
    keys: body.keys ?? null,
    keyPrefix: body.key_prefix ?? null,
    metadata: body.metadata ?? null,
    createdFrom: start,
    createdBefore: end,
  };
}

function toMemoryStats(totals: MemoryTotals): MemoryStats {
  return {
    memories: totals.memories,
    bytes: totals.bytes,
    namespaces: totals.namespaces,
    oldest_at: totals.oldestAt?.toISOString() ?? null,
    newest_at: totals.newestAt?.toISOString() ?? null,
  };
}

/** The memories of an account: stored under a key, found by a filter or by their words. */
@Injectable()
export class MemoryService {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a value. A memory that the namespace already has under the key is replaced and keeps its id.
   * @throws ValidationFailed for too much metadata
   */
  async create(accountId: string, fields: MemoryFields): Promise<MemoryRecord> {
    limitMetadata(fields.metadata, 'metadata');
    const [stored] = await this.memories.upsert(accountId, [fields], this.clock.now());
    if (!stored) {
      throw new Error('a stored memory was not returned');
    }
    return stored;
  }

  /**
   * Stores all items or none. Of two with the same namespace and key the later one stays.
   * @throws ValidationFailed for too much metadata
   */
  async createBatch(accountId: string, items: MemoryFields[]): Promise<MemoryRecord[]> {
    items.forEach(({ metadata }, index) => limitMetadata(metadata, `items[${index}].metadata`));
    return this.memories.upsert(accountId, items, this.clock.now());
  }

  /** @throws NotFound for a memory that the account does not have, or that has expired */
  async get(accountId: string, id: string): Promise<MemoryRecord> {
    const record = isId(id) ? await this.memories.find(accountId, id, this.clock.now()) : null;
    if (!record) {
      throw new NotFound('memory');
    }
    return record;
  }

  /** @throws ValidationFailed for too much metadata */
  async query(
    accountId: string,
    filter: MemoryFilter,
    page: MemoryPage,
  ): Promise<BoundedPage<MemoryRecord> & { total: number }> {
    limitMetadata(filter.metadata ?? {}, 'metadata');
    return this.memories.query(accountId, filter, { ...page, now: this.clock.now() });
  }

  /**
   * The memories that share words with the query, best first. A query of nothing but stop words finds nothing.
   * @throws ValidationFailed for too much metadata
   */
  async search(
    accountId: string,
    filter: MemoryFilter,
    { query, limit }: { query: string; limit: number },
  ): Promise<BoundedPage<RankedMemory>> {
    limitMetadata(filter.metadata ?? {}, 'metadata');
    return this.memories.search(accountId, filter, { query, limit, now: this.clock.now() });
  }

  async stats(accountId: string): Promise<MemoryTotals> {
    return this.memories.totals(accountId, this.clock.now());
  }
}

@Serves(memoryApi)
class MemoryController implements MemoryApi {
  constructor(private readonly memories: MemoryService) {}

  async createMemory({ account, body }: CreateMemoryCall): Promise<Memory> {
    return toMemory(await this.memories.create(account.id, toMemoryFields(body)));
  }

  async createMemoryBatch({ account, body }: CreateMemoryBatchCall): Promise<MemoryBatch> {
    return toMemoryBatch(await this.memories.createBatch(account.id, body.items.map(toMemoryFields)));
  }

  async getMemory({ account, params }: GetMemoryCall): Promise<Memory> {
    return toMemory(await this.memories.get(account.id, params.memory_id));
  }

  async queryMemories({ account, body }: QueryMemoriesCall): Promise<MemoryList> {
    const { items, isTruncated, total } = await this.memories.query(account.id, toFilter(body), body);
    return {
      memories: items.map(toMemory),
      total,
      limit: isTruncated ? items.length : body.limit,
      offset: body.offset,
      truncated: isTruncated,
    };
  }

  async searchMemories({ account, body }: SearchMemoriesCall): Promise<MemorySearchResults> {
    const { items, isTruncated } = await this.memories.search(account.id, toFilter(body), body);
    return {
      results: items.map(({ memory, score }) => ({ memory: toMemory(memory), score })),
      total: items.length,
      truncated: isTruncated,
    };
  }

  async getMemoryStats({ account }: GetMemoryStatsCall): Promise<MemoryStats> {
    return toMemoryStats(await this.memories.stats(account.id));
  }
}

@Module({ controllers: [MemoryController], providers: [MemoryService] })
export class MemoryModule {}
