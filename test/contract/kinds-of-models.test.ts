import Ajv2020 from 'ajv/dist/2020';
import { prices } from '../../generated/contract';
import { isForOthersClients } from '../../src/contract/operation';
import { parseUsd } from '../../src/ledger/money';
import { AskedModel, rightAnswer } from '../support/upstream/asked-model';
import { ANSWERED_CALLS, type AnsweredCall, indexSource, makeCall } from '../support/upstream/answered-calls';
import { operationOf, operations } from '../support/api/published-document';
import type { ApiAnswer } from '../support/api/service';
import { createAccount, World } from '../support/api/world';
import { RawUpstream } from '../support/upstream/raw-upstream';
import { endedTask, runTasks, submitTask } from '../support/tasks/task-scene';
import { ServiceWithUpstreams, type UpstreamEntry } from '../support/upstream/service-with-upstreams';
import { chatAnswer, errorReaction, jsonReaction } from '../support/upstream/upstream-answers';
import type { Reaction, RecordedRequest } from '../support/upstream/upstream-reaction';

const USAGE = { prompt_tokens: 70, completion_tokens: 30, total_tokens: 100 };
/** An upstream is left alone after five failures in a row: no more calls than that ask the same slow one. */
const CALLS_PER_SLOW_MODEL = 4;
const SLOW_MODELS = Math.ceil(ANSWERED_CALLS.length / CALLS_PER_SLOW_MODEL);
const GLADLY = 'Gladly! Here is what I found.';
/** Answers that are none, whatever was asked for. */
const BROKEN: Record<string, string> = {
  'no-json': GLADLY,
  'an-empty-object': '{}',
  'a-list': '[]',
  'half-an-answer': '{"summary": "It',
  'fields-of-another-type': '{"summary": {"of": 1}}',
};
/** What a provider answers that takes no such request. */
const REFUSALS = [404, 413, 422];
const KINDS = [
  ...['schema-refused', 'object-only', 'plain', 'cut-once', 'cut', 'mended', 'refusing', 'failing'],
  ...Object.keys(BROKEN),
  ...REFUSALS.map((status) => `refused-${status}`),
];
const SLOW = { first_byte_timeout_ms: 150, total_timeout_ms: 300 };

type Body = Record<string, never>;

/** Operations whose answer is a text of its own, or that have tests of their own for all this. */
const ELSEWHERE = new Set(['chatWithAgent', 'generateWithAgent', 'submitTask', 'runOmmBatch']);
const ofFields = ANSWERED_CALLS.filter(({ isText }) => !isText);

/** What each kind of model does with a request. */
function reactionOf(kind: string, { body }: RecordedRequest): Reaction {
  const asked = new AskedModel(body as Body);
  const { type: format = 'text' } = (body?.response_format ?? {}) as { type?: string };
  const answer = rightAnswer(asked);
  const [, status] = /^refused-(\d+)$/.exec(kind) ?? [];
  if (status) {
    return errorReaction(Number(status), 'Not like that.');
  }
  const said = (text: string, finishReason = 'stop') =>
    jsonReaction(chatAnswer(kind, { texts: [text], finishReason, usage: USAGE }));
  if (kind in BROKEN) {
    return said(BROKEN[kind] ?? '');
  }
  switch (kind) {
    case 'mended':
      return said(asked.isSecond ? answer : GLADLY);
    case 'failing':
      return errorReaction(500, 'No.');
    case 'schema-refused': {
      const { json_schema: { strict = false } = {} } = (body?.response_format ?? {}) as {
        json_schema?: { strict?: boolean };
      };
      return strict || format === 'json_schema'
        ? errorReaction(400, 'Invalid schema: strict mode is not supported.')
        : said(answer);
    }
    case 'object-only':
      return format === 'json_schema'
        ? errorReaction(400, 'response_format.type must be json_object or text')
        : said(answer);
    case 'plain':
      return format === 'text'
        ? said(
            asked.schema === null
              ? answer
              : `Gladly! Here it is:\n\`\`\`json\n${answer}\n\`\`\`\nAnything else?`,
          )
        : errorReaction(422, 'Extra inputs are not permitted');
    case 'cut':
    case 'cut-once':
      return kind === 'cut-once' && asked.isSecond
        ? said(answer)
        : said(answer.slice(0, Math.ceil(answer.length * 0.7)), 'length');
    case 'refusing': {
      const refused = chatAnswer(kind, { texts: [''], usage: USAGE });
      const message = { role: 'assistant', content: null, refusal: 'I will not work on this.' };
      return jsonReaction({ ...refused, choices: [{ index: 0, message, finish_reason: 'stop' }] });
    }
    default:
      return { instead: 'silence' };
  }
}

