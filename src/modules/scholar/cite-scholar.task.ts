import type { CiteScholarRequest, ScholarCitations } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import type { TextThreads } from '../../core/text/threads/text-threads';
import { readSources } from './read-sources';

export type Citations = Omit<ScholarCitations, 'model' | 'usage'>;

/**
 * Citations follow rules to the character, so no model is asked.
 * @throws Unprocessable for sources that readSources refuses
 */
export function citationsTask(
  { sources: given, style }: CiteScholarRequest,
  threads: TextThreads,
): AnswerTask<Citations> {
  const sources = readSources(given);
  const reads = [JSON.stringify(given)];
  return {
    question: null,
    embedded: {
      method: 'citation-styles',
      answer: async (signal) => {
        const { citations, bibliography } = await threads.run(
          'writeCitations',
          { sources, style },
          reads,
          signal,
        );
        return {
          style,
          citations: citations.map(({ inText, ...citation }) => ({ ...citation, in_text: inText })),
          bibliography,
        };
      },
    },
    reads,
  };
}
