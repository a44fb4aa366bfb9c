import { Injectable } from '@nestjs/common';
import { NotFound } from '../../core/errors/request-errors';
import { bm25Scores } from '../../core/models/text/bm25-scores';
import { contentStems, words } from '../../core/models/text/content-stems';
import { Clock } from '../../infrastructure/clock/clock';
import { isId } from '../../infrastructure/ids/is-id';
import {
  MemoriesRepository,
  type MemoryFields,
  type MemoryFilter,
  type MemoryTotals,
} from './memories.repository';
import type { MemoryRecord } from './memory.entity';

/** How many candidates the database ranks before they are ranked anew here. */
const CANDIDATES_MAX = 100;
/** How much of a value is ranked: enough to judge it by, too little to hold up the event loop. */
const RANKED_CHARACTERS_MAX = 2000;
const QUERY_WORDS_MAX = 64;

export interface RankedMemory {
  memory: MemoryRecord;
  score: number;
}

/** Memories of an account: stored by key, found by filter or by what they say. */
@Injectable()
export class MemoryService {
  constructor(
    private readonly memories: MemoriesRepository,
    private readonly clock: Clock,
  ) {}

  /** Stores a value; one that the namespace has under the key already is replaced and keeps its id. */
  async create(accountId: string, fields: MemoryFields): Promise<MemoryRecord> {
    const [stored] = await this.createBatch(accountId, [fields]);
    if (!stored) {
      throw new Error('a stored memory was not returned');
    }
    return stored;
  }

  /** Stores all or none, in order: of two with the same namespace and key the later one stays. */
  async createBatch(accountId: string, items: MemoryFields[]): Promise<MemoryRecord[]> {
    const stored = await this.memories.upsert(accountId, items, this.clock.now());
    const byName = new Map(stored.map((record) => [nameOf(record), record]));
    return items.map((item) => byName.get(nameOf(item))).filter((record) => record !== undefined);
  }

  /** @throws NotFound for what the account does not have or no longer has */
  async get(accountId: string, id: string): Promise<MemoryRecord> {
    const record = isId(id) ? await this.memories.find(accountId, id, this.clock.now()) : null;
    if (!record) {
      throw new NotFound('memory');
    }
    return record;
  }

  async query(
    accountId: string,
    filter: MemoryFilter,
    page: { limit: number; offset: number; order: 'asc' | 'desc' },
  ): Promise<{ memories: MemoryRecord[]; total: number }> {
    return this.memories.query(accountId, filter, { ...page, now: this.clock.now() });
  }

  /** The memories that share words with the query, best first. A query of nothing but stop words finds nothing. */
  async search(
    accountId: string,
    filter: MemoryFilter,
    { query, limit }: { query: string; limit: number },
  ): Promise<RankedMemory[]> {
    const stems = contentStems(query).slice(0, QUERY_WORDS_MAX);
    const sought = [...new Set(words(query))].slice(0, QUERY_WORDS_MAX);
    if (stems.length === 0) {
      return [];
    }
    const search = { words: sought, candidatesMax: CANDIDATES_MAX, now: this.clock.now() };
    const candidates = await this.memories.search(accountId, filter, search);
    const documents = candidates.map(({ key, value }) =>
      contentStems(`${key} ${value.slice(0, RANKED_CHARACTERS_MAX)}`),
    );
    const scores = candidates.length === 0 ? [] : bm25Scores(documents, stems);
    return candidates
      .map((memory, index) => ({ memory, score: scores[index] ?? 0 }))
      .sort((a, b) => b.score - a.score)
      .slice(0, limit);
  }

  async stats(accountId: string): Promise<MemoryTotals> {
    return this.memories.totals(accountId, this.clock.now());
  }
}

function nameOf({ namespace, key }: { namespace: string; key: string }): string {
  return JSON.stringify([namespace, key]);
}
