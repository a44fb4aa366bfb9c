import { type FileHandle, open } from 'node:fs/promises';
import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { isRetryOf, lockAccount } from '../../accounts/account-rows';
import { AccountDatabases } from '../../database/account-databases';
import { Conflict, NotFound } from '../../errors/api-errors';
import type { FileKind } from '../../files/sniff-file-kind';
import { refuseFullStorage } from '../../ledger/storage-limit';
import { DocumentRecord } from '../../retrieval/documents.repository';
import { Clock } from '../../runtime/clock';
import { ConcurrencyLimit } from '../../runtime/concurrency-limit';
import { newId } from '../../runtime/ids';

const DOCUMENTS_MAX = 10_000;
const STORED_BYTES_MAX = 2 * 1024 ** 3;
/** Stored and held in memory one piece at a time. */
const PIECE_BYTES = 256 * 1024;
/** Each file keeps a database connection until it is stored. */
const STORED_AT_ONCE_MAX = 3;
/** Certain only after `lockAccount`. @throws Conflict at 10,000 documents and beyond 2 GiB of files and texts */
export async function refuseFull(
  manager: EntityManager,
  accountId: string,
  added: { readonly documents: 0 | 1; readonly bytes: number },
): Promise<void> {
  const [stored]: { documents: string; bytes: string }[] = await manager.query(TOTALS, [accountId]);
  if (added.documents > 0 && Number(stored?.documents) >= DOCUMENTS_MAX) {
    throw new Conflict(`An account has at most ${DOCUMENTS_MAX} documents; delete one first.`);
  }
  if (Number(stored?.bytes) + added.bytes > STORED_BYTES_MAX) {
    throw new Conflict(
      'The documents of an account have at most 2 GiB, with what was read from them; delete one first.',
    );
  }
  await refuseFullStorage(manager, accountId, added.bytes);
}

const TOTALS = `
  SELECT count(*) AS documents, coalesce(sum(size_bytes::bigint + read_bytes), 0) AS bytes
  FROM documents WHERE account_id = $1`;

@Injectable()
export class DocumentBytes {
  constructor(private readonly databases: AccountDatabases) {}

  async write(manager: EntityManager, id: string, path: string, signal: AbortSignal): Promise<void> {
    const file = await open(path, 'r');
    // One buffer for all pieces: discarded ones would fill the memory until collected.
    const room = Buffer.allocUnsafeSlow(PIECE_BYTES);
    try {
      for (let position = 0; ; position += 1) {
        const piece = await pieceOf(file, position, room);
        if (piece.length === 0) {
          return;
        }
        signal.throwIfAborted();
        await manager.query(INSERT, [id, position, piece]);
      }
    } finally {
      await file.close();
    }
  }

  /** @throws NotFound when the document is deleted meanwhile */
  async *range(
    { id, accountId }: Pick<DocumentRecord, 'id' | 'accountId'>,
    { start, end }: { start: number; end: number },
    signal: AbortSignal,
  ): AsyncGenerator<Buffer> {
    const database = this.databases.of(accountId);
    for (let from = start; from < end;) {
      signal.throwIfAborted();
      const position = Math.floor(from / PIECE_BYTES);
      const pieceEnd = Math.min(end, (position + 1) * PIECE_BYTES);
      const first = position * PIECE_BYTES;
      const [row]: { bytes: Buffer }[] = await database.query(READ, [
        id,
        position,
        from - first + 1,
        pieceEnd - from,
      ]);
      if (row?.bytes.length !== pieceEnd - from) {
        throw new NotFound('document');
      }
      yield row.bytes;
      from = pieceEnd;
    }
  }

  async all(document: DocumentRecord, signal: AbortSignal): Promise<Buffer> {
    const { sizeBytes } = document;
    const bytes = Buffer.allocUnsafe(sizeBytes);
    let filled = 0;
    for await (const piece of this.range(document, { start: 0, end: sizeBytes }, signal)) {
      filled += piece.copy(bytes, filled);
    }
    return bytes;
  }
}

async function pieceOf(file: FileHandle, position: number, room: Buffer): Promise<Buffer> {
  let filled = 0;
  while (filled < PIECE_BYTES) {
    const at = position * PIECE_BYTES + filled;
    const { bytesRead } = await file.read(room, filled, PIECE_BYTES - filled, at);
    if (bytesRead === 0) {
      break;
    }
    filled += bytesRead;
  }
  return room.subarray(0, filled);
}

