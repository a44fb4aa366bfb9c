import { DatabaseError } from 'pg';
import { DataSource, QueryFailedError } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { until } from '../../test/support/until';
import { dataSourceOptions } from './data-source';
import { DatabaseUnreachable, isDatabaseAway, isFaultOfOne, mayConnectLater } from './driver-errors';

describe('the errors of the driver', () => {
  it.each([
    '57P01',
    '57P02',
    '57P03',
    '08006',
    '08P01',
    '53300',
    '53100',
    '58030',
    '25006',
    '57014',
    '55P03',
  ])('tell by SQLSTATE %s that the database is away', (state) =>
    expect(isDatabaseAway(failed(refusal(state)))).toBe(true),
  );

  it.each(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND'])(
    'tell by %s of a statement that the database is away, though not of any other server',
    (code) => {
      const error = Object.assign(new Error(`connect ${code}`), { code });
      expect([isDatabaseAway(failed(error)), isDatabaseAway(error)]).toEqual([true, false]);
      expect(isDatabaseAway(new DatabaseUnreachable(error))).toBe(true);
      expect(mayConnectLater(error)).toBe(true);
    },
  );

  it.each([
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'Client has encountered a connection error and is not queryable',
  ])('tell by "%s" that the database is away', (text) =>
    expect(isDatabaseAway(failed(new Error(text)))).toBe(true),
  );

  it.each(['23505', '22P02', '42P01', '40P01', 'P0001'])(
    'do not take SQLSTATE %s for a database that is away',
    (state) => expect(isDatabaseAway(failed(refusal(state)))).toBe(false),
  );

  it('do not take a fault of ours for a database that is away', () => {
    const fault = new TypeError("Cannot read properties of undefined (reading 'id')");
    expect([isDatabaseAway(fault), isDatabaseAway(failed(fault)), isDatabaseAway(null)]).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('do not wait for a database that refuses the password', () =>
    expect(mayConnectLater(refusal('28P01'))).toBe(false));

  it.each(['ERROR', 'FEHLER', 'ERREUR'])(
    'find the order at fault also where its severity is "%s"',
    (severity) => {
      const refused = (state: string): DatabaseError => Object.assign(refusal(state), { severity });
      expect(['23514', '22003', '40P01'].map((state) => isFaultOfOne(refused(state)))).toEqual([
        true,
        true,
        true,
      ]);
      expect(['53100', '57P01', '25006', '26000'].map((state) => isFaultOfOne(refused(state)))).toEqual([
        false,
        false,
        false,
        false,
      ]);
      expect(isFaultOfOne(new Error('Connection terminated unexpectedly'))).toBe(false);
    },
  );
});

describe('a connection that is lost between two statements of a transaction', () => {
  let own: TestDatabase;
  let database: DataSource;
  beforeAll(async () => {
    own = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(own.url, 2)).initialize();
  });
  afterAll(async () => {
    await database.destroy();
    await own.drop();
  });

  it.each(['through the manager', 'through the runner'])(
    'tells %s that the database is away',
    async (way) => {
      const lost = database.transaction(async (manager) => {
        const { queryRunner } = manager;
        const [row]: { pid: number }[] = await manager.query('SELECT pg_backend_pid() AS pid');
        await database.query('SELECT pg_terminate_backend($1)', [row?.pid]);
        await until('the driver knows', () => queryRunner?.isReleased === true);
        await (way === 'through the manager' ? manager : queryRunner)?.query('SELECT 1');
      });
      const error: unknown = await lost.catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect(isDatabaseAway(error)).toBe(true);
    },
  );
});

function refusal(code: string): DatabaseError {
  return Object.assign(new DatabaseError('refused', 0, 'error'), { code });
}

function failed(driverError: Error): QueryFailedError {
  return new QueryFailedError('SELECT 1', [], driverError);
}
