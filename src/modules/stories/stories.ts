import { isDeepStrictEqual } from 'node:util';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DataSource, type EntityManager, MoreThan } from 'typeorm';
import { type Call, storiesApi, type StoriesApi } from '../../../generated/contract';
import type { GenerateStoryRequest, Story, StoryList } from '../../../generated/types';
import { AccountRows, RETRIED_FOR_MS } from '../../accounts/account-rows';
import { Configuration } from '../../config/configuration';
import { type Estimate, type EstimatedCall, Estimates, planOf } from '../../contract/estimates';
import { Serves } from '../../contract/operation';
import { Unprocessable } from '../../errors/api-errors';
import { usageFields } from '../../ledger/money';
import { openPeriod } from '../../ledger/period';
import { refuseFullStorage } from '../../ledger/storage-limit';
import { TextGeneration, textRoom } from '../../models/generation/text-generation';
import type { GeneratedText } from '../../models/generation/text-order';
import { TypedStream } from '../../models/generation/text-streams';
import { ANY_MODEL, Models } from '../../models/models';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { inSnakeCase } from '../../runtime/snake-case';
import { StoryEntity, storyOrder, type StoryOrder, type StoryWish, titleOfPrompt } from './story-order';

/** So much room there has to be before a story is written; few are a tenth as long. */
const STORY_BYTES_MAX = 256 * 1024;

interface StoryTry {
  readonly accountId: string;
  readonly idempotencyId: string | null;
  readonly now: Date;
}

@Injectable()
export class Stories extends AccountRows<StoryEntity> {
  constructor(database: DataSource) {
    super(database, StoryEntity, {
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

  /** @throws Conflict when the account has 10,000 stories or no room for one, so that no story is written that cannot be stored */
  async refuseFull(accountId: string): Promise<void> {
    await this.refuseAtCap(accountId);
    await refuseFullStorage(this.database, accountId, STORY_BYTES_MAX);
  }

  /** @throws Unprocessable when the earlier try of the call asked for another story */
  async earlier(asked: StoryTry, wish: StoryWish): Promise<StoryEntity | null> {
    return earlierOf(this.database.manager, asked, wish);
  }

  /** The account is locked until the end, so that tries of one call which race see each other's story. */
  async insert(story: StoryEntity): Promise<StoryEntity> {
    const { accountId, idempotencyId, createdAt: now } = story;
    return this.database.transaction(async (manager) => {
      await manager.query(LOCK_ACCOUNT, [accountId]);
      const earlier = await earlierOf(manager, { accountId, idempotencyId, now }, story);
      if (earlier) {
        return earlier;
      }
      await this.insertWithinCap(manager, story);
      return story;
    });
  }
}

async function earlierOf(
  manager: EntityManager,
  { accountId, idempotencyId, now }: StoryTry,
  wish: StoryWish,
): Promise<StoryEntity | null> {
  if (idempotencyId === null) {
    return null;
  }
  const createdAt = MoreThan(new Date(now.getTime() - RETRIED_FOR_MS));
  const story = await manager.findOneBy(StoryEntity, { accountId, idempotencyId, createdAt });
  if (story && !isDeepStrictEqual(wishOf(story), wishOf(wish))) {
    throw new Unprocessable('This Idempotency-Key was used for another request.');
  }
  return story;
}

function wishOf({ prompt, genre, characters, length, tone }: StoryWish): StoryWish {
  return { prompt, genre, characters, length, tone };
}

const LOCK_ACCOUNT = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';

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

class PlannedStory {
  constructor(readonly order: StoryOrder) {}
}

function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

@Serves(storiesApi)
class StoriesController implements StoriesApi, OnModuleInit {
  constructor(
    private readonly stories: Stories,
    private readonly generation: TextGeneration,
    private readonly models: Models,
    private readonly estimates: Estimates,
    private readonly clock: Clock,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.estimates.register('generateStory', (call) => this.estimate(call));
  }

  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const asked = body as GenerateStoryRequest;
    if (!/[\p{L}\p{N}]/u.test(asked.prompt)) {
      throw new Unprocessable('The prompt has no letter and no digit: there is nothing to tell of.');
    }
    const route = await this.models.route('chat', asked.model ?? ANY_MODEL, asked.allow_degraded ?? false);
    const order = storyOrder(toWish(asked), {
      route,
      temperature: asked.temperature ?? null,
      ...textRoom(
        this.models.parted(route).upstreams ?? route,
        asked.max_tokens ?? null,
        this.configuration.defaultOutputTokensMax,
      ),
    });
    const bound = await this.generation.bound(order.text, signal);
    return { ...bound, choices: 1, plan: new PlannedStory(order) };
  }

  /** A retry of a call that died before its settlement gets its story for the base price: nobody knows whether its tokens were charged. */
  async generateStory(call: Call<'generateStory'>): Promise<Story | StreamedAnswer> {
    const { order } = planOf(call, PlannedStory);
    const { account, idempotencyId, meter } = call;
    const asked = { accountId: account.id, idempotencyId, now: this.clock.now() };
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

  /** A story whose caller has gone, or whose time is over, is not stored: nobody was told of it. */
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
