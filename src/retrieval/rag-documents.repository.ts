import { Injectable } from '@nestjs/common';
import { Column, Entity, type EntityManager, PrimaryColumn } from 'typeorm';
import { AccountRows } from '../accounts/account-rows';
import { AccountDatabases } from '../database/account-databases';
import { Conflict } from '../errors/api-errors';
import { refuseFullStorage } from '../ledger/storage-limit';
import { isChosenId } from '../runtime/ids';
import { stemmingConfiguration } from '../text/searchable-text';
import type { ContentChunk, IndexOrder } from './rag-indexing';

@Entity('rag_documents')
export class RagDocumentEntity {
  @PrimaryColumn('uuid') accountId!: string;
  @PrimaryColumn('text') documentId!: string;
  /** The account chose the id. Of documents without a chosen id, each content is stored once. */
  @Column('boolean') isNamed!: boolean;
  /** The same for every retry of the storing call; null where retries cannot be recognised. */
  @Column('text', { nullable: true }) callId!: string | null;
  @Column('text') collection!: string;
  @Column('text') content!: string;
  @Column('bytea') contentHash!: Buffer;
  @Column('jsonb') metadata!: Record<string, unknown>;
  @Column('text', { nullable: true }) language!: string | null;
  @Column('integer') tokens!: number;
  @Column('integer') bytes!: number;
  @Column('integer') chunks!: number;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}

const DOCUMENTS_MAX = 50_000;
const CHUNKS_MAX = 500_000;
const COLLECTIONS_MAX = 1_000;
const CHUNKS_PER_STATEMENT = 100;
/** Storing begins again when the same content, stored by another call, was deleted meanwhile. */
const ATTEMPTS_MAX = 3;
/** What a chunk counts for beside its texts. */
const CHUNK_COUNTED_BYTES = 4096 + 256;

export interface StoredDocument {
  documentId: string;
  collection: string;
  chunks: number;
  tokens: number;
  callId: string | null;
  createdAt: Date;
  isNew: boolean;
}

export type RagDocumentEntry = Omit<RagDocumentEntity, 'content'>;

interface CollectionTotals {
  collection: string;
  documents: number;
  chunks: number;
}

interface RagTotals {
  documents: number;
  chunks: number;
  tokens: number;
  bytes: number;
  collections: CollectionTotals[];
  oldestAt: Date | null;
  newestAt: Date | null;
}

interface Room {
  bytesBesideTexts: string;
  isNew: boolean;
  chunksFreed: number;
  documents: number;
  chunks: number;
}

@Injectable()
export class RagDocumentsRepository extends AccountRows<RagDocumentEntity, RagDocumentEntry> {
  constructor(databases: AccountDatabases) {
    super(databases, RagDocumentEntity, {
      name: 'document',
      key: 'documentId',
      isKey: isChosenId,
      unlisted: ['content'],
      // Numbers, times and the names of the members take less than 400 bytes.
      size: {
        storedBytes: '0',
        jsonBytes: `octet_length(metadata::text) + octet_length(to_json(document_id)::text)
          + octet_length(to_json(collection)::text) + 400`,
      },
    });
  }

  async findContent(
    accountId: string,
    collection: string,
    contentHash: Buffer,
  ): Promise<StoredDocument | null> {
    const values = [accountId, collection, contentHash];
    const [found]: StoredDocument[] = await this.databases.of(accountId).query(FIND_CONTENT, values);
    return found ?? null;
  }

