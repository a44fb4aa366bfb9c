import { SpendingLimitsRepository } from '../../src/accounts/spending-limits';
import { DocumentBytes } from '../../src/modules/documents/document-bytes';
import { DocumentUploads } from '../../src/modules/documents/document-bytes';
import { Ledger } from '../../src/ledger/ledger';
import { Models } from '../../src/models/models';
import { TemporaryFiles } from '../../src/http/uploaded-files';
import { newId } from '../../src/runtime/ids';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { uploadOf } from '../support/api/form';
import { holdNextMemory } from '../support/api/held-call';
import { TestService } from '../support/api/service';
import { until } from '../support/until';
import { World } from '../support/api/world';

const WRITE_TIMEOUT_MS = 10_000;
const LLM_TIMEOUT_MS = 120_000;
const HEAVY_TIMEOUT_MS = 120_000;
const MEMORY = { body: { key: 'k', value: 'v' } };
const CHAT = { body: { model: 'any', messages: [{ role: 'user', content: 'Why is the sky blue?' }] } };
/** The time that an operation may take is kept by setTimeout; the driver of the database needs the rest. */
const REAL = ['Date', 'nextTick', 'queueMicrotask', 'setImmediate', 'setInterval', 'clearInterval'] as const;

describe('an operation that takes too long', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
    await world.setLimits(world.owner, { dailyLimitNano: 1_000_000_000n });
    jest.useFakeTimers({ doNotFake: [...REAL] });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    jest.useRealTimers();
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => service.stop());

  it('is answered with 504 at the end of its time, not before, and costs nothing', async () => {
    const held = holdNextMemory(service);
    const call = callAs('createMemory', world, MEMORY);
    await held.entered;
    jest.advanceTimersByTime(WRITE_TIMEOUT_MS - 1);
    expect((await app(Ledger).balance(world.owner.id)).reservedNanoUsd).toBe(100_000n);
    jest.advanceTimersByTime(1);
    const answer = await call;
    expect([answer.status, answer.body.error]).toEqual([504, 'Gateway Timeout']);
    expect(answer.headers['x-request-cost']).toBeUndefined();
    await expectReleased(answer.headers['x-request-id'] ?? '');
    held.letGo();
  });

  it('is charged nothing for what its handler still ends after the answer', async () => {
    const held = holdNextMemory(service);
    const call = callAs('createMemory', world, MEMORY);
    await held.entered;
    jest.advanceTimersByTime(WRITE_TIMEOUT_MS);
    const answer = await call;
    held.letGo();
    jest.useRealTimers();
    await until('the handler has ended', async () => {
      const rows: unknown[] = await service.database.query('SELECT FROM memories WHERE account_id = $1', [
        world.owner.id,
      ]);
      return rows.length === 1;
    });
    await expectReleased(answer.headers['x-request-id'] ?? '');
  });

  it('is told to stop through its signal', async () => {
    let signal: AbortSignal | undefined;
    const begun = new Promise<void>((resolve) => {
      jest.spyOn(app(Models), 'chat').mockImplementationOnce((_, options) => {
        signal = options?.signal;
        resolve();
        return new Promise(() => undefined);
      });
    });
    const call = callAs('createChatCompletion', world, CHAT);
    await begun;
    jest.advanceTimersByTime(LLM_TIMEOUT_MS - 1);
    expect(signal?.aborted).toBe(false);
    jest.advanceTimersByTime(1);
    expect(signal?.aborted).toBe(true);
    const answer = await call;
    expect(answer.status).toBe(504);
    await expectReleased(answer.headers['x-request-id'] ?? '');
  });

  it('is not told so after it was answered in time', async () => {
    const models = app(Models);
    const chat = models.chat.bind(models);
    let signal: AbortSignal | undefined;
    jest.spyOn(models, 'chat').mockImplementationOnce((request, options) => {
      signal = options?.signal;
      return chat(request, options);
    });
    expect((await callAs('createChatCompletion', world, CHAT)).status).toBe(200);
    jest.advanceTimersByTime(LLM_TIMEOUT_MS);
    expect(signal?.aborted).toBe(false);
  });

  it('frees its Idempotency-Key, so that a retry runs and is charged once', async () => {
    const request = { ...MEMORY, headers: { 'idempotency-key': newId() } };
    const held = holdNextMemory(service);
    const call = callAs('createMemory', world, request);
    await held.entered;
    jest.advanceTimersByTime(WRITE_TIMEOUT_MS);
    expect((await call).status).toBe(504);
    const retry = await callAs('createMemory', world, request);
    const replay = await callAs('createMemory', world, request);
    expect([retry.status, replay.text]).toEqual([201, retry.text]);
    expect(await world.balanceNanoUsd()).toBe(9_999_900_000n);
    held.letGo();
  });

  it('leaves nothing of an upload, whether it was being stored or still waited for that', async () => {
    const writing = holdWriting();
    const storing = jest.spyOn(app(DocumentUploads), 'store');
    // One more than are stored at once.
    const calls = ['a', 'b', 'c', 'd'].map((text) => callAs('uploadDocument', world, uploadOf(text)));
    await writing.begun(3);
    await turnsUntil(() => storing.mock.calls.length === 4);
    jest.advanceTimersByTime(HEAVY_TIMEOUT_MS);
    const answers = await Promise.all(calls);
    expect(answers.map(({ status }) => status)).toEqual([504, 504, 504, 504]);
    writing.letGo();
    jest.useRealTimers();
    const ends = await Promise.allSettled(storing.mock.results.map(({ value }) => value as Promise<unknown>));
    expect(ends.map((end) => end.status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected']);
    const rows: unknown[] = await service.database.query(
      'SELECT id FROM documents UNION ALL SELECT document_id FROM document_bytes',
    );
    expect(rows).toEqual([]);
    expect(app(TemporaryFiles).count).toBe(0);
    for (const { headers } of answers) {
      await expectReleased(headers['x-request-id'] ?? '');
    }
    expect((await callAs('uploadDocument', world, uploadOf('e'))).status).toBe(201);
  });

  /** Makes files wait that have been written, before their documents are stored. */
  function holdWriting(): { begun(files: number): Promise<void>; letGo(): void } {
    const bytes = app(DocumentBytes);
    const write = bytes.write.bind(bytes);
    let written = 0;
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    jest.spyOn(bytes, 'write').mockImplementation(async (...given) => {
      await write(...given);
      written += 1;
      await gate;
    });
    return { begun: (files) => turnsUntil(() => written === files), letGo: () => letGo() };
  }

  function app<Provider>(type: abstract new (...dependencies: never[]) => Provider): Provider {
    return service.app.get(type as never);
  }

  async function expectReleased(requestId: string): Promise<void> {
    const balance = await app(Ledger).balance(world.owner.id);
    expect(balance).toEqual({ balanceNanoUsd: 10_000_000_000n, reservedNanoUsd: 0n });
    const limits = await app(SpendingLimitsRepository).get(world.owner.id, world.owner.keyId);
    expect([limits.daySpentNano, limits.monthSpentNano]).toEqual([0n, 0n]);
    const receipt = await callAs('getRequestReceipt', world, { params: { request_id: requestId } });
    expect(receipt.body).toMatchObject({
      outcome: 'released',
      status: 504,
      charged: 0,
      transaction_id: null,
    });
    expect(receipt.body.released).toBe(receipt.body.reserved);
  }
});

/** Waits without setTimeout, which stands still here. */
async function turnsUntil(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}
