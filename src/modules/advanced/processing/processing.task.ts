import type { ProcessedContent, ProcessingParameters, ProcessingType } from '../../../../generated/types';
import type { AnswerTask } from '../../../core/models/generation/answer-task';
import type { TextThreads } from '../../../core/text/threads/text-threads';
import { classifyTask } from './classify.task';
import { entitiesTask } from './entities.task';
import { ruleTask } from './rule.task';
import { keywordsTask, sentimentTask, summarizeTask } from './told.tasks';
import { rewriteTask, translateTask } from './written.tasks';

export type Result = ProcessedContent['result'];
export type Processed = Pick<ProcessedContent, 'processing_type' | 'result'>;

/** The task of processing a text; the parameters have been checked. */
export function processingTask(
  text: string,
  type: ProcessingType,
  parameters: ProcessingParameters,
  threads: TextThreads,
): AnswerTask<Processed> {
  const { question, embedded, reads } = resultTask(text, type, parameters, threads);
  const named = (result: Result): Processed => ({ processing_type: type, result });
  return {
    question: question && {
      ...question,
      read: (told: never) => named(question.read ? question.read(told) : told),
    },
    embedded: embedded && {
      method: embedded.method,
      answer: async (signal) => named(await embedded.answer(signal)),
    },
    reads,
  };
}

function resultTask(
  text: string,
  type: ProcessingType,
  parameters: ProcessingParameters,
  threads: TextThreads,
): AnswerTask<Result> {
  switch (type) {
    case 'summarize':
      return summarizeTask(text, parameters.sentences ?? 5, threads);
    case 'keywords':
      return keywordsTask(text, parameters.keywords_max ?? 20, threads);
    case 'entities':
      return entitiesTask(text, parameters.entity_types ?? null, threads);
    case 'classify':
      return classifyTask(text, parameters.labels ?? [], threads);
    case 'sentiment':
      return sentimentTask(text, threads);
    case 'translate':
      return translateTask(text, parameters.target_language ?? '', parameters.source_language ?? null);
    case 'rewrite':
      return rewriteTask(text, parameters);
    case 'language':
    case 'readability':
    case 'statistics':
    case 'outline':
    case 'tables':
    case 'key_values':
      return ruleTask(text, type, parameters.level_max ?? 6, threads);
  }
}
