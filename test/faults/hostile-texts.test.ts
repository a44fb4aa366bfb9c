import { createHash } from 'node:crypto';
import { FileReaders } from '../../src/files/file-readers';
import { originOf } from '../../src/observability/tracing';
import { AnswerSoFar } from '../../src/models/usage';
import { TextThreads } from '../../src/text/text-threads';
import { callAs } from '../support/api/call-as';
import { TestService } from '../support/api/service';
import { documentOf } from '../support/api/store-document';
import { World, type TestAccount } from '../support/api/world';
import { depth } from '../support/jest/depth';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callOutcome, OUTPUT_TOKENS_MAX, priceNanoUsd } from '../support/ledger/call-outcome';
import { until } from '../support/until';
import { StreamedCall } from '../support/upstream/streamed-call';
import { textJobs } from '../../src/text/text.jobs';

const STRANGERS = depth('HOSTILE_TEXT_STRANGERS', { short: 20, deep: 60 });
/** Of three bytes each, about as many as the body of a chat may have. */
const LENGTH = depth('HOSTILE_TEXT_LENGTH', { short: 20_000, deep: 340_000 });
const LEAVING = depth('HOSTILE_TEXT_LEAVING', { short: 3, deep: 24 });
/** If the texts of all strangers were counted first, it would be four times as many. */
const ANSWERED_TIMES_ALONE_MAX = depth('HOSTILE_TEXT_ANSWERED_TIMES_ALONE_MAX', {
  short: Infinity,
  deep: 15,
});
const BASE_USD = 0.002;

