import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A document that an account has indexed. */
@Entity('rag_documents')
export class RagDocumentRecord {
  @PrimaryColumn('uuid') accountId!: string;
  @PrimaryColumn('text') documentId!: string;
  /** Whether its id came from the account. Of documents without such an id, each content is stored once. */
  @Column('boolean') isNamed!: boolean;
  /** The same for every retry of the call that stored it; null where the call can't be told from others. */
  @Column('text', { nullable: true }) callId!: string | null;
  @Column('text') collection!: string;
  @Column('text') content!: string;
  /** SHA-256. */
  @Column('bytea') contentHash!: Buffer;
  @Column('jsonb') metadata!: Record<string, unknown>;
  /** ISO 639-1; null where it is not known. */
  @Column('text', { nullable: true }) language!: string | null;
  @Column('integer') tokens!: number;
  /** Of the content in UTF-8. */
  @Column('integer') bytes!: number;
  @Column('integer') chunks!: number;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}
