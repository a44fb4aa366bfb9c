import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * From which blocks of addresses each account was logged into lately. The index on the time is for forgetting, which goes
 * over all accounts.
 */
export class LoginAddresses1765000700000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE login_addresses (
        account_id uuid NOT NULL REFERENCES accounts,
        address_hash text NOT NULL,
        logged_in_at timestamptz NOT NULL,
        PRIMARY KEY (account_id, address_hash)
      );
      CREATE INDEX login_addresses_age ON login_addresses (logged_in_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE login_addresses');
  }
}
