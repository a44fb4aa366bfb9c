import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which call caused an event, a task and the processing of a document, by its request id, for logs and traces. The trace
 * of a request follows from its id; only where the request was part of another trace, call_traces tells which.
 */
export class Causes1765000100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE events ADD COLUMN request_id text;
      ALTER TABLE tasks ADD COLUMN request_id text;
      ALTER TABLE documents ADD COLUMN request_id text;
      CREATE TABLE call_traces (
        request_id text PRIMARY KEY,
        traceparent text NOT NULL,
        noted_at timestamptz NOT NULL DEFAULT now()
      );
      CREATE INDEX call_traces_time ON call_traces (noted_at)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TABLE call_traces;
      ALTER TABLE documents DROP COLUMN request_id;
      ALTER TABLE tasks DROP COLUMN request_id;
      ALTER TABLE events DROP COLUMN request_id`);
  }
}
