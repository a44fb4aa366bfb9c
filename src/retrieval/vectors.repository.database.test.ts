import { DataSource } from 'typeorm';
import type { TestDatabase } from '../../test/support/api/test-database';
import { createVectorDatabase } from '../../test/support/api/vector-database';
import { VectorWorld } from '../../test/support/rag/vector-world';
import { AccountDatabases, openAccountDatabases } from '../database/account-databases';
import { dataSourceOptions } from '../database/data-source';
import { databaseFunctions, migrate } from '../database/migrate';
import { PgVectorRepository } from './vectors.repository';

describe('PgVectorRepository', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;
  let world: VectorWorld;

  beforeAll(async () => {
    testDatabase = await createVectorDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 1)).initialize();
    world = new VectorWorld(AccountDatabases.only(database));
  });
  afterAll(async () => {
    await world.close();
    await database.destroy();
    await testDatabase.drop();
  });

  it('finds what was stored before the server had the extension, and what replicas store that do not know it', async () => {
    const unaware = world.replicaWith(new PgVectorRepository(AccountDatabases.only(database)));
    const accountId = await world.account();
    const vectors = Array.from({ length: 450 }, (_, index) => [1, index]);
    const early = await world.store(accountId, { vectors });
    expect(await world.found(unaware, accountId, { vector: [1, 0], limit: 1 })).toEqual(
      early.chunkIds.slice(0, 1),
    );

    const [aware, other] = await Promise.all([world.replica(), world.replica()]);
    expect(await world.found(aware, accountId, { vector: [1, 0], limit: 3 })).toEqual(
      early.chunkIds.slice(0, 3),
    );
    expect(await uncopied()).toBe(0);

    const late = await world.store(accountId, { vectors: [[1, -0.1]] });
    const nearest = [...early.chunkIds.slice(0, 1), ...late.chunkIds];
    for (const replica of [unaware, aware, other]) {
      expect(await world.found(replica, accountId, { vector: [1, 0], limit: 2 })).toEqual(nearest);
    }
    expect(await uncopied()).toBe(0);
  });

  it('goes on without the extension when it is dropped', async () => {
    const replica = await world.replica();
    const accountId = await world.account();
    const { chunkIds } = await world.store(accountId, { vectors: [[1, 0]] });
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toEqual(chunkIds);
    await database.query('DROP EXTENSION vector CASCADE');
    expect(await world.found(replica, accountId, { vector: [1, 0] })).toEqual(chunkIds);
  });

  it('finds in each schema of accounts, also in those that came later than the extension', async () => {
    await world.replica();
    await migrate(testDatabase.url, databaseFunctions, 2);
    const databases = await openAccountDatabases(database, 2);
    const divided = new VectorWorld(databases);
    const replica = await divided.replica();
    for (const schema of databases.all) {
      let accountId = await divided.account();
      while (databases.of(accountId) !== schema) {
        accountId = await divided.account();
      }
      const { chunkIds } = await divided.store(accountId, { vectors: [[1, 0]] });
      expect(await divided.found(replica, accountId, { vector: [1, 0] })).toEqual(chunkIds);
      expect(await schema.query('SELECT FROM rag_vectors WHERE embedding IS NOT NULL')).not.toEqual([]);
    }
    await divided.close();
  });

  async function uncopied(): Promise<number> {
    const [row]: { count: string }[] = await database.query(
      'SELECT count(*) FROM rag_vectors WHERE embedding IS NULL',
    );
    return Number(row?.count);
  }
});
