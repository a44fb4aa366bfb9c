import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import OpenAI, { APIError, AuthenticationError, BadRequestError, RateLimitError } from 'openai';
import { usdToNano } from '../../../src/ledger/money';
import { newId } from '../../../src/runtime/ids';
import { ledgerFaults } from '../../support/ledger/ledger-faults';
import { TestService } from '../../support/api/service';
import { World } from '../../support/api/world';

const MODEL = 'embedded-extractive-1';
const QUESTION = 'The library opens at nine. It closes at six. When does the library open?';
const CHAT: OpenAI.ChatCompletionCreateParamsNonStreaming = {
  model: MODEL,
  messages: [{ role: 'user', content: QUESTION }],
};

describe('the openai package', () => {
  let service: TestService;
  let url: string;
  let world: World;
  let client: OpenAI;
  beforeAll(async () => {
    service = await TestService.start();
    await service.app.listen(0, '127.0.0.1');
    url = `${await service.app.getUrl()}/v1`;
  });
  beforeEach(async () => {
    world = await World.create(service);
    client = clientOf(world.owner.key);
  });
  afterEach(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => service.stop());

  it('gets a chat completion, and in its headers what it cost and what is left', async () => {
    const before = await world.balanceNanoUsd();
    const { data, response, request_id } = await client.chat.completions.create(CHAT).withResponse();
    expect(data.choices[0]?.message.content).toBe('The library opens at nine.');
    const cost = 2_000_000n + 10_000n * BigInt(data.usage?.total_tokens ?? 0);
    const header = (name: string) => Number(response.headers.get(name));
    expect(usdToNano(header('x-request-cost'))).toBe(cost);
    expect(header('x-tokens-used')).toBe(data.usage?.total_tokens);
    expect(usdToNano(header('x-balance-remaining'))).toBe(before - cost);
    expect(await world.balanceNanoUsd()).toBe(before - cost);
    expect(request_id).toBe(response.headers.get('x-request-id'));
    expect(response.headers.get('x-model-used')).toBe(MODEL);
  });

  it('gets a chat completion of a model that it knows by another name', async () => {
    const completion = await client.chat.completions.create({
      ...CHAT,
      model: 'gpt-4o',
      max_completion_tokens: 3,
    });
    expect([completion.model, completion.choices[0]?.finish_reason]).toEqual([MODEL, 'length']);
    expect(completion.usage?.completion_tokens).toBe(3);
  });

  it('gets a text completion', async () => {
    const completion = await client.completions.create({ model: MODEL, prompt: QUESTION });
    expect(completion.choices[0]?.text).toBe('The library opens at nine.');
  });

  it('gets the same embeddings in base64, which it asks for by itself, as in floats', async () => {
    const request = { model: 'embedded-hash-384', input: [QUESTION, 'another text'] };
    const byDefault = await client.embeddings.create(request);
    const floats = await client.embeddings.create({ ...request, encoding_format: 'float' });
    expect(floats.data.map(({ embedding }) => embedding.length)).toEqual([384, 384]);
    expect(byDefault.data.map(({ embedding }) => [...embedding])).toEqual(
      floats.data.map(({ embedding }) => embedding),
    );
    expect(byDefault.usage).toEqual(floats.usage);
    const { data } = await client.embeddings.create({ ...request, dimensions: 16 });
    expect(data[0]?.embedding).toHaveLength(16);
  });

  it('lists the models', async () => {
    const ids: string[] = [];
    for await (const model of client.models.list()) {
      ids.push(model.id);
    }
    expect(ids).toEqual([MODEL, 'embedded-hash-384']);
  });

  it("runs the guide's program, which tells what it cost both ways", async () => {
    const root = join(__dirname, '../../..');
    const guide = readFileSync(join(root, 'docs/clients.md'), 'utf8');
    const [, program = ''] = /```js\n(import OpenAI[^]*?)```/.exec(guide) ?? [];
    await world.setRates(world.owner, { requests_per_second: 100 });
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', program],
      {
        cwd: root,
        env: { ...process.env, KEY: world.owner.key, API: url.replace('/v1', '') },
      },
    );
    expect(stdout).toMatch(/^The library opens at nine\. for 0\.002\d* USD\n/);
    expect(stdout).toMatch(/\nThe library opens at nine\.\ntokens \d+ for 0\.002\d* USD\n$/);
  });

  it('gets the stored answer when it repeats a call with its Idempotency-Key', async () => {
    const headers = { 'Idempotency-Key': newId() };
    const first = await client.chat.completions.create(CHAT, { headers });
    const before = await world.balanceNanoUsd();
    const { data, response } = await client.chat.completions.create(CHAT, { headers }).withResponse();
    expect([data.id, response.headers.get('idempotent-replayed')]).toEqual([first.id, 'true']);
    expect(await world.balanceNanoUsd()).toBe(before);
  });

  it('throws AuthenticationError for a key that is not valid', async () => {
    const error = await failure(clientOf('svc_test_wrong').chat.completions.create(CHAT));
    expect(error).toBeInstanceOf(AuthenticationError);
    expect([error.status, error.code]).toEqual([401, 'invalid_api_key']);
    expect(error.requestID).toEqual(expect.any(String));
  });

  it('throws APIError with status 402 for a call that the balance does not cover', async () => {
    await world.setBalanceUsd(world.owner, '0.002');
    const error = await failure(client.chat.completions.create(CHAT));
    expect(error.constructor).toBe(APIError);
    expect([error.status, error.code]).toEqual([402, 'insufficient_credits']);
    expect(await world.balanceNanoUsd()).toBe(2_000_000n);
  });

  it('throws RateLimitError beyond the rate, with the time to wait', async () => {
    await world.setRates(world.owner, { requests_per_hour: 1 });
    await client.models.list();
    const error = await failure(client.chat.completions.create(CHAT));
    expect(error).toBeInstanceOf(RateLimitError);
    expect([error.status, error.code]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(0);
  });

  it.each<[string, Partial<OpenAI.ChatCompletionCreateParamsNonStreaming>]>([
    ['what has not the documented form', { max_tokens: -2 }],
    ['what the engine cannot honour', { n: 2 }],
    ['tools', { tools: [{ type: 'function', function: { name: 'f' } }] }],
  ])('throws BadRequestError for %s', async (_, fields) => {
    const error = await failure(client.chat.completions.create({ ...CHAT, ...fields }));
    expect(error).toBeInstanceOf(BadRequestError);
    expect(error.status).toBe(400);
  });

  it('streams a chat completion, and gets its usage with its cost when it asks for it', async () => {
    const before = await world.balanceNanoUsd();
    const stream = await client.chat.completions.create({
      ...CHAT,
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks: OpenAI.ChatCompletionChunk[] = [];
    for await (const chunk of stream) {
      chunks.push(chunk);
    }
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toBe('The library opens at nine.');
    const usage = chunks.at(-1)?.usage as unknown as { total_tokens: number; cost: number };
    expect(usdToNano(usage.cost)).toBe(2_000_000n + 10_000n * BigInt(usage.total_tokens));
    expect(await world.balanceNanoUsd()).toBe(before - usdToNano(usage.cost));
  });

  function clientOf(apiKey: string): OpenAI {
    return new OpenAI({ apiKey, baseURL: url, maxRetries: 0 });
  }
});

async function failure(call: Promise<unknown>): Promise<APIError> {
  const outcome = await call.catch((error: unknown) => error);
  if (!(outcome instanceof APIError)) {
    throw new Error(`the call did not fail as one of the API: ${String(outcome)}`);
  }
  return outcome;
}
