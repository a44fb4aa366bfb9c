import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import {
  type DeleteStoryCall,
  type GenerateStoryCall,
  type GetStoryCall,
  type ListStoriesCall,
  storiesApi,
  type StoriesApi,
} from '../../../generated/contract';
import type { GenerateStoryRequest, ListStoriesQuery, Story, StoryList } from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { type Estimate, type EstimatedCall, Estimates, planOf } from '../../contract/estimates';
import type { CallContext, Meter } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import type { BoundedPage } from '../../database/bounded-statements';
import { NotFound, Unprocessable } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { TextGeneration } from '../../models/generation/text-generation';
import type { GeneratedText } from '../../models/generation/text-order';
import { TypedStream } from '../../models/generation/text-streams';
import { ANY_MODEL, Models } from '../../models/models';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { titleOfPrompt } from '../../text/prompt-title';
import { StoriesRepository } from './stories.repository';
import {
  outlineActs,
  type OutlineMark,
  storyOrder,
  type StoryOrder,
  StoryRecord,
  type StoryWish,
} from './story-order';

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

function toStory(record: StoryRecord): Story {
  const { inputTokens, outputTokens } = record;
  return {
    id: record.id,
    title: record.title,
    kind: record.kind,
    text: record.content,
    acts: record.acts.map(({ title, beats }) => ({ title, beats: [...beats] })),
    prompt: record.prompt,
    genre: record.genre,
    characters: record.characters.map(({ name, description }) => ({ name, description })),
    length: record.length,
    tone: record.tone,
    model: record.model,
    finish_reason: record.finishReason,
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    created_at: record.createdAt.toISOString(),
  };
}

/** The story that a call was priced by, which its handler then asks for. */
class PlannedStory {
  constructor(readonly order: StoryOrder) {}
}

/** Estimates the most that a story may use, before anything is reserved. */
@Injectable()
class StoryEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly models: Models,
    private readonly generation: TextGeneration,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.estimates.register('generateStory', (call) => this.estimate(call));
  }

  /** @throws Unprocessable for a prompt that says nothing, and what Models.route and TextGeneration.bound throw */
  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const asked = body as GenerateStoryRequest;
    if (!/[\p{L}\p{N}]/u.test(asked.prompt)) {
      throw new Unprocessable('The prompt has no letter and no digit: there is nothing to tell of.');
    }
    const order = storyOrder(toWish(asked), {
      route: await this.models.route('chat', asked.model ?? ANY_MODEL, asked.allow_degraded ?? false),
      temperature: asked.temperature ?? null,
      outputTokensMax: asked.max_tokens ?? this.configuration.defaultOutputTokensMax,
    });
    const bound = await this.generation.bound(order.text, signal);
    return { ...bound, choices: 1, plan: new PlannedStory(order) };
  }
}

type StoryCall = Pick<CallContext, 'signal' | 'setHeader' | 'setEngine' | 'idempotencyId'> & {
  account: { readonly id: string };
  meter: Meter;
};

/** The stories of an account. */
@Injectable()
class StoriesService {
  constructor(
    private readonly stories: StoriesRepository,
    private readonly generation: TextGeneration,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes and stores a story. A retry of a call that stored its story, but died before its settlement, gets that story
   * for the base price, because nobody can tell any more whether its tokens were charged.
   * @throws Conflict when the account has 10,000 stories, Unprocessable for an Idempotency-Key of another story, and what
   * TextGeneration.write throws
   */
  async generate(order: StoryOrder, call: StoryCall, streams: boolean): Promise<Story | StreamedAnswer> {
    const { account, idempotencyId, meter } = call;
    const asked = { accountId: account.id, idempotencyId, now: this.clock.now() };
    const earlier = await this.stories.earlier(asked, order.wish);
    if (earlier) {
      meter.report({ inputTokens: 0, outputTokens: 0 });
      call.setHeader('X-Model-Used', earlier.model);
      return toStory(earlier);
    }
    await this.stories.refuseFull(account.id);
    if (streams) {
      const text = await this.generation.stream(order.text, call);
      return new TypedStream({ text, finish: (written) => this.store(order, written, call) });
    }
    return this.store(order, await this.generation.write(order.text, call), call);
  }

  /** @throws Unprocessable when the period would end before it starts */
  async list(
    accountId: string,
    query: ListStoriesQuery,
  ): Promise<BoundedPage<StoryRecord> & { total: number }> {
    const { start, end } = openPeriod(query);
    return this.stories.list(accountId, { ...query, createdFrom: start, createdBefore: end });
  }

  /** @throws NotFound where the account has no story of that id */
  async get(accountId: string, id: string): Promise<StoryRecord> {
    return this.stories.get(accountId, id);
  }

  /** @throws NotFound where the account has no story of that id */
  async remove(accountId: string, id: string): Promise<void> {
    if (!(await this.stories.remove(accountId, id))) {
      throw new NotFound('story');
    }
  }

  /** A story whose caller has gone, or whose time is over, is not stored: nobody was told of it. */
  private async store(
    { wish, reader }: StoryOrder,
    written: GeneratedText<OutlineMark>,
    { account, idempotencyId, signal }: StoryCall,
  ): Promise<Story> {
    signal.throwIfAborted();
    const isOutline = written.detail === 'outline';
    const story = await this.stories.insert({
      id: newId(),
      accountId: account.id,
      idempotencyId,
      title: (isOutline ? null : reader.title) ?? titleOfPrompt(wish.prompt),
      kind: isOutline ? 'outline' : 'prose',
      content: storable(written.text),
      acts: isOutline ? outlineActs(written.text) : [],
      ...wish,
      model: storable(written.model),
      finishReason: written.finishReason === null ? null : storable(written.finishReason),
      ...written.use,
      createdAt: this.clock.now(),
    });
    return toStory(story);
  }
}

/** A text of an upstream's as Postgres can store it. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}

@Serves(storiesApi)
class StoriesController implements StoriesApi {
  constructor(private readonly stories: StoriesService) {}

  async generateStory(call: GenerateStoryCall): Promise<Story | StreamedAnswer> {
    const { order } = planOf(call, PlannedStory);
    return this.stories.generate(order, call, call.body.stream ?? false);
  }

  async listStories({ account, query }: ListStoriesCall): Promise<StoryList> {
    const { items, isTruncated, total } = await this.stories.list(account.id, query);
    return {
      stories: items.map(toStory),
      total,
      limit: isTruncated ? items.length : query.limit,
      offset: query.offset,
      truncated: isTruncated,
    };
  }

  async getStory({ account, params }: GetStoryCall): Promise<Story> {
    return toStory(await this.stories.get(account.id, params.story_id));
  }

  async deleteStory({ account, params }: DeleteStoryCall): Promise<void> {
    await this.stories.remove(account.id, params.story_id);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([StoryRecord])],
  controllers: [StoriesController],
  providers: [StoriesRepository, StoriesService, StoryEstimates],
})
export class StoriesModule {}
