import type {
  CreateMemoryRequest,
  Memory,
  MemoryBatch,
  MemoryStats,
  QueryMemoriesRequest,
} from '../../../generated/types';
import type {
  MemoryFields,
  MemoryFilter,
  MemoryTotals,
} from '../../core/knowledge/memories/memories.repository';
import type { MemoryRecord } from '../../core/knowledge/memories/memory.entity';
import { openPeriod } from '../../core/money/usage/period';

const BATCH_BYTES_MAX = 2 * 1024 * 1024;

export function toMemory(record: MemoryRecord): Memory {
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
export function toMemoryBatch(stored: readonly MemoryRecord[]): MemoryBatch {
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

export function toMemoryFields(body: CreateMemoryRequest): MemoryFields {
  return {
    namespace: body.namespace,
    key: body.key,
    value: body.value,
    metadata: body.metadata ?? {},
    ttlSeconds: body.ttl_seconds ?? null,
  };
}

/** @throws Unprocessable when the period would end before it starts */
export function toFilter(body: Partial<QueryMemoriesRequest>): MemoryFilter {
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

export function toMemoryStats(totals: MemoryTotals): MemoryStats {
  return {
    memories: totals.memories,
    bytes: totals.bytes,
    namespaces: totals.namespaces,
    oldest_at: totals.oldestAt?.toISOString() ?? null,
    newest_at: totals.newestAt?.toISOString() ?? null,
  };
}