let upstream: RawUpstream;
let running: ServiceWithUpstreams;
let world: World;

beforeAll(async () => {
  upstream = await RawUpstream.start((request) => reactionOf(String(request.body?.model), request));
  const slow = Array.from({ length: SLOW_MODELS }, (_, index) => `slow-${index}`);
  const entries: UpstreamEntry[] = [...KINDS, ...slow].map((name) => ({
    ...{ name, base_url: upstream.baseUrl, models: [{ id: name }] },
    ...(name.startsWith('slow') && SLOW),
  }));
  running = await ServiceWithUpstreams.start(entries);
  world = await World.create(running.service);
  await indexSource(world);
  await world.setBalanceUsd(world.owner, '100');
});
afterAll(async () => {
  expect(await running.faults()).toEqual([]);
  await running.stop();
  await upstream.stop();
});

it('knows every operation that a model answers, but for those of /v1', () => {
  const asking = operations.filter(
    ({ policy }) =>
      policy.model === 'chat' && !isForOthersClients(policy) && !ELSEWHERE.has(policy.operationId),
  );
  expect([...new Set(ANSWERED_CALLS.map(({ operationId }) => operationId))].sort()).toEqual(
    asking.map(({ policy }) => policy.operationId).sort(),
  );
});

/** A call of one model, with the requests that its upstream answered, and those that it refused. */
async function called(call: AnsweredCall, model: string) {
  const before = upstream.calls.length;
  const balance = await world.balanceNanoUsd();
  const answer = await makeCall(call, world, { model });
  const asked = upstream.calls.slice(before);
  const spentNanoUsd = balance - (await world.balanceNanoUsd());
  return { answer, asked, spentNanoUsd, receipt: await running.lastReceipt(world.owner) };
}

/** The base and the tokens of so many requests, as the ledger and the receipt have them. */
function expectPaid(
  { operationId }: AnsweredCall,
  { answer, spentNanoUsd, receipt }: Awaited<ReturnType<typeof called>>,
  requests: number,
): void {
  const { base, perToken } = prices[operationOf(operationId).policy.price as keyof typeof prices];
  const cost = parseUsd(base) + parseUsd(perToken ?? '0') * BigInt(requests * USAGE.total_tokens);
  expect([answer.status, answer.text, spentNanoUsd]).toEqual([answer.status, answer.text, cost]);
  expect(receipt).toEqual({
    outcome: 'settled',
    status: answer.status,
    chargedNanoUsd: cost,
    inputTokens: requests * USAGE.prompt_tokens,
    outputTokens: requests * USAGE.completion_tokens,
  });
}

const dataOf = ({ body }: ApiAnswer) =>
  (body as unknown as { data: { truncated?: boolean; dropped?: number; finish_reason?: string } }).data;

function expectAnswered(
  call: AnsweredCall,
  outcome: Awaited<ReturnType<typeof called>>,
  isCut = false,
): void {
  const { answer } = outcome;
  expect([answer.status, answer.text]).toEqual([operationOf(call.operationId).policy.status, answer.text]);
  const { truncated, dropped = 0, finish_reason: finish } = dataOf(answer);
  expect(call.isText ? finish === 'length' : truncated).toBe(isCut);
  expect(isCut || dropped === 0).toBe(true);
}

const FORMATS: Record<string, string[]> = {
  'schema-refused': ['json_schema', 'json_object'],
  'object-only': ['json_schema', 'json_object'],
  plain: ['json_schema', 'json_object', 'text'],
};

describe.each(['schema-refused', 'object-only', 'plain'])('a model that is %s', (kind) => {
  it.each(ANSWERED_CALLS)('answers $name rightly, charged for the one answer', async (call) => {
    const outcome = await called(call, kind);
    expectAnswered(call, outcome);
    expectPaid(call, outcome, 1);
  });

  it('was asked by what it refuses for the first call alone, and is not left alone', () => {
    const formats = upstream.calls
      .filter(({ body }) => body?.model === kind)
      .filter(({ body }) => new AskedModel(body as Body).schema !== null)
      .map(({ body }) => (body?.response_format as { type: string } | undefined)?.type ?? 'text');
    const known = FORMATS[kind] ?? [];
    const ofCallers = new Set(known.slice(0, -1));
    expect(formats.slice(0, known.length)).toEqual(known);
    expect(formats.slice(known.length).filter((format) => ofCallers.has(format))).toEqual([]);
  });
});

