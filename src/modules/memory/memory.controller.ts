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
import { toFilter, toMemory, toMemoryFields, toMemoryStats } from './memory.mapper';
import { MemoryService } from './memory.service';

@Serves(memoryApi)
export class MemoryController implements MemoryApi {
  constructor(private readonly memories: MemoryService) {}

  async createMemory({ account, body }: CreateMemoryCall): Promise<Memory> {
    return toMemory(await this.memories.create(account.id, toMemoryFields(body)));
  }

  async createMemoryBatch({ account, body }: CreateMemoryBatchCall): Promise<MemoryBatch> {
    const stored = await this.memories.createBatch(account.id, body.items.map(toMemoryFields));
    return { memories: stored.map(toMemory), count: stored.length };
  }

  async getMemory({ account, params }: GetMemoryCall): Promise<Memory> {
    return toMemory(await this.memories.get(account.id, params.memory_id));
  }

  async queryMemories({ account, body }: QueryMemoriesCall): Promise<MemoryList> {
    const { memories, total } = await this.memories.query(account.id, toFilter(body), body);
    return { memories: memories.map(toMemory), total, limit: body.limit, offset: body.offset };
  }

  async searchMemories({ account, body }: SearchMemoriesCall): Promise<MemorySearchResults> {
    const ranked = await this.memories.search(account.id, toFilter(body), body);
    return {
      results: ranked.map(({ memory, score }) => ({ memory: toMemory(memory), score })),
      total: ranked.length,
    };
  }

  async getMemoryStats({ account }: GetMemoryStatsCall): Promise<MemoryStats> {
    return toMemoryStats(await this.memories.stats(account.id));
  }
}
