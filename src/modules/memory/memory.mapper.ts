import type {
  CreateMemoryRequest,
  Memory,
  MemoryStats,
  QueryMemoriesRequest,
} from '../../../generated/types';
import type {
  MemoryFields,
  MemoryFilter,
  MemoryTotals,
} from '../../core/knowledge/memories/memories.repository';
import type { MemoryRecord } from '../../core/knowledge/memories/memory.entity';

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

export function toMemoryFields(body: CreateMemoryRequest): MemoryFields {
  return {
    namespace: body.namespace,
    key: body.key,
    value: body.value,
    metadata: body.metadata ?? {},
    ttlSeconds: body.ttl_seconds ?? null,
  };
}

export function toFilter(body: Partial<QueryMemoriesRequest>): MemoryFilter {
  return {
    namespace: body.namespace ?? null,
    keys: body.keys ?? null,
    keyPrefix: body.key_prefix ?? null,
    metadata: body.metadata ?? null,
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
