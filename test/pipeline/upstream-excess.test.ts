import { parseUsd } from '../../src/ledger/money';
import { priceNanoUsd } from '../support/ledger/call-outcome';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { FaultyUpstreams } from '../support/upstream/faulty-upstreams';
import { chatAnswer, jsonReaction } from '../support/upstream/upstream-answers';
import { SpendingLimitsRepository } from '../../src/accounts/spending-limits';
import { createAccount, type TestAccount } from '../support/api/world';

const METRICS_TOKEN = 'the token of the scraper of this test alone';
const TOKENS = 180_000;
const COST = priceNanoUsd(TOKENS + 3);
const MESSAGES = [{ role: 'user', content: 'What does the file say?' }];

const REFUSAL = { role: 'assistant', content: null, refusal: 'I will not work on this.' };

describe('tokens that an upstream counts beyond the reservation', () => {
  let upstreams: FaultyUpstreams;
  beforeAll(async () => {
    upstreams = await FaultyUpstreams.start(['counting'], {}, { METRICS_TOKEN });
    upstreams.of('counting').script = ({ body }) => {
      const usage = { prompt_tokens: TOKENS, completion_tokens: 3, total_tokens: TOKENS + 3 };
      return jsonReaction(chatAnswer(String(body?.model), { texts: ['Much.'], usage }));
    };
  });
  afterAll(async () => upstreams.stop());

  const service = () => upstreams.service.service;
  const account = (creditUsd: string) => createAccount(service(), { creditUsd });
  const losses = async () => {
    const { body } = await service().app.inject({
      url: '/metrics',
      headers: { authorization: `Bearer ${METRICS_TOKEN}` },
    });
    return Number(/^operator_loss_usd_total\{reason="no_room"\} (\S+)$/m.exec(body)?.[1]);
  };
  const chat = (by: TestAccount) =>
    service().call('createChatCompletion', {
      credential: by.key,
      body: { model: 'counting', messages: MESSAGES, max_tokens: 40 },
    });
  const receiptOf = async (by: TestAccount, requestId = '') =>
    (
      await service().call('getRequestReceipt', {
        credential: by.token,
        params: { request_id: requestId },
      })
    ).body;

  it('are charged as far as there is room, and told alike everywhere', async () => {
    const by = await account('10');
    const before = await losses();
    const answer = await chat(by);
    expect(answer.headers).toMatchObject({
      'x-request-cost': '1.80203',
      'x-tokens-used': String(TOKENS + 3),
      'x-balance-remaining': '8.19797',
    });
    expect(await receiptOf(by, answer.headers['x-request-id'])).toMatchObject({
      input_tokens: TOKENS,
      charged: 1.80203,
      released: 0,
    });
    expect(COST).toBe(parseUsd('1.80203'));
    expect(await losses()).toBe(before);
    expect(await ledgerFaults(service().database)).toEqual([]);
  });

  it('never take the balance below zero: the rest is counted as the loss of the operator', async () => {
    const by = await account('0.5');
    const before = await losses();
    const answer = await chat(by);
    expect(answer.headers).toMatchObject({ 'x-request-cost': '0.5', 'x-balance-remaining': '0' });
    expect(await receiptOf(by, answer.headers['x-request-id'])).toMatchObject({
      charged: 0.5,
      status: 200,
    });
    expect((await losses()) - before).toBeCloseTo(1.30203, 9);
    expect(await ledgerFaults(service().database)).toEqual([]);
    expect((await chat(by)).status).toBe(402);
  });

  it('never take a key past its limit, however many calls end at once', async () => {
    const by = await account('10');
    const limits = service().app.get(SpendingLimitsRepository);
    await limits.set(by.id, by.keyId, { dailyLimitNano: parseUsd('4') });
    const costs = (await Promise.all(Array.from({ length: 6 }, () => chat(by))))
      .filter(({ status }) => status === 200)
      .map(({ headers }) => parseUsd(headers['x-request-cost'] ?? ''));
    expect(costs.reduce((sum, cost) => sum + cost, 0n)).toBe(parseUsd('4'));
    expect((await limits.get(by.id, by.keyId)).daySpentNano).toBe(parseUsd('4'));
    expect(await ledgerFaults(service().database)).toEqual([]);
  });

  it('are told as charged in the envelope, also to a retry', async () => {
    const by = await account('0.25');
    const ask = () =>
      service().call('chatWithAgent', {
        credential: by.key,
        headers: { 'idempotency-key': 'once' },
        body: { model: 'counting', messages: MESSAGES as never, max_tokens: 40 },
      });
    const first = await ask();
    expect([first.status, first.headers['x-request-cost'], first.body.metadata.cost]).toEqual([
      200,
      '0.25',
      0.25,
    ]);
    const again = await ask();
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.text).toBe(first.text);
  });

  it('of a refusal are told as charged to a retry, which is refused as well', async () => {
    const by = await account('0.25');
    const refusing = { choices: [{ index: 0, message: REFUSAL, finish_reason: 'stop' }] };
    const usage = { prompt_tokens: TOKENS, completion_tokens: 3, total_tokens: TOKENS + 3 };
    const answer = jsonReaction({ ...chatAnswer('counting', { usage }), ...refusing });
    const { script } = upstreams.of('counting');
    upstreams.of('counting').script = () => answer;
    const ask = () =>
      service().call('processInputs', {
        credential: by.key,
        headers: { 'idempotency-key': 'refused' },
        body: { inputs: [{ type: 'text', content: 'Ada wrote it.' }], task: 'summarize', model: 'counting' },
      });
    const first = await ask();
    upstreams.of('counting').script = script;
    expect([first.status, first.headers['x-request-cost']]).toEqual([422, '0.25']);
    const again = await ask();
    expect([again.status, again.text]).toEqual([422, first.text]);
    const [row]: object[] = await service().database.query(
      "SELECT answer::json ->> 'cost' AS cost FROM idempotency_claims WHERE account_id = $1",
      [by.id],
    );
    expect(row).toEqual({ cost: '0.25' });
  });
});
