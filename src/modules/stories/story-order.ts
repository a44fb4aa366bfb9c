import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { StoryAct, StoryCharacter, StoryLength } from '../../../generated/types';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import type { PieceReader, TextOrder } from '../../models/generation/text-order';
import type { ChatMessage } from '../../models/model-provider';

export interface StoryWish {
  readonly prompt: string;
  readonly genre: string | null;
  readonly characters: StoryCharacter[];
  readonly length: StoryLength;
  readonly tone: string | null;
}

@Entity('stories')
export class StoryEntity implements StoryWish {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text', { nullable: true }) idempotencyId!: string | null;
  @Column('text') title!: string;
  /** `outline` is of stories that a rule made, before models alone wrote them. */
  @Column('text') kind!: 'outline' | 'prose';
  @Column('text') content!: string;
  @Column('jsonb') acts!: StoryAct[];
  @Column('text') prompt!: string;
  @Column('text', { nullable: true }) genre!: string | null;
  @Column('jsonb') characters!: StoryCharacter[];
  @Column('text') length!: StoryLength;
  @Column('text', { nullable: true }) tone!: string | null;
  @Column('text') model!: string;
  @Column('text', { nullable: true }) finishReason!: string | null;
  @Column('integer') inputTokens!: number;
  @Column('integer') outputTokens!: number;
  @Column('timestamptz') createdAt!: Date;
}

const TITLE_LENGTH_MAX = 120;
const LABEL = /^(?:title|titel|titre|t[ií]tulo|titolo)\s*[:：]\s*/i;
const MARKS_BEFORE = /^[\s"'“”„«»‘’*_`]+/u;
const MARKS_BEHIND = /[\s"'“”„«»‘’*_`]+$/u;
const HEADING = /^#{1,6}\s+/;

/** Null for a line of more than 120 characters, or without a letter or digit. */
function titleIn(line: string): string | null {
  if (line.length > 2 * TITLE_LENGTH_MAX) {
    return null;
  }
  const bare = [HEADING, MARKS_BEFORE, LABEL, MARKS_BEFORE, MARKS_BEHIND].reduce(
    (text, mark) => text.replace(mark, ''),
    line.trim(),
  );
  return bare.length <= TITLE_LENGTH_MAX && /[\p{L}\p{N}]/u.test(bare) ? bare.toWellFormed() : null;
}

/** A first line that is longer than this is no title, and is sent on as it comes. */
const FIRST_LINE_LENGTH_MAX = 240;

/** An answer of a single line is all story. */
export class StoryReader implements PieceReader {
  title: string | null = null;
  private held = '';
  private state: 'in the first line' | 'before the story' | 'in the story' = 'in the first line';

  push(piece: string): string {
    // Postgres stores no NUL.
    const text = piece.replaceAll('\0', '');
    if (this.state === 'in the story') {
      return text;
    }
    this.held = `${this.held}${text}`.trimStart();
    if (this.state === 'in the first line') {
      this.readFirstLine();
    }
    return this.state === 'in the first line' || this.held === '' ? '' : this.begin();
  }

  end(): string {
    return this.state === 'in the story' ? '' : this.begin();
  }

  private readFirstLine(): void {
    const end = this.held.search(/[\r\n]/);
    if (end === -1 && this.held.length <= FIRST_LINE_LENGTH_MAX) {
      return;
    }
    this.title = end === -1 ? null : titleIn(this.held.slice(0, end));
    this.held = this.title === null ? this.held : this.held.slice(end).trimStart();
    this.state = 'before the story';
  }

  private begin(): string {
    const { held } = this;
    this.held = '';
    this.state = 'in the story';
    return held;
  }
}

const WORDS: Record<StoryLength, string> = { short: '300', medium: '800', long: '2,000' };

const PROMPT = new PromptFile('story');

/** No text of the wish can end its tag and give orders. */
function storyMessages({ prompt, genre, tone, characters, length }: StoryWish): ChatMessage[] {
  const told = characters.map(({ name, description }) =>
    description === null ? name : `${name}: ${description}`,
  );
  return PROMPT.fill({
    choices: { words: WORDS[length], language: languageOf(prompt, 'the language of the prompt') },
    material: { genre, tone, characters: told.join('\n') || null, prompt },
  }).messages('text');
}

export interface StoryOrder {
  readonly wish: StoryWish;
  readonly text: TextOrder<never>;
  readonly reader: StoryReader;
}

/** A new one is needed for each call, because it reads one answer. */
export function storyOrder(
  wish: StoryWish,
  how: Pick<TextOrder<never>, 'route' | 'temperature' | 'outputTokensMax' | 'isOutputOpen'>,
): StoryOrder {
  const reader = new StoryReader();
  return { wish, reader, text: { ...how, messages: storyMessages(wish), reader, embedded: null } };
}

/** The characters bound titles in scripts without spaces. */
const PROMPT_TITLE_WORDS_MAX = 8;
const PROMPT_TITLE_LENGTH_MAX = 60;

export function titleOfPrompt(prompt: string): string {
  const line = prompt.split(/[\r\n]+/).find((each) => /[\p{L}\p{N}]/u.test(each)) ?? '';
  const words = line.slice(0, 20 * PROMPT_TITLE_LENGTH_MAX).match(/\S+/gu) ?? [];
  let title = '';
  for (const word of words.slice(0, PROMPT_TITLE_WORDS_MAX)) {
    const longer = title === '' ? word : `${title} ${word}`;
    if (title !== '' && longer.length > PROMPT_TITLE_LENGTH_MAX) {
      break;
    }
    title = longer;
  }
  const short = Array.from(title).slice(0, PROMPT_TITLE_LENGTH_MAX).join('');
  const bare = short
    .replace(HEADING, '')
    .replace(MARKS_BEFORE, '')
    .replace(/[\s.,;:!?。！？、"'”»’*_`]+$/u, '');
  return bare === '' ? 'Untitled' : bare;
}
