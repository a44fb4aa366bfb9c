import { Injectable } from '@nestjs/common';
import { NotFound } from '../../core/errors/request-errors';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import {
  MemoriesRepository,
  type MemoryFields,
  type MemoryFilter,
  type MemoryPage,
  type MemoryTotals,
  type RankedMemory,
} from '../../core/knowledge/memories/memories.repository';
import type { MemoryRecord } from '../../core/knowledge/memories/memory.entity';
import { Clock } from '../../infrastructure/clock/clock';
import type { BoundedPage } from '../../infrastructure/database/bounded-page';
import { isId } from '../../infrastructure/ids/ids';

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
