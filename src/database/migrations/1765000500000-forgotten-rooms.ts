import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The highest place and version of the rooms of an account that were deleted: a room that is made later begins after them. */
export class ForgottenRooms1765000500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE forgotten_rooms (
        account_id uuid PRIMARY KEY REFERENCES accounts,
        seq bigint NOT NULL,
        version bigint NOT NULL
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE forgotten_rooms');
  }
}
