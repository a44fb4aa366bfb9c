import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import type { FileKind } from '../../../infrastructure/files/file-kinds';
import { newId } from '../../../infrastructure/ids/ids';
import { Clock } from '../../../infrastructure/clock/clock';
import { Conflict } from '../../errors/request-errors';
import { DOCUMENTS_MAX, STORED_AT_ONCE_MAX, STORED_BYTES_MAX } from './document-bounds';
import { DocumentBytes } from './document-bytes';
import { DocumentRecord } from './document.entity';

/** How often storing is begun anew because the same file, stored by another call, was deleted meanwhile. */
const ATTEMPTS_MAX = 3;

/** A file to store. */
export interface UploadOrder {
  readonly name: string;
  readonly title: string;
  readonly kind: FileKind;
  readonly metadata: Record<string, unknown>;
  readonly sizeBytes: number;
  /** SHA-256, in hexadecimal digits. */
  readonly checksum: string;
  /** Where it is on this machine. */
  readonly path: string;
  /** The same for every retry of one call; null where retries can't be told. */
  readonly callId: string | null;
}

export interface StoredUpload {
  readonly document: DocumentRecord;
  /** Whether an earlier call had stored the same file. */
  readonly isDeduplicated: boolean;
}

/** Stores uploaded files, each once for its account. */
@Injectable()
export class DocumentUploads {
  private storing = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(
    private readonly database: DataSource,
    private readonly bytes: DocumentBytes,
    private readonly clock: Clock,
  ) {}

  /**
   * Stores a file with its record in one transaction. The account's document that has the same bytes and the same format is
   * returned in its place; a retry of the call that has stored it is told the same as that call.
   * @throws Conflict when the account has 10,000 documents or would have more than 2 GiB; the signal's reason
   */
  async store(accountId: string, order: UploadOrder, signal: AbortSignal): Promise<StoredUpload> {
    const known = await this.known(accountId, order);
    if (known) {
      return known;
    }
    await refuseFull(this.database.manager, accountId, order.sizeBytes);
    await this.turn();
    try {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
        signal.throwIfAborted();
        const stored = (await this.insert(accountId, order)) ?? (await this.known(accountId, order));
        if (stored) {
          return stored;
        }
      }
      throw new Conflict('The same file is being stored and deleted by other calls.');
    } finally {
      this.storing -= 1;
      this.waiting.shift()?.();
    }
  }

  /** Waits until fewer files than may be are being stored. */
  private async turn(): Promise<void> {
    while (this.storing >= STORED_AT_ONCE_MAX) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    this.storing += 1;
  }

  private async known(accountId: string, order: UploadOrder): Promise<StoredUpload | null> {
    const checksum = Buffer.from(order.checksum, 'hex');
    const document = await this.database
      .getRepository(DocumentRecord)
      .findOneBy({ accountId, checksum, kind: order.kind });
    const isOwnWork = order.callId !== null && document?.uploadCall === order.callId;
    return document && { document, isDeduplicated: !isOwnWork };
  }

  /** Returns null where another call has stored the same file meanwhile. */
  private async insert(accountId: string, order: UploadOrder): Promise<StoredUpload | null> {
    const id = newId();
    const now = this.clock.now();
    try {
      await this.database.transaction(async (manager) => {
        // First, because it takes long: the account is locked for the rest alone.
        await this.bytes.write(manager, id, order.path);
        await manager.query(LOCK_ACCOUNT, [accountId]);
        await refuseFull(manager, accountId, order.sizeBytes);
        const { name, title, kind, sizeBytes, checksum, metadata, callId } = order;
        const digest = Buffer.from(checksum, 'hex');
        const values = [id, accountId, name, title, kind, sizeBytes, digest, metadata, callId, now];
        const rows: unknown[] = await manager.query(INSERT, values);
        if (rows.length === 0) {
          throw new StoredMeanwhile();
        }
      });
    } catch (error) {
      if (error instanceof StoredMeanwhile) {
        return null;
      }
      throw error;
    }
    const document = await this.database.getRepository(DocumentRecord).findOneBy({ accountId, id });
    return document && { document, isDeduplicated: false };
  }
}

/** Ends a transaction whose bytes are not needed. */
class StoredMeanwhile extends Error {}

async function refuseFull(manager: EntityManager, accountId: string, sizeBytes: number): Promise<void> {
  const [stored]: { documents: string; bytes: string }[] = await manager.query(TOTALS, [accountId]);
  if (Number(stored?.documents) >= DOCUMENTS_MAX) {
    throw new Conflict(`An account has at most ${DOCUMENTS_MAX} documents; delete one first.`);
  }
  if (Number(stored?.bytes) + sizeBytes > STORED_BYTES_MAX) {
    throw new Conflict('The documents of an account have at most 2 GiB; delete one first.');
  }
}

const LOCK_ACCOUNT = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';

const TOTALS = `
  SELECT count(*) AS documents, coalesce(sum(size_bytes), 0) AS bytes FROM documents WHERE account_id = $1`;

const INSERT = `
  INSERT INTO documents (id, account_id, name, title, kind, size_bytes, checksum, metadata, upload_call, status, created_at,
    updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'uploaded', $10, $10)
  ON CONFLICT (account_id, checksum, kind) DO NOTHING RETURNING 1`;
