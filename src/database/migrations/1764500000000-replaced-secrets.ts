import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The secrets of access keys that a rotation has replaced, while their overlap runs. The column of access_keys that
 * held one of them ended it as soon as the key was rotated again. That column and the one of its end stay
 * for now, unused: replicas of the build before name them in their look-ups. A later migration can drop them.
 */
export class ReplacedSecrets1764500000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(FILL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE replaced_secrets');
  }
}

// No foreign key to access_keys: its triggers would have to be asked at each of the charges that update a key's sums.
// Whoever deletes a key deletes these rows in the same transaction.
const TABLE = `
  CREATE TABLE replaced_secrets (
    secret_hash bytea PRIMARY KEY,
    key_id uuid NOT NULL,
    valid_until timestamptz NOT NULL
  );
  CREATE INDEX replaced_secrets_key ON replaced_secrets (key_id);`;

const FILL = `
  INSERT INTO replaced_secrets (secret_hash, key_id, valid_until)
  SELECT previous_secret_hash, id, previous_valid_until FROM access_keys
  WHERE previous_secret_hash IS NOT NULL AND previous_valid_until IS NOT NULL`;
