import { isDeepStrictEqual } from 'node:util';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Column, Entity, MoreThan, PrimaryColumn } from 'typeorm';
import { type Call, storiesApi, type StoriesApi } from '../../../generated/contract';
import type {
  GenerateStoryRequest,
  Story,
  StoryAct,
  StoryCharacter,
  StoryLength,
  StoryList,
} from '../../../generated/types';
import { AccountRows, lockAccount, RETRIED_FOR_MS } from '../../accounts/account-rows';
import { type Estimate, type EstimatedCall, Estimates, planOf, Serves } from '../../contract/operation';
import { AccountDatabases } from '../../database/account-databases';
import { IdempotencyKeyUsed, Unprocessable } from '../../errors/api-errors';
import { usageFields } from '../../ledger/money';
import { openPeriod } from '../../ledger/period';
import { refuseFullStorage } from '../../ledger/storage-limit';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { TextGeneration } from '../../models/generation/text-generation';
import type { GeneratedText, PieceReader, TextOrder, TextTerms } from '../../models/generation/text-order';
import { TypedStream } from '../../models/generation/text-streams';
import type { ChatMessage } from '../../models/model-provider';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/json';

interface StoryWish {
  readonly prompt: string;
  readonly genre: string | null;
  readonly characters: StoryCharacter[];
  readonly length: StoryLength;
  readonly tone: string | null;
}

@Entity('stories')
class StoryEntity implements StoryWish {
  @PrimaryColumn('uuid') id!: string;
  @Column('uuid') accountId!: string;
  @Column('text', { nullable: true }) idempotencyId!: string | null;
  @Column('text') title!: string;
  /** `outline` is a story made by a rule; only older ones are. */
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
  const described = characters.map(({ name, description }) =>
    description === null ? name : `${name}: ${description}`,
  );
  return PROMPT.fill({
    choices: { words: WORDS[length], language: languageOf(prompt, 'the language of the prompt') },
    material: { genre, tone, characters: described.join('\n') || null, prompt },
  }).messages('text');
}

/** One per call, because it reads one answer. */
class StoryOrder {
  readonly reader = new StoryReader();
  readonly text: TextOrder<never>;

  constructor(
    readonly wish: StoryWish,
    terms: TextTerms,
  ) {
    this.text = { ...terms, messages: storyMessages(wish), reader: this.reader, embedded: null };
  }
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

/** Required room before a story is written; few are a tenth as long. */
const STORY_BYTES_MAX = 256 * 1024;

@Injectable()
export class Stories extends AccountRows<StoryEntity> {
  constructor(databases: AccountDatabases) {
    super(databases, StoryEntity, {
      name: 'story',
      plural: 'stories',
      countMax: 10_000,
      // Numbers, ids, times and the names of the members take less than 700 bytes.
      size: {
        storedBytes: 'octet_length(content) + octet_length(prompt)',
        jsonBytes: `octet_length(to_json(content)::text) + octet_length(to_json(prompt)::text)
          + octet_length(to_json(title)::text) + octet_length(to_json(model)::text)
          + coalesce(octet_length(to_json(genre)::text), 0) + coalesce(octet_length(to_json(tone)::text), 0)
          + coalesce(octet_length(to_json(finish_reason)::text), 0)
          + octet_length(acts::text) + octet_length(characters::text) + 700`,
      },
    });
  }

  /** @throws Conflict at 10,000 stories or without room, before a story is written that could not be stored */
  async refuseFull(accountId: string): Promise<void> {
    await this.refuseAtCap(accountId);
    await refuseFullStorage(this.databases.of(accountId), accountId, STORY_BYTES_MAX);
  }

  async earlier(
    {
      accountId,
      idempotencyId,
      createdAt: now,
    }: Pick<StoryEntity, 'accountId' | 'idempotencyId' | 'createdAt'>,
    wish: StoryWish,
    manager = this.databases.of(accountId).manager,
  ): Promise<StoryEntity | null> {
    if (idempotencyId === null) {
      return null;
    }
    const createdAt = MoreThan(new Date(now.getTime() - RETRIED_FOR_MS));
    const story = await manager.findOneBy(StoryEntity, { accountId, idempotencyId, createdAt });
    if (story && !isDeepStrictEqual(wishOf(story), wishOf(wish))) {
      throw new IdempotencyKeyUsed();
    }
    return story;
  }

