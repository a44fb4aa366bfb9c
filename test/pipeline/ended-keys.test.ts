import { request } from 'node:http';
import { Ledger } from '../../src/ledger/ledger';
import { Models } from '../../src/models/models';
import { ProcessRegister } from '../../src/database/process-register';
import { CallsInFlight } from '../../src/pipeline/calls-in-flight';
import { ContentChunks } from '../../src/retrieval/rag-indexing';
import { newId } from '../../src/runtime/ids';
import { callAs } from '../support/api/call-as';
import { keyVerdict } from '../support/api/credential-verdict';
import { openRequest } from '../support/api/open-request';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { until } from '../support/until';
import { inTurn, playNextStream, TEXT_CHUNK, untilAborted } from '../support/upstream/fake-stream';

const CHAT = { model: 'm', max_tokens: 50, messages: [{ role: 'user', content: 'When? At nine.' }] };
const CALLERS = 8;

describe('a key that ends while another replica serves it', () => {
  let service: TestService;
  let replica: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    replica = await service.startReplica();
    await replica.app.listen(0, '127.0.0.1');
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => {
    await replica.stop();
    await service.stop();
  });

  const revoke = () => callAs('revokeKey', world, { params: { key_id: world.owner.keyId } });
  const charges = (): Promise<{ status: number; charged_nano: string }[]> =>
    service.database.query(
      `SELECT status, charged_nano FROM calls WHERE account_id = $1 AND operation = 'createChatCompletion'`,
      [world.owner.id],
    );
  const reserved = async () => (await service.app.get(Ledger).balance(world.owner.id)).reservedNanoUsd;
  /** Calls again and again until it is refused. @returns when each accepted call was sent */
  const callUntilRefused = async (): Promise<number[]> => {
    const sentAtMs: number[] = [];
    for (;;) {
      const nowMs = performance.now();
      if ((await keyVerdict(world, world.owner.key, replica)) !== 'accepted') {
        return sentAtMs;
      }
      sentAtMs.push(nowMs);
    }
  };

  it('is not accepted there for one more free call after the answer', async () => {
    const callers = Promise.all(Array.from({ length: CALLERS }, callUntilRefused));
    await until(
      'the replica knows the key',
      async () => (await keyVerdict(world, world.owner.key, replica)) === 'accepted',
    );
    expect((await revoke()).status).toBe(200);
    const answeredAtMs = performance.now();
    const sentAtMs = (await callers).flat();
    expect(sentAtMs.length).toBeGreaterThan(CALLERS);
    expect(sentAtMs.filter((sentMs) => sentMs > answeredAtMs)).toEqual([]);
  });

  it('is not accepted there after the answer, though nothing that the replica is told reaches it', async () => {
    expect(await keyVerdict(world, world.owner.key, replica)).toBe('accepted');
    const register = replica.app.get<ProcessRegister, { hear(): void }>(ProcessRegister);
    jest.spyOn(register, 'hear').mockReturnValue();
    const beganMs = performance.now();
    expect((await revoke()).status).toBe(200);
    expect(performance.now() - beganMs).toBeGreaterThan(1_000);
    expect(await keyVerdict(world, world.owner.key, replica)).toBe('Invalid API key');
  });

  it('breaks a stream off with an event that says why, charged before the answer for what was delivered', async () => {
    const stream = playNextStream(replica, (signal) => inTurn([TEXT_CHUNK], () => untilAborted(signal)));
    const answer = await openRequest(replica, world.owner.key, { ...CHAT, stream: true });
    await answer.arrived('At nine.');
    expect((await revoke()).status).toBe(200);
    expect(await reserved()).toBe(0n);
    const [charge] = await charges();
    expect(Number(charge?.charged_nano)).toBeGreaterThan(0);
    await answer.ended;
    expect(answer.text()).toContain('The access key is not valid.');
    expect(stream.ended).toBe(true);
    expect(await charges()).toEqual([charge]);
  });

  it("ends a model's work without a stream, whose caller is refused", async () => {
    let entered = false;
    jest.spyOn(replica.app.get(Models), 'chat').mockImplementation((_, options) => {
      entered = true;
      return untilAborted(options?.signal).then(() => Promise.reject(new Error('it was let go')));
    });
    const answer = replica.call('createChatCompletion', { credential: world.owner.key, body: CHAT });
    await until('the model works', () => entered);
    expect((await revoke()).status).toBe(200);
    expect(await reserved()).toBe(0n);
    expect((await answer).status).toBe(401);
  });

  it('stores nothing by a call that worked on for longer than it may, and charges nothing', async () => {
    const chunks = replica.app.get(ContentChunks, { strict: false });
    const of = chunks.of.bind(chunks);
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    let entered = false;
    jest.spyOn(chunks, 'of').mockImplementation(async (content) => {
      entered = true;
      await gate;
      return of(content, new AbortController().signal);
    });
    const before = await world.balanceNanoUsd();
    const body = { content: 'The library opens at nine.' };
    const answer = replica.call('indexRagDocument', { credential: world.owner.key, body });
    await until('the content is cut', () => entered);
    expect((await revoke()).status).toBe(200);
    goOn();
    expect((await answer).status).toBe(401);
    const stored: unknown[] = await service.database.query(
      'SELECT FROM rag_documents WHERE account_id = $1',
      [world.owner.id],
    );
    expect([stored.length, await world.balanceNanoUsd()]).toEqual([0, before]);
  });

  /** Sends the head of a request at once and its body later. @returns what sends the body, and gives the answer's status */
  async function withheld(
    path: string,
    headers: Record<string, string>,
    body: object,
  ): Promise<() => Promise<number>> {
    const text = JSON.stringify(body);
    const sent = request((await replica.app.getUrl()) + path, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers },
    });
    const answered = new Promise<number>((resolve, reject) => {
      sent.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
    });
    const inFlight = replica.app.get(CallsInFlight);
    sent.flushHeaders();
    await until('the call is admitted', () => inFlight.of(null).some(({ caller }) => caller !== null));
    return () => {
      sent.end(text);
      return answered;
    };
  }

  it('gets no stored answer by a call whose body came after its end', async () => {
    const memory = { key: 'k', value: 'v' };
    const headers = { 'x-api-key': world.owner.key, 'idempotency-key': newId() };
    expect(await (await withheld('/api/hub/memory', headers, memory))()).toBe(201);
    const send = await withheld('/api/hub/memory', headers, memory);
    expect((await revoke()).status).toBe(200);
    expect(await send()).toBe(401);
  });

  it('has ended for whoever is told that it was revoked before', async () => {
    expect(await keyVerdict(world, world.owner.key, replica)).toBe('accepted');
    const register = replica.app.get<ProcessRegister, { hear(): void }>(ProcessRegister);
    jest.spyOn(register, 'hear').mockReturnValue();
    const first = revoke();
    await until(
      'it is revoked',
      async () => (await keyVerdict(world, world.owner.key)) === 'Invalid API key',
    );
    expect((await revoke()).status).toBe(409);
    expect(await keyVerdict(world, world.owner.key, replica)).toBe('Invalid API key');
    expect((await first).status).toBe(200);
  });

  it('makes no other key by a token that ended while the body was withheld', async () => {
    const { token } = world.owner;
    const send = await withheld('/api/keys', { authorization: `Bearer ${token}` }, { name: 'mine' });
    expect((await callAs('logout', world, {})).status).toBe(204);
    expect(await send()).toBe(401);
    const keys: unknown[] = await service.database.query('SELECT FROM access_keys WHERE account_id = $1', [
      world.owner.id,
    ]);
    expect(keys).toHaveLength(1);
  });
});