describe('hostile texts', () => {
  let service: TestService;
  let threads: TextThreads;
  beforeAll(async () => {
    service = await TestService.start();
    threads = service.app.get(TextThreads);
    await service.app.listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    expect(await ledgerFaults(service.database)).toEqual([]);
    await service.stop();
  });
  afterEach(() => jest.restoreAllMocks());

  const chat = (account: TestAccount, name: string) =>
    service.call('createChatCompletion', { credential: account.key, body: bodyOf(name) });

  it(`of ${STRANGERS} accounts without credit are not counted, and keep nobody waiting`, async () => {
    const world = await World.create(service);
    const worlds = await Promise.all(Array.from({ length: STRANGERS }, () => World.create(service)));
    const strangers = worlds.map(({ stranger }) => stranger);
    await Promise.all(worlds.map((each) => each.setBalanceUsd(each.stranger, '0.001')));
    const aloneBeganMs = performance.now();
    await chat(world.owner, 'alone');
    const aloneMs = performance.now() - aloneBeganMs;
    const run = jest.spyOn(threads, 'run');
    const startedMs = performance.now();
    const refused = Promise.all(strangers.map((account, index) => chat(account, `stranger ${index}`)));
    const answer = await chat(world.owner, 'payer');
    const answeredMs = performance.now() - startedMs;
    for (const { status, body } of await refused) {
      expect([status, body.error, body.available]).toEqual([402, 'Insufficient credits', 0.001]);
      expect(body.required).toBeGreaterThanOrEqual(BASE_USD);
    }
    expect(answer.status).toBe(200);
    expect(answeredMs).toBeLessThan(ANSWERED_TIMES_ALONE_MAX * aloneMs);
    const owners = run.mock.calls.map(([, , , signal]) => originOf(signal)?.accountId ?? world.owner.id);
    expect([...new Set(owners)]).toEqual([world.owner.id]);
    for (const each of worlds) {
      expect(await each.balanceNanoUsd(each.stranger)).toBe(1_000_000n);
    }
  });

  it('of an account that had credit a moment ago are refused by the reservation, and the next ones by the look', async () => {
    const world = await World.create(service);
    expect((await chat(world.owner, 'first')).status).toBe(200);
    await world.setBalanceUsd(world.owner, '0');
    const run = jest.spyOn(threads, 'run');
    const second = await chat(world.owner, 'second');
    const counted = run.mock.calls.length;
    const third = await chat(world.owner, 'third');
    expect([second.status, third.status]).toEqual([402, 402]);
    expect(run.mock.calls.length).toBe(counted);
    expect(third.body.required).toBe(BASE_USD);
  });

  it('in 128 tools, which no embedded engine honours, are refused before they are counted', async () => {
    const world = await World.create(service);
    const description = textOf('tool').slice(0, 2_000);
    const tools = Array.from({ length: 128 }, (_, index) => ({
      type: 'function',
      function: { name: `tool_${index}`, description, parameters: { type: 'object' } },
    }));
    const run = jest.spyOn(threads, 'run');
    const body = { model: 'embedded-extractive-1', messages: [{ role: 'user', content: 'x' }], tools };
    const answer = await service.call('createChatCompletion', { credential: world.owner.key, body });
    expect([answer.status, run.mock.calls]).toEqual([400, []]);
  });

  it('in a document of an account without credit are not opened', async () => {
    const world = await World.create(service);
    const doc_id = await documentOf(world, { text: textOf('document'), status: 'uploaded' });
    await world.setBalanceUsd(world.owner, '0');
    const read = jest.spyOn(service.app.get(FileReaders), 'read');
    const run = jest.spyOn(threads, 'run');
    const answer = await callAs('processDocument', world, { params: { doc_id } });
    expect([answer.status, answer.body.error]).toEqual([402, 'Insufficient credits']);
    expect([read.mock.calls, run.mock.calls]).toEqual([[], []]);
    expect(await world.balanceNanoUsd()).toBe(0n);
  });

  it(`are paid for by ${LEAVING} callers who hang up, one after the other, and their thread goes on`, async () => {
    const warm = textOf('warm');
    await threads.run(textJobs.countPackedTokens, { text: warm, lengths: Uint32Array.of(warm.length) }, [
      warm,
    ]);
    const pool = threads['pool'];
    const threadIds = () => pool.threads.map(({ threadId }) => threadId);
    const before = threadIds();
    const url = `${await service.app.getUrl()}/v1/chat/completions`;
    const taken = jest.spyOn(AnswerSoFar.prototype, 'taken');
    const run = pool.run.bind(pool);
    for (let index = 0; index < LEAVING; index += 1) {
      const { owner } = await World.create(service);
      const requestId = `hangs-up-${owner.id}`;
      let letEnd: () => void = () => undefined;
      const whenLeft = new Promise<void>((resolve) => (letEnd = resolve));
      jest.spyOn(pool, 'run').mockImplementation(async (input, options) => {
        const result: unknown = await run(input, options);
        await ((input as { name: string }).name === 'answerMessages' ? whenLeft : null);
        return result;
      });
      const call = new StreamedCall({ url, key: owner.key, requestId, body: bodyOf(`left ${index}`) });
      await until('the engine reads it', () => taken.mock.calls.length > index);
      call.leave();
      const outcome = await callOutcome(service, owner, requestId);
      letEnd();
      const { countedInputTokens: inputTokens } = outcome;
      expect(inputTokens).toBeGreaterThan(LENGTH / 2);
      const cost = { inputTokens, outputTokens: 0, chargedNanoUsd: priceNanoUsd(inputTokens) };
      expect(outcome).toMatchObject({ outcome: 'settled', status: 499, ...cost });
    }
    expect(before.length).toBeGreaterThan(0);
    expect(threadIds()).toEqual(before);
  });
});

function textOf(name: string): string {
  const random = createHash('shake128', { outputLength: LENGTH }).update(name).digest();
  return Array.from(random, (byte) => String.fromCharCode(0x0e01 + (byte % 46))).join('');
}

function bodyOf(name: string): object {
  const content = textOf(name);
  return {
    model: 'embedded-extractive-1',
    messages: [{ role: 'user', content }],
    max_tokens: OUTPUT_TOKENS_MAX,
  };
}
