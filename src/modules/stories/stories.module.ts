import { Module } from '@nestjs/common';
import { StoriesController } from './stories.controller';
import { StoriesService } from './stories.service';
import { StoryEstimates } from './story-estimates';

@Module({
  controllers: [StoriesController],
  providers: [StoriesService, StoryEstimates],
})
export class StoriesModule {}
