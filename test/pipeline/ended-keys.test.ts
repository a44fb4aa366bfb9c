import { Ledger } from '../../src/ledger/ledger';
import { Models } from '../../src/models/models';
import { ProcessRegister } from '../../src/database/process-register';
import { callAs } from '../support/api/call-as';
import { keyVerdict } from '../support/api/credential-verdict';
import { openRequest } from '../support/api/open-request';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { faultsInBooks } from '../support/ledger/books';
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
    expect(await faultsInBooks(service.database)).toEqual([]);
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
});
