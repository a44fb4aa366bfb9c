import type { AnswerNotes } from '../../src/contract/answered-module';
import { countTokens } from '../../src/text/count-tokens';
import { callAs } from '../support/api/call-as';
import { TestService, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';
import { NDA_FIRST, NDA_SECOND, SERVICE_AGREEMENT } from '../support/legal/contract-fixtures';

type Found = Readonly<Record<string, unknown>>;
type Data = Found & { readonly usage: { readonly output_tokens: number } };

const TEXT =
  'Northwind GmbH opened a plant in Hamburg on 1 March 2027. The plant cost EUR 12,500,000.00. ' +
  'Maria Weber praised the plant, and the town praised Maria Weber.';
const PAPER = `# Results

Gardeners slept longer than their neighbours (Okafor, 2018), t(238) = 4.12, p < .001.

# References

Okafor, N. (2018). Lit evenings. Northern Press.
`;
/** Fields are sent in the document's order, which may have other tokens at their borders; a flag has five. */
const ORDER_TOKENS_MAX = 2;
const INPUTS = [{ type: 'text', content: TEXT }];

/** For each operation a body, and what is paid of the fields that it has found. */
const CHARGED: readonly [OperationId, object, (found: Found) => unknown][] = [
  [
    'processAdvanced',
    { content: TEXT, processing_type: 'summarize' },
    ({ processing_type, result }) => ({ processing_type, result: without(['summary'], result as Found) }),
  ],
  ['summarizeScholar', { content: PAPER }, (found) => ({ answer: without(['summary'], found) })],
  ['analyzeScholar', { content: PAPER }, (found) => ({ answer: found })],
  ['summarizeLegal', { content: NDA_FIRST }, (found) => without(['text'], found)],
  ['analyzeLegal', { content: SERVICE_AGREEMENT }, (found) => found],
  ['extractLegal', { content: SERVICE_AGREEMENT }, (found) => found],
  [
    'compareLegal',
    { before: { content: NDA_FIRST }, after: { content: NDA_SECOND } },
    ({ summary, ...comparison }) => ({ summary, comparison }),
  ],
  [
    'processInputs',
    { inputs: INPUTS, task: 'summarize' },
    ({ results }) => (results as Found[]).map((result) => without(['truncated'], result)),
  ],
  ['analyzeInputs', { inputs: INPUTS }, ({ results }) => results],
];

const NOTES = ['truncated', 'dropped', 'model', 'usage'] satisfies AnswerNotes[];

function without(names: readonly string[], found: object): object {
  return Object.fromEntries(Object.entries(found).filter(([field]) => !names.includes(field)));
}

let service: TestService;

beforeAll(async () => {
  service = await TestService.start();
});
afterAll(async () => service.stop());

it.each(CHARGED)(
  '%s is charged for each text once, and for no flag',
  async (operationId, body, chargedOf) => {
    const world = await World.create(service);
    const answer = await callAs(operationId, world, { body });
    expect(answer.status).toBe(200);
    const { data } = answer.body as unknown as { data: Data };
    const found = without([...NOTES, 'task', 'disclaimer'], data) as Found;
    const tokens = countTokens(JSON.stringify(chargedOf(found)));
    expect(Math.abs(data.usage.output_tokens - tokens)).toBeLessThanOrEqual(ORDER_TOKENS_MAX);
  },
);

it('generateWithRag is charged for its text once', async () => {
  const world = await World.create(service);
  expect((await callAs('indexRagDocument', world, { body: { content: TEXT } })).status).toBe(201);
  const { body } = await callAs('generateWithRag', world, { body: { query: 'What did the plant cost?' } });
  const { data } = body as unknown as { data: Data };
  expect(data.answer).toBe(data.text);
  expect(data.usage.output_tokens).toBe(countTokens(data.text as string));
});
