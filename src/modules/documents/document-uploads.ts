import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Conflict } from '../../errors/api-errors';
import type { FileKind } from '../../files/file-kinds';
import { DocumentRecord } from '../../retrieval/documents.repository';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { DocumentBytes } from './document-bytes';
import { lockRoom, refuseFull, STORED_AT_ONCE_MAX } from './documents.limits';

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
   * @throws Conflict when the account has 10,000 documents or would have more than 2 GiB; the signal's reason, and then nothing
   *   is stored, unless the commit was under way already
   */
  async store(accountId: string, order: UploadOrder, signal: AbortSignal): Promise<StoredUpload> {
    const known = await this.known(accountId, order);
    if (known) {
      return known;
    }
    await refuseFull(this.database.manager, accountId, { documents: 1, bytes: order.sizeBytes });
    await this.turn(signal);
    try {
      for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
        const stored = (await this.insert(accountId, order, signal)) ?? (await this.known(accountId, order));
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

  /** Waits until fewer files than may be are being stored. @throws the signal's reason */
  private async turn(signal: AbortSignal): Promise<void> {
    while (this.storing >= STORED_AT_ONCE_MAX) {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    if (signal.aborted) {
      // Whoever waits behind was woken for nothing otherwise.
      this.waiting.shift()?.();
      throw signal.reason;
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
  private async insert(
    accountId: string,
    order: UploadOrder,
    signal: AbortSignal,
  ): Promise<StoredUpload | null> {
    const id = newId();
    const now = this.clock.now();
    try {
      await this.database.transaction(async (manager) => {
        // First, because it takes long: the account is locked for the rest alone.
        await this.bytes.write(manager, id, order.path, signal);
        await lockRoom(manager, accountId);
        await refuseFull(manager, accountId, { documents: 1, bytes: order.sizeBytes });
        const { name, title, kind, sizeBytes, checksum, metadata, callId } = order;
        const digest = Buffer.from(checksum, 'hex');
        const values = [id, accountId, name, title, kind, sizeBytes, digest, metadata, callId, now];
        const rows: unknown[] = await manager.query(INSERT, values);
        if (rows.length === 0) {
          throw new StoredMeanwhile();
        }
        // The account may have been locked by others for long. Whoever was told that it took too long has stored nothing.
        signal.throwIfAborted();
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

const INSERT = `
  INSERT INTO documents (id, account_id, name, title, kind, size_bytes, checksum, metadata, upload_call, status, created_at,
    updated_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'uploaded', $10, $10)
  ON CONFLICT (account_id, checksum, kind) DO NOTHING RETURNING 1`;
