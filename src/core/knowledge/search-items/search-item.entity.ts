import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Something that an account searches, by an id of its own. What is indexed of it stands in further columns. */
@Entity('search_items')
export class SearchItemRecord {
  @PrimaryColumn('uuid') accountId!: string;
  @PrimaryColumn('text') id!: string;
  @Column('text', { nullable: true }) title!: string | null;
  @Column('text') content!: string;
  @Column('text', { nullable: true }) url!: string | null;
  @Column('jsonb') metadata!: Record<string, unknown>;
  @Column('timestamptz') createdAt!: Date;
  @Column('timestamptz') updatedAt!: Date;
}

/** The fields of an item that its owner sets. */
export type SearchItemFields = Pick<SearchItemRecord, 'id' | 'title' | 'content' | 'url' | 'metadata'>;
