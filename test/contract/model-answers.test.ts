import { prices } from '../../generated/contract';
import type { JsonObject } from '../../scripts/generate/json';
import { parseUsd } from '../../src/ledger/money';
import { callAs } from '../support/api/call-as';
import { examplesOf, operations, type PublishedOperation } from '../support/api/published-document';
import type { ApiAnswer, OperationId } from '../support/api/service';
import { World } from '../support/api/world';
import { AskedModel, rightAnswer } from '../support/upstream/asked-model';
import { MockUpstream } from '../support/upstream/mock-upstream';
import { ServiceWithUpstreams } from '../support/upstream/service-with-upstreams';

/** The groups whose operations answer with typed fields. */
const TAGS = ['omm', 'legal', 'professional', 'advanced', 'scholar', 'creative', 'docs'];
const USAGE = { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 };
const BROKEN: Record<string, { content: string; finishReason?: string }> = {
  'no JSON': { content: 'Gladly! Here is what I found.' },
  'an empty object': { content: '{}' },
  'a list': { content: '[]' },
  'half an answer': { content: '{"summary": "It' },
  'fields of another type': { content: '{"summary": {"of": 1}}' },
};

/** In place of the document's example, which a rule answers, or whose answer has to count lines. */
const BODIES: Record<string, JsonObject> = {
  brainstormCreative: { topic: 'A repair café for bicycles', count: 1 },
  generateAdvanced: { prompt: 'Write a note on letters.' },
  generateCreative: { form: 'blurb', prompt: 'A lighthouse keeper finds a letter.' },
  generateDocs: { kind: 'readme', brief: 'A small server that keeps letters.' },
  researchScholar: { question: 'When was the lighthouse built?' },
};
const INDEXED = 'The lighthouse was built in 1871.';
const answered = operations.filter(
  ({ policy, definition }) =>
    TAGS.includes(policy.tag) && policy.model === 'chat' && definition.requestBody !== undefined,
);

let upstream: MockUpstream;
let running: ServiceWithUpstreams;
let world: World;

beforeAll(async () => {
  upstream = await MockUpstream.start();
  running = await ServiceWithUpstreams.start([
    { name: 'mock', base_url: upstream.baseUrl, models: [{ id: 'mock-1' }] },
  ]);
  world = await World.create(running.service);
  await callAs('indexRagDocument', world, { body: { content: INDEXED } });
  await world.setBalanceUsd(world.owner, '1000');
});
beforeEach(() => upstream.reset());
afterAll(async () => {
  expect(await running.faults()).toEqual([]);
  await running.stop();
  await upstream.stop();
});

it.each(TAGS)('%s has operations that ask a model', (tag) => {
  expect(answered.filter(({ policy }) => policy.tag === tag)).not.toEqual([]);
});

describe('an answer as the model was asked for it is given and charged', () => {
  it.each(answered)('$policy.operationId', async (operation) => {
    upstream.mock.on({ predicate: () => true }, (request) => ({
      content: rightAnswer(new AskedModel(request as unknown as JsonObject)),
      usage: USAGE,
    }));
    const before = await world.balanceNanoUsd();
    const answer = await call(operation);
    expect([answer.status, answer.text]).toEqual([operation.policy.status, answer.text]);
    expect(upstream.bodies.length).toBeGreaterThan(0);
    expect(before - (await world.balanceNanoUsd())).toBe(priceOf(operation));
    expect(answer.headers['x-model-used']).toBe('mock-1');
  });
});

describe('an answer that was repaired is given, and both requests for it are charged', () => {
  it.each(answered)('$policy.operationId', async (operation) => {
    upstream.mock.on({ predicate: () => true }, (request) => ({
      content:
        upstream.bodies.length < 1
          ? 'Gladly! Here is what I found.'
          : rightAnswer(new AskedModel(request as unknown as JsonObject)),
      usage: USAGE,
    }));
    const before = await world.balanceNanoUsd();
    const answer = await call(operation);
    expect([answer.status, answer.text]).toEqual([operation.policy.status, answer.text]);
    expect(upstream.bodies).toHaveLength(2);
    expect(before - (await world.balanceNanoUsd())).toBe(priceOf(operation));
  });
});

describe.each(Object.entries(BROKEN))('%s is asked for once more, and never charged', (_, broken) => {
  it.each(answered)('$policy.operationId', async (operation) => {
    upstream.mock.on({ predicate: () => true }, { ...broken, usage: USAGE });
    const before = await world.balanceNanoUsd();
    const answer = await call(operation);
    expect([answer.status, answer.text]).toEqual([502, answer.text]);
    expect(upstream.bodies).toHaveLength(2);
    expect(await world.balanceNanoUsd()).toBe(before);
  });
});

describe('an upstream that fails is not charged', () => {
  it.each(answered)('$policy.operationId', async (operation) => {
    upstream.mock.on(
      { predicate: () => true },
      { error: { message: 'No.', type: 'server_error' }, status: 500 },
    );
    const before = await world.balanceNanoUsd();
    const answer = await call(operation);
    expect([answer.status >= 500, answer.text]).toEqual([true, answer.text]);
    expect(await world.balanceNanoUsd()).toBe(before);
  });
});

function call({ policy, definition }: PublishedOperation): Promise<ApiAnswer> {
  const [example] = examplesOf(definition.requestBody as JsonObject);
  return callAs(policy.operationId as OperationId, world, { body: BODIES[policy.operationId] ?? example });
}

/** What the operation costs with the usage of every request that reached the upstream. */
function priceOf({ policy }: PublishedOperation): bigint {
  const { base, perToken } = prices[policy.price as keyof typeof prices];
  const tokens = BigInt(USAGE.total_tokens * upstream.bodies.length);
  return parseUsd(base) + parseUsd(perToken ?? '0') * tokens;
}