  /**
   * Of documents without a chosen id the same content in a collection is stored once: its first document is returned.
   * @throws Conflict when the account would have more than 50,000 documents or 500,000 chunks
   */
  async store(
    document: RagDocumentEntity,
    chunks: readonly ContentChunk[],
    alsoStore: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
    first: (manager: EntityManager) => Promise<void> = () => Promise.resolve(),
  ): Promise<StoredDocument> {
    const { accountId, collection, contentHash } = document;
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
      const isStored = await this.transaction(accountId, async (manager) => {
        await first(manager);
        const before = document.isNamed ? await removeChunks(manager, document, true) : 0;
        if (!(await insertDocument(manager, document))) {
          return false;
        }
        // Those of a call that stored the same document meanwhile: from here on, this one alone has it.
        const removed = before + (await removeChunks(manager, document, false));
        await insertChunks(manager, document, chunks);
        await alsoStore(manager);
        await addToTotals(manager, accountId, { removed, added: chunks.length });
        return true;
      });
      if (isStored) {
        return { ...document, isNew: true };
      }
      const known = await this.findContent(accountId, collection, contentHash);
      if (known) {
        return known;
      }
    }
    throw new Conflict('The same content is being stored and deleted by other calls.');
  }

  /**
   * Before the chunks are embedded, which costs the operator something; `store` has the last word. Counts as the columns
   * counted_bytes do. @param documentId the document whose room is freed. @throws Conflict; StorageFull
   */
  async refuseFull(
    accountId: string,
    { documentId, content, metadata }: Pick<IndexOrder, 'documentId' | 'content' | 'metadata'>,
    chunks: readonly ContentChunk[],
  ): Promise<void> {
    const database = this.databases.of(accountId);
    const values = [accountId, documentId, JSON.stringify(metadata)];
    const [row]: Room[] = await database.query(ROOM, values);
    if (!row) {
      throw new Error('the room of an account was not returned');
    }
    const [documentsAdded, chunksAdded] = [row.isNew ? 1 : 0, chunks.length - row.chunksFreed];
    refuseTooMany('documents', documentsAdded, row.documents + documentsAdded, DOCUMENTS_MAX);
    refuseTooMany('chunks', chunksAdded, row.chunks + chunksAdded, CHUNKS_MAX);
    const texts = [content, ...chunks.flatMap(({ heading, text }) => [heading ?? '', text])];
    const textBytes = texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
    const added = Number(row.bytesBesideTexts) + textBytes + chunks.length * CHUNK_COUNTED_BYTES;
    await refuseFullStorage(database, accountId, added);
  }

  override async remove(accountId: string, documentId: string): Promise<void> {
    const isRemoved =
      isChosenId(documentId) &&
      (await this.transaction(accountId, (manager) => this.removeWithin(manager, accountId, documentId)));
    if (!isRemoved) {
      this.missing();
    }
  }

  /** Within the caller's transaction. Returns whether there was one. */
  async removeWithin(manager: EntityManager, accountId: string, documentId: string): Promise<boolean> {
    const [[removed]]: [{ chunks: number }[]] = await manager.query(REMOVE, [accountId, documentId]);
    if (removed) {
      await manager.query(ADD_TO_TOTALS, [accountId, -1, -removed.chunks]);
    }
    return removed !== undefined;
  }

  async totals(accountId: string): Promise<RagTotals> {
    const [all, ...others]: [RagTotals, ...CollectionTotals[]] = await this.databases
      .of(accountId)
      .query(TOTALS, [accountId, COLLECTIONS_MAX + 1]);
    const { documents, chunks, tokens, bytes, oldestAt, newestAt } = all;
    const collections = others.map((row) => ({
      collection: row.collection,
      documents: row.documents,
      chunks: row.chunks,
    }));
    return { documents, chunks, tokens, bytes, collections, oldestAt, newestAt };
  }
}

/** False where another document without a chosen id has the content. Locks the row until the transaction ends. */
async function insertDocument(manager: EntityManager, document: RagDocumentEntity): Promise<boolean> {
  const rows: unknown[] = await manager.query(document.isNamed ? UPSERT_NAMED : INSERT_UNNAMED, [
    document.accountId,
    document.documentId,
    document.callId,
    document.collection,
    document.content,
    document.contentHash,
    JSON.stringify(document.metadata),
    document.language,
    document.tokens,
    document.bytes,
    document.chunks,
    document.createdAt,
  ]);
  return rows.length > 0;
}

/** Frees their room before the new text takes its own. @param locksDocument before its chunks, as a deletion locks them */
async function removeChunks(
  manager: EntityManager,
  { accountId, documentId }: RagDocumentEntity,
  locksDocument: boolean,
): Promise<number> {
  const statement = locksDocument ? REMOVE_CHUNKS_OF_LOCKED : REMOVE_CHUNKS;
  const removed: [unknown, number] = await manager.query(statement, [accountId, documentId]);
  return removed[1];
}

async function insertChunks(
  manager: EntityManager,
  { accountId, documentId, collection, language }: RagDocumentEntity,
  chunks: readonly ContentChunk[],
): Promise<void> {
  for (let first = 0; first < chunks.length; first += CHUNKS_PER_STATEMENT) {
    const batch = chunks.slice(first, first + CHUNKS_PER_STATEMENT);
    await manager.query(INSERT_CHUNKS, [
      accountId,
      documentId,
      collection,
      stemmingConfiguration(language),
      first,
      batch.map(({ id }) => id),
      batch.map(({ start }) => start),
      batch.map(({ end }) => end),
      batch.map(({ heading }) => heading),
      batch.map(({ text }) => text),
      batch.map(({ headingWords }) => headingWords),
      batch.map(({ words }) => words),
    ]);
  }
}

/** The totals are locked last and only until the commit, so that an account's documents are stored in parallel. */
async function addToTotals(
  manager: EntityManager,
  accountId: string,
  { removed, added }: { removed: number; added: number },
): Promise<void> {
  const [documentsAdded, chunksAdded] = [removed > 0 ? 0 : 1, added - removed];
  const values = [accountId, documentsAdded, chunksAdded];
  const [totals]: { documents: number; chunks: number }[] = await manager.query(ADD_TO_TOTALS, values);
  refuseTooMany('documents', documentsAdded, totals?.documents ?? 0, DOCUMENTS_MAX);
  refuseTooMany('chunks', chunksAdded, totals?.chunks ?? 0, CHUNKS_MAX);
}

