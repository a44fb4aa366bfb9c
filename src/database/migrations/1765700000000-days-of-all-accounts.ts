import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Operators read sums of days and hours of all accounts, which the keys of both tables begin with. */
export class DaysOfAllAccounts1765700000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX usage_days_day ON usage_days (day)');
    await runner.query('CREATE INDEX ledger_hours_hour ON ledger_hours (hour)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX usage_days_day, ledger_hours_hour');
  }
}
