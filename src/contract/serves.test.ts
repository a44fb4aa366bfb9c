import { schemas } from '../../generated/schemas';
import type { OmmAnalysis, OmmBatch } from '../../generated/types';
import { processorMsOf } from '../../test/support/processor-time';
import { answerSerializer, type OperationPolicy, serializerOf } from './operation';

/** Some megabytes of what twenty analyses of many entities answer with. */
function batch(): { data: OmmBatch; metadata: object } {
  const entity = { type: 'person' as const, text: 'Ada Lovelace', start: 5, end: 17, value: null };
  const statistics = {
    characters: 1,
    words: 1,
    sentences: 1,
    paragraphs: 1,
    average_sentence_words: 1,
    average_word_syllables: 1,
    reading_time_seconds: 1,
  };
  const readability = { flesch_reading_ease: null, flesch_kincaid_grade: null, reading_level: null };
  const entities = Array.from({ length: 3_000 }, () => entity);
  const about = { index: 0, type: 'text' as const, media_type: 'text/plain', size_bytes: 1 };
  const text = { language: 'en', statistics, readability, entities };
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const results = [{ ...about, text, image: null, document: null }];
  const data: OmmAnalysis = { results, model: 'embedded-analysis-1', usage };
  const items = Array.from({ length: 20 }, (_, index) => ({
    index,
    operation: 'analyze' as const,
    status: 200,
    data,
    error: null,
    cost: 0.1,
    request_id: '0192f0c6-81b0-7a14-8e6d-5c2f9b3d7e08',
  }));
  const metadata = { request_id: 'a', timestamp: '2026-11-21T09:30:00.000Z', cost: 2 };
  return { data: { results: items, succeeded: 20, failed: 0, cost: 2 }, metadata };
}

test('does not look through the answers in a batch again, which were written by their own schemas', async () => {
  const serialize = answerSerializer({ operationId: 'runOmmBatch', status: 200 } as OperationPolicy);
  const answer = batch();
  let text = '';
  const write = () => {
    text = serialize(answer);
    return Promise.resolve();
  };
  await write();
  const plainMs = await processorMsOf(() => Promise.resolve(void JSON.stringify(answer)));
  expect(await processorMsOf(write)).toBeLessThan(4 * plainMs + 20);
  expect(JSON.parse(text)).toEqual(answer);
});

test('compiles every response schema of the document', () => {
  const responses = Object.values(schemas).flatMap((operation) => Object.values(operation?.responses ?? {}));
  const found = responses.filter((schema) => schema !== null);
  expect(found.length).toBeGreaterThan(100);
  // An answer without its members is refused by a compiled function; a schema that doesn't compile has another error.
  const faults = found
    .map(faultOf)
    .filter((fault) => !/^("\w+" is required!|The value of .* does not match|wrote )/.test(fault));
  expect(faults).toEqual([]);
});

function faultOf(schema: object): string {
  try {
    return `wrote ${serializerOf(schema)({})} of nothing`;
  } catch (error) {
    return (error as Error).message;
  }
}
