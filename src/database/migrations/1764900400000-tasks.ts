import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Operations that run in the background. This table is the truth: what the queue knows can be lost and is handed over
 * again. `task_pauses` says until when calls of a key and of one type would be beyond their rate.
 */
export class Tasks1764900400000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TASKS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE task_pauses, tasks');
  }
}

// `stage` is what the relay goes by, where `status` is what the owner sees: waiting (may be handed to the queue), handed
// (is with the queue) or running (is with a worker), both until held_until at the latest, or over. A task whose worker died
// waits again, and its status stays `running`. `call_id` is the call of the latest attempt: whoever has another one may not
// write. `submission` names the call that submitted the task, so that a retry of that call finds it.
const TASKS = `
  CREATE TABLE tasks (
    id uuid PRIMARY KEY,
    account_id uuid NOT NULL REFERENCES accounts,
    key_id uuid NOT NULL,
    task_type text NOT NULL,
    parameters text NOT NULL,
    priority smallint NOT NULL,
    status text NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
    stage text NOT NULL CHECK (stage IN ('waiting', 'handed', 'running', 'over')),
    progress smallint NOT NULL DEFAULT 0,
    attempts smallint NOT NULL DEFAULT 0,
    call_id uuid,
    held_until timestamptz,
    not_before timestamptz,
    cancel_requested_at timestamptz,
    submission text,
    cost_nano_usd bigint NOT NULL DEFAULT 0,
    result text,
    error jsonb,
    created_at timestamptz NOT NULL,
    started_at timestamptz,
    finished_at timestamptz,
    expires_at timestamptz
  );
  CREATE INDEX tasks_waiting ON tasks (account_id, key_id, task_type, priority DESC, created_at, id) WHERE stage = 'waiting';
  CREATE INDEX tasks_in_hand ON tasks (held_until) WHERE stage IN ('handed', 'running');
  CREATE INDEX tasks_unfinished ON tasks (account_id) WHERE stage <> 'over';
  CREATE INDEX tasks_time ON tasks (account_id, created_at DESC, id DESC);
  CREATE INDEX tasks_submission ON tasks (submission) WHERE submission IS NOT NULL;
  CREATE INDEX tasks_expiry ON tasks (expires_at) WHERE expires_at IS NOT NULL;

  CREATE TABLE task_pauses (
    key_id uuid NOT NULL,
    task_type text NOT NULL,
    until timestamptz NOT NULL,
    PRIMARY KEY (key_id, task_type)
  );
  CREATE INDEX task_pauses_until ON task_pauses (until);`;
