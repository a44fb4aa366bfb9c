import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Somebody who has to appear in a story. */
export interface StoryCharacter {
  readonly name: string;
  readonly description: string | null;
}

/** A part of an outline. */
export interface StoryAct {
  readonly title: string;
  readonly beats: readonly string[];
}

export type StoryLength = 'short' | 'medium' | 'long';

/** What a caller asks of a story. */
export interface StoryWish {
  readonly prompt: string;
  readonly genre: string | null;
  readonly characters: readonly StoryCharacter[];
  readonly length: StoryLength;
  readonly tone: string | null;
}

/** A story that was written for an account, with what was asked for. */
@Entity('stories')
export class StoryRecord implements StoryWish {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  /** The same for every try of the call that wrote it; null where that had no Idempotency-Key. */
  @Column('text', { nullable: true }) idempotencyId!: string | null;
  @Column('text') title!: string;
  @Column('text') kind!: 'outline' | 'prose';
  @Column('text') content!: string;
  /** Those of an outline; none for prose. */
  @Column('jsonb') acts!: readonly StoryAct[];
  @Column('text') prompt!: string;
  @Column('text', { nullable: true }) genre!: string | null;
  @Column('jsonb') characters!: readonly StoryCharacter[];
  @Column('text') length!: StoryLength;
  @Column('text', { nullable: true }) tone!: string | null;
  @Column('text') model!: string;
  @Column('text', { nullable: true }) finishReason!: string | null;
  @Column('integer') inputTokens!: number;
  @Column('integer') outputTokens!: number;
  @Column('timestamptz') createdAt!: Date;
}
