import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { GenerateWithRagRequest } from '../../../generated/types';
import { Configuration } from '../../config/configuration';
import { Estimates, type Estimate, type EstimatedCall } from '../../contract/estimates';
import { limitMetadata } from '../../core/knowledge/memories/limit-metadata';
import { RagAnswers, type RagQuestion } from '../../core/knowledge/rag/answers/rag-answers';
import { ANY_MODEL, Models } from '../../core/models/models';
import { toRetrieveOrder } from './rag.mapper';

/** The question that a call was priced by, which its handler then answers. */
export class PlannedQuestion {
  constructor(readonly question: RagQuestion) {}
}

/** Estimates the most that an answer from documents may use, before anything is reserved. */
@Injectable()
export class RagAnswerEstimates implements OnModuleInit {
  constructor(
    private readonly estimates: Estimates,
    private readonly models: Models,
    private readonly answers: RagAnswers,
    private readonly configuration: Configuration,
  ) {}

  onModuleInit(): void {
    this.estimates.register('generateWithRag', (call) => this.estimate(call));
  }

  /** @throws ValidationFailed for a filter that is too large, and what Models.route and RagAnswers.bound throw */
  private async estimate({ body, signal }: EstimatedCall): Promise<Estimate> {
    const asked = body as GenerateWithRagRequest;
    limitMetadata(asked.filter ?? {}, 'filter');
    const question: RagQuestion = {
      retrieve: toRetrieveOrder(asked),
      model: {
        route: await this.models.route('chat', asked.model ?? ANY_MODEL, asked.allow_degraded ?? false),
        temperature: asked.temperature ?? null,
        outputTokensMax: asked.max_tokens ?? this.configuration.defaultOutputTokensMax,
      },
    };
    return {
      ...(await this.answers.bound(question, signal)),
      choices: 1,
      plan: new PlannedQuestion(question),
    };
  }
}
