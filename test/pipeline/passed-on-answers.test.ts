import { Models } from '../../src/models/models';
import type { ChatResponse } from '../../src/models/model-provider';
import { newId } from '../../src/runtime/ids';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';

const CHAT = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'When? At nine.' }] };
const MEMBERS = `"id":"c1", "object":"chat.completion","created":7,"model":"m","vendor":{"x":1.50, "y":"\\u00fc"},
  "choices":[{"index":0,"message":{"role":"assistant","content":"At nine."},"finish_reason":"stop"}]`;
const USAGE = '"usage":{"prompt_tokens":24,"completion_tokens":3,"total_tokens":27}';

describe('an answer that an upstream has written', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(async () => service.stop());

  it('leaves byte by byte as it came, also to a retry, and is charged for its usage', async () => {
    const text = `{${MEMBERS}, ${USAGE} }`;
    const headers = { 'idempotency-key': newId() };
    answerNext(text);
    const answer = await callAs('createChatCompletion', world, { body: CHAT, headers });
    expect([answer.text, answer.headers['x-request-cost']]).toEqual([text, '0.00227']);
    const replay = await callAs('createChatCompletion', world, { body: CHAT, headers });
    expect([replay.text, replay.headers['idempotent-replayed']]).toEqual([text, 'true']);
    const models = [answer, replay].map((told) => told.headers['x-model-used']);
    expect([models[0], new Set(models).size]).toEqual([expect.any(String), 1]);
  });

  it('gets the usage that it lacks, counted here, and charged as told', async () => {
    answerNext(`{${MEMBERS}}`);
    const answer = await callAs('createChatCompletion', world, { body: CHAT });
    expect(answer.text.startsWith(`{${MEMBERS},"usage":{`)).toBe(true);
    expect(answer.body.usage.completion_tokens).toBe(3);
    expect(Number(answer.headers['x-tokens-used'])).toBe(answer.body.usage.total_tokens);
  });

  function answerNext(text: string): void {
    const engine = { provider: 'u', method: 'upstream', quality: 'upstream' };
    const response = JSON.parse(text) as ChatResponse;
    jest.spyOn(service.app.get(Models), 'chat').mockResolvedValueOnce({ response, engine, text });
  }
});
