import type { AccountDatabases } from '../../../src/database/account-databases';
import { ChunkVectors, type NearestOrder, VectorThreads } from '../../../src/retrieval/rag-retrieval';
import {
  PgVectorRepository,
  type SimilarChunk,
  VectorRowsRepository,
} from '../../../src/retrieval/vectors.repository';
import { VectorCache } from '../../../src/retrieval/vector-cache';
import { newId } from '../../../src/runtime/ids';

const NOW = new Date('2026-11-21T09:00:00.000Z');
const MODEL = 'embed-a';

/** A document as a test stores it: a chunk for each vector, which need not be of length 1. */
export interface VectorDocument {
  readonly vectors: readonly (readonly number[])[];
  readonly collection?: string;
  readonly metadata?: Record<string, unknown>;
  readonly model?: string;
  /** What happens last in the transaction, which is taken back if this fails. */
  readonly beforeCommit?: () => Promise<void>;
}

export interface StoredDocument extends VectorDocument {
  readonly documentId: string;
  readonly chunkIds: string[];
}

type VectorQuery = Partial<Omit<NearestOrder, 'vector'>> & { readonly vector: readonly number[] };

/** Accounts with documents, of which only the vectors matter, and replicas that search them. */
export class VectorWorld {
  private readonly threads: VectorThreads[] = [];

  constructor(private readonly databases: AccountDatabases) {}

  /** What a replica of the service has that has just started. */
  async replica({ bytesMax = 16 * 1_048_576 } = {}): Promise<ChunkVectors> {
    const pgVector = new PgVectorRepository(this.databases);
    await pgVector.onApplicationBootstrap();
    return this.replicaWith(pgVector, bytesMax);
  }

  /** A replica whose pgvector the test prepares, or does not. */
  replicaWith(pgVector: PgVectorRepository, bytesMax = 16 * 1_048_576): ChunkVectors {
    const rows = new VectorRowsRepository(this.databases);
    const threads = new VectorThreads();
    this.threads.push(threads);
    return new ChunkVectors(rows, pgVector, new VectorCache(rows, bytesMax), threads);
  }

  async account(): Promise<string> {
    const id = this.databases.newAccountId();
    await this.databases.of(id).query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at, storage_bytes_max)
       VALUES ($1, $2, $2, '', $3, 2 ^ 40)`,
      [id, id, NOW],
    );
    return id;
  }

  async store(accountId: string, document: VectorDocument): Promise<StoredDocument> {
    const { vectors, collection = 'a', metadata = {}, model = MODEL, beforeCommit } = document;
    const documentId = newId();
    const chunkIds = vectors.map(() => newId());
    await this.databases.of(accountId).transaction(async (manager) => {
      await manager.query(INSERT_DOCUMENT, [
        accountId,
        documentId,
        collection,
        metadata,
        chunkIds.length,
        NOW,
      ]);
      await manager.query(INSERT_CHUNKS, [accountId, documentId, chunkIds, collection]);
      const rows = vectors.map((vector, index) => ({
        chunkId: String(chunkIds[index]),
        vector: unit(vector),
      }));
      await new VectorRowsRepository(this.databases).insert(manager, accountId, model, rows);
      await beforeCommit?.();
    });
    return { ...document, documentId, chunkIds };
  }

  async remove(accountId: string, documents: readonly StoredDocument[]): Promise<void> {
    const ids = documents.map(({ documentId }) => documentId);
    await this.databases
      .of(accountId)
      .query('DELETE FROM rag_documents WHERE account_id = $1 AND document_id = ANY ($2)', [accountId, ids]);
  }

  nearest(replica: ChunkVectors, accountId: string, query: VectorQuery): Promise<SimilarChunk[]> {
    const { model = MODEL, limit = 10, collection = null, filter = null } = query;
    const { signal = new AbortController().signal } = query;
    const vector = unit(query.vector);
    return replica.nearest(accountId, { model, vector, limit, signal, collection, filter });
  }

  /** The ids of the chunks that are found. */
  async found(replica: ChunkVectors, accountId: string, query: VectorQuery): Promise<string[]> {
    return (await this.nearest(replica, accountId, query)).map(({ chunkId }) => chunkId);
  }

  /** The similarities that are found, because the order of chunks that are equally similar does not matter. */
  async similarities(replica: ChunkVectors, accountId: string, query: VectorQuery): Promise<number[]> {
    return (await this.nearest(replica, accountId, query)).map(({ similarity }) => similarity);
  }

  /** What `similarities` has to find. */
  expected(documents: readonly StoredDocument[], query: VectorQuery): number[] {
    const { vector, limit = 10, collection, filter } = query;
    return documents
      .filter((each) => (collection ?? each.collection) === each.collection)
      .filter(({ metadata }) =>
        Object.entries(filter ?? {}).every(([name, value]) => metadata?.[name] === value),
      )
      .flatMap(({ vectors }) => vectors.map((each) => cosine(each, vector)))
      .sort((one, other) => other - one)
      .slice(0, limit);
  }

  async close(): Promise<void> {
    await Promise.all(this.threads.map((threads) => threads.onApplicationShutdown()));
  }
}

const INSERT_DOCUMENT = `
  INSERT INTO rag_documents (account_id, document_id, is_named, collection, content, content_hash, metadata, tokens,
    bytes, chunks, created_at, updated_at)
  VALUES ($1, $2, true, $3, '', '', $4, 0, 0, $5, $6, $6)`;

const INSERT_CHUNKS = `
  INSERT INTO rag_chunks (id, account_id, document_id, collection, position, starts_at, ends_at, content, search)
  SELECT id, $1, $2, $4, position, 0, 0, '', '' FROM unnest($3::uuid[]) WITH ORDINALITY AS chunk (id, position)`;

function unit(vector: readonly number[]): Float32Array {
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (number) => number / length);
}

function cosine(one: readonly number[], other: readonly number[]): number {
  const product = one.reduce((sum, number, index) => sum + number * Number(other[index]), 0);
  return product / Math.hypot(...one) / Math.hypot(...other);
}
