import { randomBytes } from 'node:crypto';
import { DataSource } from 'typeorm';
import { createTestDatabase, type TestDatabase } from '../../test/support/api/test-database';
import { dataSourceOptions } from '../database/data-source';
import { ReplacedSecrets1764500000000 } from '../database/migrations/1764500000000-replaced-secrets';
import { newId } from '../runtime/ids';

describe('the migration to a table of replaced secrets', () => {
  let testDatabase: TestDatabase;
  let database: DataSource;

  beforeAll(async () => {
    testDatabase = await createTestDatabase();
    database = await new DataSource(dataSourceOptions(testDatabase.url, 2)).initialize();
  });
  afterAll(async () => {
    await database.destroy();
    await testDatabase.drop();
  });

  it('takes over the secret of each key whose overlap may still run', async () => {
    const runner = database.createQueryRunner();
    const migration = new ReplacedSecrets1764500000000();
    const validUntil = new Date('2030-01-01T00:00:00.000Z');
    const secretHash = randomBytes(32);
    await migration.down(runner);
    const rotated = await insertKey(secretHash, validUntil);
    await insertKey(null, null);
    await insertKey(null, validUntil);
    await migration.up(runner);
    await runner.release();
    expect(await database.query('SELECT * FROM replaced_secrets')).toEqual([
      { secret_hash: secretHash, key_id: rotated, valid_until: validUntil },
    ]);
  });

  async function insertKey(previousHash: Buffer | null, validUntil: Date | null): Promise<string> {
    const id = newId();
    await database.query(
      `INSERT INTO accounts (id, email, username, password_hash, created_at)
       VALUES ($1::uuid, $1::uuid::text || '@example.com', $1::uuid::text, '', now())`,
      [id],
    );
    await database.query(
      `INSERT INTO access_keys (id, account_id, name, preview, secret_hash, created_at,
         previous_secret_hash, previous_valid_until) VALUES ($1, $1, 'k', 'k', $2, now(), $3, $4)`,
      [id, randomBytes(32), previousHash, validUntil],
    );
    return id;
  }
});
