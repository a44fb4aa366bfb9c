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
import type { GenerateStoryRequest, Story, StoryList } from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { type Estimate, type EstimatedCall, Estimates, planOf } from '../../contract/estimates';
import type { CallContext, Meter } from '../../contract/operation';
import { Serves } from '../../contract/serves';
import { Unprocessable } from '../../errors/api-errors';
import { openPeriod } from '../../ledger/period';
import { TextGeneration } from '../../models/generation/text-generation';
import type { GeneratedText } from '../../models/generation/text-order';
import { TypedStream } from '../../models/generation/text-streams';
import { ANY_MODEL, Models } from '../../models/models';
import type { StreamedAnswer } from '../../models/streamed-answer';
import { Clock } from '../../runtime/clock';
import { newId } from '../../runtime/ids';
import { titleOfPrompt } from '../../text/prompt-title';
import { Stories } from './stories.repository';
import {
  outlineActs,
  type OutlineMark,
  storyOrder,
  type StoryOrder,
  StoryEntity,
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

function toStory(story: StoryEntity): Story {
  const { inputTokens, outputTokens } = story;
  return {
    id: story.id,
    title: story.title,
    kind: story.kind,
    text: story.content,
    acts: story.acts.map(({ title, beats }) => ({ title, beats: [...beats] })),
    prompt: story.prompt,
    genre: story.genre,
    characters: story.characters.map(({ name, description }) => ({ name, description })),
    length: story.length,
    tone: story.tone,
    model: story.model,
    finish_reason: story.finishReason,
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
    created_at: story.createdAt.toISOString(),
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

/** Writes stories and stores them. */
@Injectable()
class StoryWriting {
  constructor(
    private readonly stories: Stories,
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
  constructor(
    private readonly stories: Stories,
    private readonly writing: StoryWriting,
  ) {}

  async generateStory(call: GenerateStoryCall): Promise<Story | StreamedAnswer> {
    const { order } = planOf(call, PlannedStory);
    return this.writing.generate(order, call, call.body.stream ?? false);
  }

  async listStories({ account, query }: ListStoriesCall): Promise<StoryList> {
    const { items, ...page } = await this.stories.list(account.id, { ...query, ...openPeriod(query) });
    return { stories: items.map(toStory), ...page };
  }

  async getStory({ account, params }: GetStoryCall): Promise<Story> {
    return toStory(await this.stories.get(account.id, params.story_id));
  }

  async deleteStory({ account, params }: DeleteStoryCall): Promise<void> {
    await this.stories.remove(account.id, params.story_id);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([StoryEntity])],
  controllers: [StoriesController],
  providers: [Stories, StoryEstimates, StoryWriting],
})
export class StoriesModule {}
