import {
  storiesApi,
  type DeleteStoryCall,
  type GenerateStoryCall,
  type GetStoryCall,
  type ListStoriesCall,
  type StoriesApi,
} from '../../../generated/contract';
import type { Story, StoryList } from '../../../generated/types';
import { planOf } from '../../contract/estimates';
import { Serves } from '../../contract/serves.decorator';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { toStory } from './stories.mapper';
import { StoriesService } from './stories.service';
import { PlannedStory } from './story-estimates';

@Serves(storiesApi)
export class StoriesController implements StoriesApi {
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
