import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What admins did, and who decided about requests for another tier. `refuse_admin_action_change` keeps the actions from
 * being changed. Abandoned deliveries are listed over all accounts, so they have an index.
 */
export class AdminActions1764900710000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query([ACTIONS, DECISIONS, ABANDONED].join('\n'));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX deliveries_abandoned;
      DROP INDEX upgrade_requests_time;
      ALTER TABLE upgrade_requests DROP COLUMN decided_at, DROP COLUMN decided_by, DROP COLUMN note;
      DROP TABLE admin_actions;
      DROP FUNCTION IF EXISTS refuse_admin_action_change`);
  }
}

// No foreign keys: the actions outlive what they concern. An idempotency id may return after a day, for another action.
const ACTIONS = `
  CREATE TABLE admin_actions (
    id uuid PRIMARY KEY,
    admin_id uuid NOT NULL,
    operation text NOT NULL,
    account_id uuid NOT NULL,
    subject_id uuid NOT NULL,
    reason text,
    before jsonb NOT NULL,
    after jsonb NOT NULL,
    request_id text NOT NULL,
    idempotency_id text,
    created_at timestamptz NOT NULL
  );
  CREATE INDEX admin_actions_time ON admin_actions (created_at, id);
  CREATE INDEX admin_actions_account ON admin_actions (account_id, created_at, id);
  CREATE INDEX admin_actions_subject ON admin_actions (subject_id, created_at);`;

const DECISIONS = `
  ALTER TABLE upgrade_requests
    ADD COLUMN decided_at timestamptz,
    ADD COLUMN decided_by uuid,
    ADD COLUMN note text;
  CREATE INDEX upgrade_requests_time ON upgrade_requests (created_at, id);`;

const ABANDONED = `
  CREATE INDEX deliveries_abandoned ON deliveries (abandoned_at, id) WHERE abandoned_at IS NOT NULL;`;
