import { callAs } from '../api/call-as';
import { documentOf } from '../api/store-document';
import type { ApiAnswer, OperationId } from '../api/service';
import type { World } from '../api/world';

export const TEXT =
  'Northwind Analytics Ltd delivers the report to Harbour GmbH by 3 March 2026. The fee is EUR 4,250.00. The laws of England apply.';
const INDEXED = 'The lighthouse was built in 1871.';
const SCHEMA = { type: 'object', required: ['customer'], properties: { customer: { type: 'string' } } };
const CAFE = 'A repair café for bicycles in the old harbour.';

/** A call that a model answers, on a text that others may have written. */
export interface AnsweredCall {
  /** The operation, and which of its tasks. */
  readonly name: string;
  readonly operationId: OperationId;
  /** @param text what stands in the place of the text of others */
  readonly body: (text: string) => object;
  /** Whether the text is that of a stored document. */
  readonly isStored?: boolean;
  /** Whether the answer is a text and not fields. */
  readonly isText?: boolean;
}

const content =
  (fields: object = {}) =>
  (text: string) => ({ content: text, ...fields });
const processing = (type: string, parameters: object = {}): AnsweredCall => ({
  name: `processAdvanced ${type}`,
  operationId: 'processAdvanced',
  body: content({ processing_type: type, parameters }),
});
const input = (task: string, parameters?: object): AnsweredCall => ({
  name: `processInputs ${task}`,
  operationId: 'processInputs',
  body: (text) => ({ inputs: [{ type: 'text', content: text }], task, ...(parameters && { parameters }) }),
});
const of = (operationId: OperationId, body: AnsweredCall['body']): AnsweredCall => ({
  name: operationId,
  operationId,
  body,
});

/** Each domain operation that a model answers, and each of its tasks. */
export const ANSWERED_CALLS: readonly AnsweredCall[] = [
  of('analyzeLegal', content()),
  of('summarizeLegal', content()),
  of('extractLegal', content()),
  of('compareLegal', (text) => ({
    before: { content: 'The fee is EUR 4,000.00.' },
    after: { content: text },
  })),
  of('analyzeProfessional', content()),
  of('generateProfessional', (text) => ({ kind: 'memo', brief: text })),
  of('optimizeProfessional', content()),
  of('analyzeAdvanced', content()),
  of('generateAdvanced', (text) => ({ prompt: 'Write a note.', context: text })),
  of('optimizeAdvanced', content()),
  processing('summarize'),
  processing('keywords'),
  processing('entities'),
  processing('classify', { labels: [{ name: 'news' }, { name: 'greeting', examples: ['Good morning!'] }] }),
  processing('sentiment'),
  processing('translate', { target_language: 'de' }),
  processing('rewrite', { style: 'simple' }),
  of('researchScholar', (text) => ({ question: `When was the lighthouse built? ${text}` })),
  of('summarizeScholar', content()),
  of('analyzeScholar', content()),
  of('generateCreative', (text) => ({ form: 'blurb', prompt: text })),
  of('enhanceCreative', content()),
  of('brainstormCreative', (text) => ({ topic: `${CAFE} ${text}`, count: 1 })),
  of('generateDocs', (text) => ({ kind: 'readme', brief: text })),
  of('improveDocs', content()),
  input('describe'),
  input('summarize'),
  input('extract'),
  input('classify', { labels: ['news', 'greeting'] }),
  of('generateFromInputs', (text) => ({
    output_type: 'text',
    prompt: 'Write a note on {{input_1}}.',
    inputs: [{ type: 'text', content: text }],
  })),
  { ...of('extractDocument', () => ({ schema: SCHEMA })), isStored: true },
  { ...of('generateStory', (text) => ({ prompt: text })), isText: true },
  { ...of('generateWithRag', (text) => ({ query: `When was the lighthouse built? ${text}` })), isText: true },
];

/** Indexes what questions are answered from, in the place of what was indexed before. */
export async function indexSource(world: World, text = ''): Promise<void> {
  const answer = await callAs('indexRagDocument', world, {
    body: { document_id: 'lighthouse', content: `${INDEXED} ${text}`.trim() },
  });
  expect(answer.status).toBe(201);
}

export async function makeCall(
  { operationId, body, isStored }: AnsweredCall,
  world: World,
  fields: object,
  text = TEXT,
): Promise<ApiAnswer> {
  const params = isStored ? { doc_id: await documentOf(world, { text }) } : undefined;
  return callAs(operationId, world, { params, body: { ...body(text), ...fields } });
}
