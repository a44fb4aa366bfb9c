import { Injectable } from '@nestjs/common';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AccountRows } from '../accounts/account-rows';
import { AccountDatabases } from '../database/account-databases';
import { isId } from '../runtime/ids';
import { RagDocumentsRepository } from './rag-documents.repository';

export type DocumentStatus = 'uploaded' | 'processing' | 'ready' | 'failed';

type DocumentStage = 'idle' | 'waiting' | 'handed' | 'running';

@Entity('documents')
export class DocumentRecord {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') name!: string;
  @Column('text') title!: string;
  @Column('text') kind!: string;
  @Column('integer') sizeBytes!: number;
  @Column('bytea') checksum!: Buffer;
  @Column('jsonb') metadata!: Record<string, unknown>;
  @Column('text') status!: DocumentStatus;
  /** In percent. */
  @Column('smallint') progress!: number;
  @Column('text', { nullable: true }) error!: string | null;
  @Column('integer', { nullable: true }) pages!: number | null;
  @Column('text', { nullable: true }) language!: string | null;
  /** In UTF-16 units. */
  @Column('integer', { nullable: true }) characters!: number | null;
  /** Of the text and tables read from it; 0 before. */
  @Column('integer') readBytes!: number;
  @Column('integer', { nullable: true }) tokens!: number | null;
  @Column('integer', { nullable: true }) chunks!: number | null;
  @Column('boolean') isTruncated!: boolean;
  /** Whether a call for its text was charged before that of `requestId`. */
  @Column('boolean') isPaid!: boolean;
  /** The same for every retry of the uploading call; null where retries cannot be recognised. */
  @Column('text', { nullable: true }) uploadCall!: string | null;
  @Column('text', { nullable: true }) processCall!: string | null;
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('text') stage!: DocumentStage;
  @Column('smallint') attempts!: number;
  @Column('smallint') faults!: number;
  @Column('uuid', { nullable: true }) runId!: string | null;
  @Column('timestamptz', { nullable: true }) heldUntil!: Date | null;
  @Column('timestamptz', { nullable: true }) notBefore!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) processedAt!: Date | null;
}

@Injectable()
export class DocumentsRepository extends AccountRows<DocumentRecord> {
  constructor(
    databases: AccountDatabases,
    private readonly ragDocuments: RagDocumentsRepository,
  ) {
    super(databases, DocumentRecord, {
      name: 'document',
      // Numbers, ids, times, the checksum and the names of the members take less than 900 bytes.
      size: {
        storedBytes: '0',
        jsonBytes: `octet_length(metadata::text) + octet_length(to_json(name)::text) + octet_length(to_json(title)::text)
          + coalesce(octet_length(to_json(error)::text), 0) + 900`,
      },
    });
  }

  /** Document ids are generated, so that an entry of another origin never has one. */
  async ownsEntry(accountId: string, ragDocumentId: string): Promise<boolean> {
    // Ids are written in lower case; any other text is another entry's.
    const isItsText = isId(ragDocumentId) && ragDocumentId === ragDocumentId.toLowerCase();
    return isItsText && (await this.repository(accountId).existsBy({ accountId, id: ragDocumentId }));
  }

  /** With all that was made of it. @returns how often the document had been begun. @throws NotFound */
  async removeWithEntry(accountId: string, id: string): Promise<number> {
    if (!isId(id)) {
      this.missing();
    }
    return this.transaction(accountId, async (manager) => {
      // The document is locked first, as the indexing worker does: so they cannot deadlock or leave anything behind.
      const [[removed]]: [{ attempts: number }[], number] = await manager.query(REMOVE, [accountId, id]);
      if (!removed) {
        return this.missing();
      }
      await this.ragDocuments.removeWithin(manager, accountId, id);
      return removed.attempts;
    });
  }
}

const REMOVE = 'DELETE FROM documents WHERE account_id = $1 AND id = $2 RETURNING attempts';