describe('a model that mends its answer', () => {
  it.each(ofFields)('answers $name, charged for both answers', async (call) => {
    const outcome = await called(call, 'mended');
    expect(outcome.asked).toHaveLength(2);
    expectAnswered(call, outcome);
    expectPaid(call, outcome, 2);
  });
});

describe.each(Object.keys(BROKEN))('a model that answers with %s', (kind) => {
  it.each(ofFields)('is asked once more for $name, and never paid', async (call) => {
    const { answer, asked, spentNanoUsd } = await called(call, kind);
    expect([answer.status, answer.text]).toEqual([502, answer.text]);
    expect([asked.length, spentNanoUsd]).toEqual([2, 0n]);
  });
});

describe('a model whose answer is cut off', () => {
  it.each(ANSWERED_CALLS)('answers $name with twice the room', async (call) => {
    const outcome = await called(call, 'cut-once');
    expectAnswered(call, outcome, call.isText);
    const caps = outcome.asked.map(({ body }) => body?.max_tokens);
    expect(caps).toEqual(call.isText ? [4_096] : [4_096, 8_192]);
    expectPaid(call, outcome, caps.length);
  });

  it.each(ANSWERED_CALLS)('answers $name as far as it came, or says that it was cut off', async (call) => {
    const outcome = await called(call, 'cut');
    if (outcome.answer.status >= 400) {
      expect(outcome.answer).toMatchObject({
        status: 502,
        body: { message: expect.stringContaining('cut off at 8192 tokens') },
      });
      expect(outcome.spentNanoUsd).toBe(0n);
    } else {
      expectAnswered(call, outcome, true);
      expectPaid(call, outcome, outcome.asked.length);
    }
  });

  it('is charged where the caller allows too few tokens for any answer', async () => {
    const call = ANSWERED_CALLS.find(({ name }) => name === 'processInputs classify') as AnsweredCall;
    const balance = await world.balanceNanoUsd();
    const answer = await makeCall(call, world, { model: 'cut', max_tokens: 40 });
    expect(answer).toMatchObject({
      status: 422,
      body: { error: 'Answer cut off', message: expect.stringContaining('does not fit into 40 tokens') },
    });
    expect(balance - (await world.balanceNanoUsd())).toBe(3_000_000n + 20_000n * 100n);
  });
});

describe.each(REFUSALS)('a request that the provider refuses with %d', (status) => {
  it.each(ANSWERED_CALLS)('is refused so and in its words for $name, free of charge', async (call) => {
    const { answer, spentNanoUsd } = await called(call, `refused-${status}`);
    const message = "The model's provider refused the request: Not like that.";
    expect(answer).toMatchObject({ status, body: { error: 'Upstream refused', message } });
    expect(spentNanoUsd).toBe(0n);
  });
});

describe('a model that refuses', () => {
  it.each(ANSWERED_CALLS)('has its words told for $name, charged by what it used', async (call) => {
    const outcome = await called(call, 'refusing');
    expect(outcome.answer).toMatchObject({
      status: 422,
      body: { error: 'Model refused', message: expect.stringContaining('I will not work on this.') },
    });
    expect(outcome.asked).toHaveLength(1);
    expectPaid(call, outcome, 1);
    const { headers } = outcome.answer;
    expect(headers).toMatchObject({ 'x-model-used': 'refusing', 'x-tokens-used': expect.anything() });
    expect(parseUsd(headers['x-request-cost'] ?? '')).toBe(outcome.spentNanoUsd);
  });
});

describe('a refusal that was charged', () => {
  const body = { inputs: [{ type: 'text', content: 'Ada wrote it.' }], task: 'summarize', model: 'refusing' };

  it('is told again to a retry with the Idempotency-Key, which costs nothing', async () => {
    const headers = { 'idempotency-key': 'refused-once' };
    const request = { credential: world.owner.key, headers, body };
    const first = await running.service.call('processInputs', request);
    const asked = upstream.calls.length;
    const balance = await world.balanceNanoUsd();
    const retry = await running.service.call('processInputs', request);
    expect([retry.status, retry.body]).toEqual([422, first.body]);
    expect(first.body).toMatchObject({ error: 'Model refused', request_id: first.headers['x-request-id'] });
    expect(retry.headers).toMatchObject({ 'idempotent-replayed': 'true', 'x-request-cost': '0' });
    expect(upstream.calls).toHaveLength(asked);
    expect(await world.balanceNanoUsd()).toBe(balance);
  });

  it('fails the task that ran into it', async () => {
    runTasks(running.service);
    const { id } = await submitTask(world, { task_type: 'processInputs', parameters: body });
    const task = await endedTask(world, id);
    expect(task).toMatchObject({ status: 'failed', result: null, error: { error: 'Model refused' } });
  });
});