function refuseTooMany(things: string, added: number, count: number, countMax: number): void {
  if (added > 0 && count > countMax) {
    throw new Conflict(`An account has at most ${countMax} ${things} indexed; delete a document first.`);
  }
}

const STORED = `document_id AS "documentId", collection, chunks, tokens, call_id AS "callId", created_at AS "createdAt",
  false AS "isNew"`;
const FIND_CONTENT = `SELECT ${STORED} FROM rag_documents
  WHERE account_id = $1 AND collection = $2 AND content_hash = $3 AND NOT is_named`;

function insert(isNamed: boolean): string {
  return `
  INSERT INTO rag_documents AS d (account_id, document_id, is_named, call_id, collection, content, content_hash, metadata,
    language, tokens, bytes, chunks, created_at, updated_at)
  VALUES ($1, $2, ${isNamed}, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12)`;
}

const INSERT_UNNAMED = `${insert(false)}
  ON CONFLICT (account_id, collection, content_hash) WHERE NOT is_named DO NOTHING RETURNING 1`;

// Clocks of replicas differ: a replica that is behind must not set updated_at below created_at.
const UPSERT_NAMED = `${insert(true)}
  ON CONFLICT (account_id, document_id) DO UPDATE SET is_named = true, call_id = excluded.call_id,
    collection = excluded.collection, content = excluded.content, content_hash = excluded.content_hash,
    metadata = excluded.metadata, language = excluded.language, tokens = excluded.tokens, bytes = excluded.bytes,
    chunks = excluded.chunks, updated_at = greatest(excluded.updated_at, d.updated_at)
  RETURNING 1`;

const REMOVE_CHUNKS = 'DELETE FROM rag_chunks WHERE account_id = $1 AND document_id = $2';
const REMOVE_CHUNKS_OF_LOCKED = `
  WITH locked AS (SELECT FROM rag_documents WHERE account_id = $1 AND document_id = $2 FOR UPDATE)
  ${REMOVE_CHUNKS} AND EXISTS (SELECT FROM locked)`;

const INSERT_CHUNKS = `
  INSERT INTO rag_chunks (id, account_id, document_id, collection, position, starts_at, ends_at, heading, content, search)
  SELECT id, $1, $2, $3, $5 + position - 1, starts_at, ends_at, heading, content,
    setweight(to_tsvector($4::regconfig, heading_words), 'A') || to_tsvector($4::regconfig, words)
  FROM unnest($6::uuid[], $7::integer[], $8::integer[], $9::text[], $10::text[], $11::text[], $12::text[])
    WITH ORDINALITY AS chunk (id, starts_at, ends_at, heading, content, heading_words, words, position)`;

const ADD_TO_TOTALS = `
  INSERT INTO rag_totals AS t (account_id, documents, chunks) VALUES ($1, $2, $3)
  ON CONFLICT (account_id) DO UPDATE SET documents = t.documents + $2, chunks = t.chunks + $3
  RETURNING documents, chunks`;

const ROOM = `
  SELECT octet_length($3::jsonb::text) + 256 - freed.bytes AS "bytesBesideTexts", freed.chunks AS "chunksFreed",
    NOT EXISTS (SELECT FROM rag_documents WHERE account_id = $1 AND document_id = $2) AS "isNew",
    coalesce(t.documents, 0) AS documents, coalesce(t.chunks, 0) AS chunks
  FROM (
    SELECT coalesce(sum(counted_bytes), 0) AS bytes, count(position)::integer AS chunks FROM (
      SELECT counted_bytes, NULL::integer AS position FROM rag_documents WHERE account_id = $1 AND document_id = $2
      UNION ALL SELECT counted_bytes, position FROM rag_chunks WHERE account_id = $1 AND document_id = $2) AS replaced
  ) AS freed LEFT JOIN rag_totals t ON t.account_id = $1`;

const REMOVE = 'DELETE FROM rag_documents WHERE account_id = $1 AND document_id = $2 RETURNING chunks';

const TOTALS = `
  SELECT collection, count(*)::float8 AS documents, coalesce(sum(chunks), 0)::float8 AS chunks,
    coalesce(sum(tokens), 0)::float8 AS tokens, coalesce(sum(bytes), 0)::float8 AS bytes,
    min(created_at) AS "oldestAt", max(updated_at) AS "newestAt"
  FROM rag_documents WHERE account_id = $1
  GROUP BY GROUPING SETS ((), (collection))
  ORDER BY grouping(collection) DESC, count(*) DESC, collection LIMIT $2`;
