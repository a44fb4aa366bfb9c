import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What was seen of an access key in an hour, of accounts that subscribe to anomalies: how many calls with a wrong secret
 * named it, and from which addresses it was used. The index finds the keys that the beginning of a secret names.
 */
export class Sightings1764700100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SIGHTINGS);
    await runner.query('CREATE INDEX access_keys_named ON access_keys (left(preview, 13))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX access_keys_named;
      DROP TABLE sightings;
      DROP FUNCTION IF EXISTS sightings_add_address`);
  }
}

// `seen` is the fingerprint of an address where the kind is many_addresses, and empty otherwise.
const SIGHTINGS = `
  CREATE TABLE sightings (
    key_id uuid NOT NULL,
    hour timestamptz NOT NULL,
    kind text NOT NULL CHECK (kind IN ('invalid_credentials', 'many_addresses')),
    seen text NOT NULL,
    calls integer NOT NULL,
    PRIMARY KEY (key_id, hour, kind, seen)
  );
  CREATE INDEX sightings_hour ON sightings (hour);`;
