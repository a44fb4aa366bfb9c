import { Injectable } from '@nestjs/common';
import type { ListStoriesQuery, Story } from '../../../generated/types';
import type { CallContext, Meter } from '../../contract/call';
import { NotFound } from '../../core/errors/request-errors';
import { StoriesRepository } from '../../core/knowledge/stories/stories.repository';
import type { OutlineMark, StoryOrder } from '../../core/knowledge/stories/story-order';
import { outlineActs } from '../../core/knowledge/stories/story-outline';
import { titleOfPrompt } from '../../core/text/title-of-prompt';
import type { StoryRecord } from '../../core/knowledge/stories/story.entity';
import { TextGeneration } from '../../core/models/generation/text-generation';
import type { GeneratedText } from '../../core/models/generation/text-order';
import { TypedStream } from '../../core/models/generation/typed-stream';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { openPeriod } from '../../core/money/usage/period';
import { Clock } from '../../infrastructure/clock/clock';
import type { BoundedPage } from '../../infrastructure/database/bounded-page';
import { newId } from '../../infrastructure/ids/ids';
import { toStory } from './stories.mapper';

type StoryCall = Pick<CallContext, 'signal' | 'setHeader' | 'setEngine' | 'idempotencyId'> & {
  account: { readonly id: string };
  meter: Meter;
};

/** The stories of an account. */
@Injectable()
export class StoriesService {
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
