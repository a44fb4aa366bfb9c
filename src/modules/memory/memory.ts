import { Module } from '@nestjs/common';
import { type Call, memoryApi, type MemoryApi } from '../../../generated/contract';
import type {
  CreateMemoryRequest,
  Memory,
  MemoryBatch,
  MemoryList,
  MemorySearchResults,
  MemoryStats,
  QueryMemoriesRequest,
} from '../../../generated/types';
import { Serves } from '../../contract/operation';
import { NotFound } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { limitMetadata, inSnakeCase } from '../../runtime/json';
import {
  MemoriesRepository,
  type MemoryEntity,
  type MemoryFields,
  type MemoryFilter,
} from '../../retrieval/memories.repository';
import { Clock } from '../../runtime/clock';
import { timed } from '../../work/timers';

const BATCH_BYTES_MAX = 2 * 1024 * 1024;

function toMemory(memory: MemoryEntity): Memory {
  return {
    ...inSnakeCase(memory, 'id', 'namespace', 'key', 'value', 'metadata'),
    ...inSnakeCase(memory, 'createdAt', 'updatedAt', 'expiresAt'),
  };
}

/** Bounds the answer where a batch names a large memory a hundred times. */
function toMemoryBatch(stored: readonly MemoryEntity[]): MemoryBatch {
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

function toMemoryFields({ namespace, key, value, ...body }: CreateMemoryRequest): MemoryFields {
  return { namespace, key, value, metadata: body.metadata ?? {}, ttlSeconds: body.ttl_seconds ?? null };
}

function toFilter(body: Partial<QueryMemoriesRequest>): MemoryFilter {
  const { namespace = null, keys = null, key_prefix: keyPrefix = null, metadata = null } = body;
  return { namespace, keys, keyPrefix, metadata };
}

@Serves(memoryApi)
class MemoryController implements MemoryApi {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly clock: Clock,
  ) {}

  async createMemory(call: Call<'createMemory'>): Promise<Memory> {
    const { account, body } = call;
    const fields = toMemoryFields(body);
    limitMetadata(fields.metadata, 'metadata');
    const [stored] = await this.memories.upsert(account.id, [fields], this.clock.now());
    if (!stored) {
      throw new Error('a stored memory was not returned');
    }
    if (!stored.isNew) {
      call.replaced();
    }
    return toMemory(stored);
  }

  async createMemoryBatch(call: Call<'createMemoryBatch'>): Promise<MemoryBatch> {
    const { account, body } = call;
    const items = body.items.map(toMemoryFields);
    items.forEach(({ metadata }, index) => limitMetadata(metadata, `items[${index}].metadata`));
    const stored = await this.memories.upsert(account.id, items, this.clock.now());
    if (!stored.some(({ isNew }) => isNew)) {
      call.replaced();
    }
    return toMemoryBatch(stored);
  }

  async getMemory({ account, params }: Call<'getMemory'>): Promise<Memory> {
    const memory = await this.memories.find(account.id, params.memory_id, this.clock.now());
    if (!memory) {
      throw new NotFound('memory');
    }
    return toMemory(memory);
  }

  async queryMemories({ account, body }: Call<'queryMemories'>): Promise<MemoryList> {
    const query = { ...body, ...openPeriod(body), now: this.clock.now() };
    limitMetadata(body.metadata ?? {}, 'metadata');
    const { items, ...page } = await this.memories.query(account.id, toFilter(body), query);
    return { memories: items.map(toMemory), ...page };
  }

  async searchMemories({ account, body }: Call<'searchMemories'>): Promise<MemorySearchResults> {
    limitMetadata(body.metadata ?? {}, 'metadata');
    const { query, limit } = body;
    const search = { query, limit, now: this.clock.now() };
    const { items, isTruncated } = await this.memories.search(account.id, toFilter(body), search);
    return {
      results: items.map(({ memory, score }) => ({ memory: toMemory(memory), score })),
      total: items.length,
      truncated: isTruncated,
    };
  }

  async getMemoryStats({ account }: Call<'getMemoryStats'>): Promise<MemoryStats> {
    const totals = await this.memories.totals(account.id, this.clock.now());
    return inSnakeCase(totals, 'memories', 'bytes', 'namespaces', 'oldestAt', 'newestAt');
  }
}

@Module({ controllers: [MemoryController] })
export class MemoryModule {}

/** A timer, because an account that never writes again would keep them for ever. */
export const MEMORY_TIMERS = [
  timed({
    name: 'ExpiredMemories',
    everyMs: 60_000,
    of: MemoriesRepository,
    work: (memories, { now, signal }) => memories.sweep(now, signal),
  }),
];
