import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The request id that a caller gave its call, beside ours. Callers may use one id for many calls, so the index has the
 * time too: the newest of a million calls is found as fast as an only one. Calls without such an id are not in it.
 */
export class ClientRequestIds1764600000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE reservations ADD COLUMN client_request_id text;
      ALTER TABLE calls ADD COLUMN client_request_id text;
      CREATE INDEX calls_client_request ON calls (client_request_id, account_id, created_at DESC)
        WHERE client_request_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX calls_client_request;
      ALTER TABLE calls DROP COLUMN client_request_id;
      ALTER TABLE reservations DROP COLUMN client_request_id`);
  }
}
