import { Column, Entity, PrimaryColumn } from 'typeorm';

export type DocumentStatus = 'uploaded' | 'processing' | 'ready' | 'failed';

/** What the relay and the workers go by: see the migration. */
export type DocumentStage = 'idle' | 'waiting' | 'handed' | 'running';

/** A file that an account has uploaded. What was read from it is null until the document was processed. */
@Entity('documents')
export class DocumentRecord {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text') name!: string;
  @Column('text') title!: string;
  @Column('text') kind!: string;
  @Column('integer') sizeBytes!: number;
  /** SHA-256. */
  @Column('bytea') checksum!: Buffer;
  /** The account's own. */
  @Column('jsonb') metadata!: Record<string, unknown>;
  @Column('text') status!: DocumentStatus;
  /** In percent. */
  @Column('smallint') progress!: number;
  /** Why processing failed; a sentence for the owner. */
  @Column('text', { nullable: true }) error!: string | null;
  @Column('integer', { nullable: true }) pages!: number | null;
  /** ISO 639-1; null where it is not known. */
  @Column('text', { nullable: true }) language!: string | null;
  /** In UTF-16 units. */
  @Column('integer', { nullable: true }) characters!: number | null;
  /** Of the text and the tables that were read from it; 0 before. */
  @Column('integer') readBytes!: number;
  @Column('integer', { nullable: true }) tokens!: number | null;
  @Column('integer', { nullable: true }) chunks!: number | null;
  /** Whether the file had more text or tables than are kept. */
  @Column('boolean') isTruncated!: boolean;
  /** Whether a call that read the text was carried out. */
  @Column('boolean') isPaid!: boolean;
  /** The same for every retry of the call that uploaded it; null where the call can't be told from others. */
  @Column('text', { nullable: true }) uploadCall!: string | null;
  @Column('text', { nullable: true }) processCall!: string | null;
  /** The request that had it processed. */
  @Column('text', { nullable: true }) requestId!: string | null;
  @Column('text') stage!: DocumentStage;
  /** How often it was begun since its last call. */
  @Column('smallint') attempts!: number;
  /** How many of these ended in a fault of the service. */
  @Column('smallint') faults!: number;
  @Column('uuid', { nullable: true }) runId!: string | null;
  @Column('timestamptz', { nullable: true }) heldUntil!: Date | null;
  @Column('timestamptz', { nullable: true }) notBefore!: Date | null;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
  @Column('timestamptz', { nullable: true }) processedAt!: Date | null;
}