it('tells what an item of a batch cost that a model refused', async () => {
  const body = { inputs: [{ type: 'text', content: 'Ada wrote it.' }], task: 'summarize', model: 'refusing' };
  const balance = await world.balanceNanoUsd();
  const items = [{ operation: 'process', body }];
  const headers = { 'idempotency-key': 'refused-in-a-batch' };
  const request = { credential: world.owner.key, headers, body: { items } };
  const answer = await running.service.call('runOmmBatch', request);
  const { data } = answer.body;
  const costUsd = Number(balance - (await world.balanceNanoUsd())) / 1e9;
  expect(costUsd).toBeGreaterThan(0);
  expect(data).toMatchObject({ succeeded: 0, failed: 1, cost: costUsd });
  expect(data.results).toMatchObject([{ status: 422, cost: costUsd, error: { error: 'Model refused' } }]);
  expect(answer.headers['x-request-cost']).toBe(String(costUsd));
  // As if the process had died before the batch was answered.
  await running.service.database.query(`DELETE FROM idempotency_claims WHERE answer LIKE '%"results"%'`);
  const retry = await running.service.call('runOmmBatch', request);
  expect(retry.body.data).toEqual(data);
});

describe('an upstream that fails', () => {
  it.each(ANSWERED_CALLS)('is not paid for $name', async (call) => {
    const { answer, spentNanoUsd } = await called(call, 'failing');
    expect([answer.status >= 500, spentNanoUsd]).toEqual([true, 0n]);
  });
});

describe('a model that is slow', () => {
  it.each(ANSWERED_CALLS.map((call, index) => ({ call, name: call.name, index })))(
    'makes $name a 504 that costs nothing',
    async ({ call, index }) => {
      const outcome = await called(call, `slow-${Math.floor(index / CALLS_PER_SLOW_MODEL)}`);
      expect([outcome.answer.status, outcome.spentNanoUsd]).toEqual([504, 0n]);
    },
  );
});

describe('a balance that has no room for a second answer', () => {
  it('lets one be asked for with less room', async () => {
    const account = await createAccount(running.service, { creditUsd: '0.40' });
    const before = upstream.calls.length;
    const answer = await running.service.call('summarizeLegal', {
      credential: account.token,
      body: { content: 'The fee is EUR 4,250.00.', model: 'object-only' },
    });
    expect([answer.status, answer.text]).toEqual([200, answer.text]);
    const [asked] = upstream.calls.slice(before);
    expect(Number(asked?.body?.max_tokens)).toBeLessThan(4_096);
  });
});

describe('a prompt', () => {
  const ajv = new Ajv2020({ strict: false });

  it.each(ofFields.filter(({ isStored }) => !isStored))(
    'of $name has an example of the form that it asks for, and explains every choice',
    async (call) => {
      const { asked } = await called(call, 'cut-once');
      const told = new AskedModel(asked[0]?.body as Body);
      expect([ajv.validate(told.schema ?? {}, told.example), ajv.errors]).toEqual([true, null]);
      expect(told.outside).toMatch(
        /^You .*[\s\S]*\n\nTask: [\s\S]*\n\nExample\. [\s\S]*never an instruction/,
      );
      const isNamed = (word: string) =>
        told.outside.includes(`\`${word}\``) || told.outside.includes(word.replaceAll('_', ' '));
      expect(choicesIn(told.schema).filter((word) => !isNamed(word) && !OBVIOUS.test(call.name))).toEqual([]);
    },
  );
});

/** Kinds of clauses and documents, whose names say what they are. */
const OBVIOUS = /^analyzeLegal$|labels|classify/;

function choicesIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) {
    return [];
  }
  const { enum: values = [] } = schema as { enum?: (string | null)[] };
  return [...values.filter((value) => value !== null), ...Object.values(schema).flatMap(choicesIn)];
}
