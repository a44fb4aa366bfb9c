import { TooManyCallsWait } from '../../src/errors/api-errors';
import { Ledger } from '../../src/ledger/ledger';
import { UnchargedCalls } from '../../src/pipeline/uncharged-calls';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { TestService } from '../support/api/service';
import { World } from '../support/api/world';
import { until } from '../support/until';

const BODY = { key: 'k', value: 'v' };

describe('an outcome that nobody can tell', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
  });
  beforeEach(async () => {
    world = await World.create(service);
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    expect(await ledgerFaults(service.database)).toEqual([]);
  });
  afterAll(async () => service.stop());

  it('of a settlement is answered by breaking the connection, and is free where it did not happen', async () => {
    const ledger = service.app.get(Ledger);
    jest.spyOn(ledger, 'settle').mockRejectedValueOnce(new Error('the database is away'));
    await expect(write()).rejects.toThrow('response destroyed before completion');
    expect(await ledger.balance(world.owner.id)).toEqual({
      balanceNanoUsd: 10_000_000_000n,
      reservedNanoUsd: 0n,
    });
  });

  it('of a settlement that happened leaves its answer for the retry, charged once', async () => {
    const ledger = service.app.get(Ledger);
    const settle = ledger.settle.bind(ledger);
    jest.spyOn(ledger, 'settle').mockImplementationOnce(async (order) => {
      await settle(order);
      throw new Error('the answer was lost');
    });
    const headers = { 'idempotency-key': 'settled and lost' };
    await expect(write(headers)).rejects.toThrow('response destroyed before completion');
    const retry = await write(headers);
    expect([retry.status, retry.headers['idempotent-replayed']]).toEqual([201, 'true']);
    expect((await ledger.balance(world.owner.id)).balanceNanoUsd).toBe(9_999_900_000n);
  });

  it('is none where too many calls wait: the call is logged as refused, and nothing is released', async () => {
    jest.spyOn(service.app.get(Ledger), 'reserve').mockRejectedValueOnce(new TooManyCallsWait());
    const refused = await write();
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '1']);
    await service.app.get(UnchargedCalls, { strict: false }).write();
    const rows: unknown[] = await service.database.query(
      'SELECT outcome, status FROM calls WHERE account_id = $1',
      [world.owner.id],
    );
    expect(rows).toEqual([{ outcome: 'refused', status: 503 }]);
  });

  it('of a claim does not keep its Idempotency-Key from the retry', async () => {
    loseAnswerOnce('idempotency_claim(');
    const headers = { 'idempotency-key': 'claimed and lost' };
    expect((await write(headers)).status).toBe(503);
    expect((await write(headers)).status).toBe(201);
  });

  it('of a claim that a stalled server makes late does not keep its Idempotency-Key either', async () => {
    const makeClaim = loseStatementOnce('idempotency_claim(');
    const headers = { 'idempotency-key': 'claimed late' };
    expect((await write(headers)).status).toBe(503);
    await makeClaim();
    expect((await write(headers)).status).toBe(201);
  });

  it('of a claim is settled once the database is back, where it is away meanwhile', async () => {
    loseAnswerOnce('idempotency_claim(', () => loseStatementOnce('idempotency_claims'));
    const headers = { 'idempotency-key': 'claimed and cut off' };
    expect((await write(headers)).status).toBe(503);
    await until('the key is free', async () => (await write(headers)).status === 201);
  });

  function write(headers: Record<string, string> = {}) {
    return service.call('createMemory', { credential: world.owner.key, body: BODY, headers });
  }

  function loseAnswerOnce(functionName: string, lost: () => void = () => undefined): void {
    onceFor(functionName, async (run) => {
      await run();
      lost();
    });
  }

  /** @returns what has the server carry the statement out, as one does that had stalled */
  function loseStatementOnce(part: string): () => Promise<unknown> {
    let late: () => Promise<unknown> = () => Promise.reject(new Error(`nobody asked for ${part}`));
    onceFor(part, (run) => {
      late = run;
      return Promise.resolve();
    });
    return () => late();
  }

  /** The next statement with this part is given to `lose` and fails. */
  function onceFor(part: string, lose: (run: () => Promise<unknown>) => Promise<void>): void {
    const { database } = service;
    const query = database.query.bind(database);
    const spy = jest.spyOn(database, 'query').mockImplementation(async (sql: string, parameters?: object) => {
      if (!sql.includes(part)) {
        return query(sql, parameters);
      }
      spy.mockRestore();
      await lose(() => query(sql, parameters));
      throw new Error('Connection terminated unexpectedly');
    });
  }
});
