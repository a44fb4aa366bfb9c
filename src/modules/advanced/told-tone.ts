import type { TextTone } from '../../../generated/types';

/** The schema of a tone that a model tells. */
export const TONE_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['sentiment', 'sentiment_score', 'formality', 'signals'],
  properties: {
    sentiment: { type: 'string', enum: ['negative', 'neutral', 'positive'] },
    sentiment_score: { type: 'number', minimum: -1, maximum: 1 },
    formality: { type: 'string', enum: ['informal', 'neutral', 'formal'] },
    signals: { type: 'array', maxItems: 20, items: { type: 'string', minLength: 1, maxLength: 500 } },
  },
};

/** A sentence for the model where its word and its number contradict each other. */
export function toneFaults({ sentiment, sentiment_score: score }: TextTone): string[] {
  const contradicts = (sentiment === 'negative' && score > 0) || (sentiment === 'positive' && score < 0);
  return contradicts ? [`The sentiment is ${sentiment}, but its score is ${score}.`] : [];
}
