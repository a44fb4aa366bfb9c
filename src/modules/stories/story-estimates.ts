import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { GenerateStoryRequest } from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { Unprocessable } from '../../core/errors/request-errors';
import { storyOrder, type StoryOrder } from '../../core/knowledge/stories/story-order';
import { TextGeneration } from '../../core/models/generation/text-generation';
import { ANY_MODEL, Models } from '../../core/models/models';
import { toWish } from './stories.mapper';

/** The story that a call was priced by, which its handler then asks for. */
export class PlannedStory {
  constructor(readonly order: StoryOrder) {}
}

/** Estimates the most that a story may use, before anything is reserved. */
@Injectable()
export class StoryEstimates implements OnModuleInit {
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
