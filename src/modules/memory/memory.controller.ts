import {
  memoryApi,
  type CreateMemoryBatchCall,
  type CreateMemoryCall,
  type GetMemoryCall,
  type GetMemoryStatsCall,
  type MemoryApi,
  type QueryMemoriesCall,
  type SearchMemoriesCall,
} from '../../../generated/contract';
import type {
  Memory,
  MemoryBatch,
  MemoryList,
  MemorySearchResults,
  MemoryStats,
} from '../../../generated/types';
import { Serves } from '../../contract/serves.decorator';
import { toFilter, toMemory, toMemoryBatch, toMemoryFields, toMemoryStats } from './memory.mapper';
import { MemoryService } from './memory.service';

@Serves(memoryApi)
export class MemoryController implements MemoryApi {
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