  /** The account stays locked, so that racing tries of one call see each other's story. */
  async insert(story: StoryEntity): Promise<StoryEntity> {
    return this.transaction(story.accountId, async (manager) => {
      await lockAccount(manager, story.accountId);
      const earlier = await this.earlier(story, story, manager);
      if (earlier) {
        return earlier;
      }
      await this.insertWithinCap(manager, story);
      return story;
    });
  }
}

function wishOf({ prompt, genre, characters, length, tone }: StoryWish): StoryWish {
  return { prompt, genre, characters, length, tone };
}

function toWish(body: GenerateStoryRequest): StoryWish {
  return {
    prompt: body.prompt,
    genre: body.genre ?? null,
    characters: (body.characters ?? []).map(({ name, description }) => ({
      name,
      description: description ?? null,
    })),
    length: body.length ?? 'medium',
    tone: body.tone ?? null,
  };
}

function toStory(story: StoryEntity): Story {
  return {
    ...inSnakeCase(story, 'id', 'title', 'kind', 'prompt', 'genre', 'length', 'tone'),
    text: story.content,
    acts: story.acts,
    characters: story.characters,
    ...inSnakeCase(story, 'model', 'finishReason', 'createdAt'),
    usage: usageFields(story),
  };
}

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

@Serves(storiesApi)
class StoriesController implements StoriesApi, OnModuleInit {
  constructor(
    private readonly stories: Stories,
    private readonly generation: TextGeneration,
    private readonly estimates: Estimates,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.estimates.register('generateStory', (call) => this.estimate(call));
  }

  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const asked = body as GenerateStoryRequest;
    if (!/[\p{L}\p{N}]/u.test(asked.prompt)) {
      throw new Unprocessable('The prompt has no letter and no digit: there is nothing to tell of.');
    }
    const order = new StoryOrder(toWish(asked), await this.generation.terms(asked));
    return { ...(await this.generation.bound(order.text, signal)), choices: 1, plan: order };
  }

  /** A retry of a call that died before its settlement pays the base price: its tokens may have been charged. */
  async generateStory(call: Call<'generateStory'>): Promise<Story | StreamedAnswer> {
    const order = planOf(call, StoryOrder);
    const { account, idempotencyId, meter } = call;
    const asked = { accountId: account.id, idempotencyId, createdAt: this.clock.now() };
    const earlier = await this.stories.earlier(asked, order.wish);
    if (earlier) {
      meter.report({ inputTokens: 0, outputTokens: 0 });
      call.setHeader('X-Model-Used', earlier.model);
      return toStory(earlier);
    }
    await this.stories.refuseFull(account.id);
    if (call.body.stream ?? false) {
      const text = await this.generation.stream(order.text, call);
      return new TypedStream({ text, finish: (written) => this.store(order, written, call) });
    }
    return this.store(order, await this.generation.write(order.text, call), call);
  }

  /** A story whose caller is gone or timed out is not stored: nobody would know of it. */
  private async store(
    { wish, reader }: StoryOrder,
    written: GeneratedText<never>,
    { account, idempotencyId, signal }: Call<'generateStory'>,
  ): Promise<Story> {
    signal.throwIfAborted();
    const story = await this.stories.insert({
      id: newId(),
      accountId: account.id,
      idempotencyId,
      title: reader.title ?? titleOfPrompt(wish.prompt),
      kind: 'prose',
      content: storable(written.text),
      acts: [],
      ...wish,
      model: storable(written.model),
      finishReason: written.finishReason === null ? null : storable(written.finishReason),
      ...written.use,
      createdAt: this.clock.now(),
    });
    return toStory(story);
  }

  async listStories({ account, query }: Call<'listStories'>): Promise<StoryList> {
    const { items, ...page } = await this.stories.list(account.id, { ...query, ...openPeriod(query) });
    return { stories: items.map(toStory), ...page };
  }

  async getStory({ account, params }: Call<'getStory'>): Promise<Story> {
    return toStory(await this.stories.get(account.id, params.story_id));
  }

  async deleteStory({ account, params }: Call<'deleteStory'>): Promise<void> {
    await this.stories.remove(account.id, params.story_id);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([StoryEntity])],
  controllers: [StoriesController],
  providers: [Stories],
})
export class StoriesModule {}
