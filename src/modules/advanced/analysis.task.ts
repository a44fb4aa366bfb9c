import type { AnalyzeAdvancedRequest, FoundKeyword, TextTone } from '../../../generated/types';
import type { AnswerTask } from '../../core/models/generation/answer-task';
import { PromptTemplate } from '../../core/models/structured/prompt-template';
import { mayBeEnglish } from '../../core/text/language/detect-language';
import { quoteFaults, quotesIn, type Quote } from '../../core/text/quotes-in';
import type { TextThreads } from '../../core/text/threads/text-threads';
import { textTone } from './text-measures';
import { countedKeywords, keywordFaults, KEYWORDS_SCHEMA } from './told-keywords';
import { TONE_SCHEMA, toneFaults } from './told-tone';

/** The part of an analysis that a model can do better than rules. */
export interface ToldAnalysis {
  summary: string;
  key_points: Quote[];
  keywords: FoundKeyword[];
  tone: TextTone | null;
}

interface Told {
  readonly summary: string;
  readonly key_points: readonly string[];
  readonly keywords: readonly string[];
  readonly tone: TextTone;
}

const TEMPLATE = new PromptTemplate(
  'Analyze this text:\n{{text}}\nsummary: at most {{sentences}} sentences in the language of the text; add nothing that does not ' +
    'stand in it. key_points: the sentences that the summary rests on, word for word. keywords: at most {{keywords}} words or ' +
    'phrases from the text, written as there, the most telling first. tone: its sentiment with a score from -1 to 1, its formality, ' +
    'and as signals the words that show them.',
);

const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['summary', 'key_points', 'keywords', 'tone'],
  properties: {
    summary: { type: 'string', minLength: 1 },
    key_points: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'string', minLength: 1 } },
    keywords: KEYWORDS_SCHEMA,
    tone: TONE_SCHEMA,
  },
};

/** Summary, key points, keywords and tone of a text. */
export function analysisTask(
  text: string,
  { sentences: sentencesMax, keywords_max: keywordsMax }: AnalyzeAdvancedRequest,
  threads: TextThreads,
): AnswerTask<ToldAnalysis> {
  return {
    question: {
      template: TEMPLATE,
      variables: { text, sentences: String(sentencesMax), keywords: String(keywordsMax) },
      name: 'text_analysis',
      schema: SCHEMA,
      check: ({ key_points: points, keywords, tone }: Told) => [
        ...quoteFaults(points, text),
        ...keywordFaults(keywords, text),
        ...toneFaults(tone),
      ],
      read: ({ summary, key_points: points, keywords, tone }: Told) => ({
        summary,
        key_points: quotesIn(points, text),
        keywords: countedKeywords(keywords, keywordsMax, text),
        tone,
      }),
    },
    embedded: {
      method: 'text-rank',
      answer: async (signal) => {
        const [summary, keywords, tone] = await Promise.all([
          threads.run('summarizeText', { text, sentencesMax }, [text], signal),
          threads.run('findKeywords', { text, countMax: keywordsMax }, [text], signal),
          mayBeEnglish(text) ? threads.run('analyzeTone', text, [text], signal) : null,
        ]);
        return {
          summary: summary.text,
          key_points: summary.sentences,
          keywords,
          tone: tone && textTone(tone),
        };
      },
    },
    reads: [text],
  };
}