const INSERT = 'INSERT INTO document_bytes (document_id, position, bytes) VALUES ($1, $2, $3)';

// Pieces are not compressed, so Postgres reads only the requested part.
const READ = `SELECT substring(bytes FROM $3 FOR $4) AS bytes FROM document_bytes WHERE document_id = $1 AND position = $2`;

/** The same file, stored by another call, may be deleted meanwhile. */
const STORING_ATTEMPTS_MAX = 3;

interface UploadOrder {
  readonly name: string;
  readonly title: string;
  readonly kind: FileKind;
  readonly metadata: Record<string, unknown>;
  readonly sizeBytes: number;
  readonly checksum: string;
  readonly path: string;
  /** The same for every retry of one call; null where retries cannot be recognised. */
  readonly callId: string | null;
}

interface StoredUpload {
  readonly document: DocumentRecord;
  readonly isDeduplicated: boolean;
}

@Injectable()
export class DocumentUploads {
  private readonly turns = new ConcurrencyLimit(STORED_AT_ONCE_MAX);

  constructor(
    private readonly databases: AccountDatabases,
    private readonly bytes: DocumentBytes,
    private readonly clock: Clock,
  ) {}

  /** The same bytes in the same format are one document. @throws Conflict at 10,000 or 2 GiB; the signal's reason */
  async store(accountId: string, order: UploadOrder, signal: AbortSignal): Promise<StoredUpload> {
    const known = await this.known(accountId, order);
    if (known) {
      return known;
    }
    const { manager } = this.databases.of(accountId);
    await refuseFull(manager, accountId, { documents: 1, bytes: order.sizeBytes });
    return this.turns.within(async () => {
      signal.throwIfAborted();
      for (let attempt = 0; attempt < STORING_ATTEMPTS_MAX; attempt += 1) {
        const stored = (await this.insert(accountId, order, signal)) ?? (await this.known(accountId, order));
        if (stored) {
          return stored;
        }
      }
      throw new Conflict('The same file is being stored and deleted by other calls.');
    });
  }

  private async known(accountId: string, order: UploadOrder): Promise<StoredUpload | null> {
    const checksum = Buffer.from(order.checksum, 'hex');
    const repository = this.databases.of(accountId).getRepository(DocumentRecord);
    const document = await repository.findOneBy({ accountId, checksum, kind: order.kind });
    if (!document) {
      return null;
    }
    const earlier = { callId: document.uploadCall, at: document.createdAt };
    return { document, isDeduplicated: !isRetryOf(earlier, order.callId, this.clock.now()) };
  }

  private async insert(
    accountId: string,
    order: UploadOrder,
    signal: AbortSignal,
  ): Promise<StoredUpload | null> {
    const id = newId();
    const now = this.clock.now();
    const database = this.databases.of(accountId);
    try {
      await database.transaction(async (manager) => {
        // First, because it takes long: the account is locked only for the rest.
        await this.bytes.write(manager, id, order.path, signal);
        await lockAccount(manager, accountId);
        await refuseFull(manager, accountId, { documents: 1, bytes: order.sizeBytes });
        const { name, title, kind, sizeBytes, checksum, metadata, callId } = order;
        const digest = Buffer.from(checksum, 'hex');
        const values = [id, accountId, name, title, kind, sizeBytes, digest, metadata, callId, now];
        const rows: unknown[] = await manager.query(INSERT_DOCUMENT, values);
        if (rows.length === 0) {
          throw new StoredMeanwhile();
        }
        // The wait for the lock may have been long. A caller that timed out must not have stored anything.
        signal.throwIfAborted();
      });
    } catch (error) {
      if (error instanceof StoredMeanwhile) {
        return null;
      }
      throw error;
    }
    const document = await database.getRepository(DocumentRecord).findOneBy({ accountId, id });
    return document && { document, isDeduplicated: false };
  }
}

class StoredMeanwhile extends Error {}

const INSERT_DOCUMENT = `
  INSERT INTO documents (id, account_id, name, title, kind, size_bytes, checksum, metadata, upload_call, status, created_at,
    updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'uploaded', $10, $10)
  ON CONFLICT (account_id, checksum, kind) DO NOTHING RETURNING 1`;
