import { Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { deleteInBatches } from '../database/bounded-statements';
import { Tracing, type Span, type SpanFacts, type SpanKind } from '../observability/tracing';

const WAITING_MAX = 1_000;
const KEPT_FOR_MS = 3 * 24 * 60 * 60 * 1000;
const SWEEP_BATCHES = { sizeMax: 5_000, batchesMax: 100 };

/** A request that began its trace needs no row: the id suffices. A lost row only cuts the trace in two. */
@Injectable()
export class CallTraces implements BeforeApplicationShutdown {
  private waiting = new Map<string, string>();
  private writing: Promise<void> | null = null;

  constructor(
    private readonly database: DataSource,
    private readonly tracing: Tracing,
  ) {}

  note(requestId: string, parent: string): void {
    if (this.tracing.isOn && this.waiting.size < WAITING_MAX) {
      this.waiting.set(requestId, parent);
      this.writing ??= this.writeAll().finally(() => (this.writing = null));
    }
  }

  /** Null when tracing is off. @param requestId null where no request caused it */
  async follow(
    name: string,
    kind: SpanKind,
    requestId: string | null,
    facts: SpanFacts,
  ): Promise<Span | null> {
    if (!this.tracing.isOn || requestId === null) {
      return null;
    }
    const noted = this.database.query<{ traceparent: string }[]>(NOTED, [requestId]);
    const [row] = await noted.catch(() => []);
    const parent = row?.traceparent ?? null;
    return this.tracing.follow(name, kind, { requestId, parent }, { ...facts, 'app.request_id': requestId });
  }

  async sweep(now: Date, signal?: AbortSignal): Promise<number> {
    const before = new Date(now.getTime() - KEPT_FOR_MS);
    return deleteInBatches(this.database, SWEEP, before, { ...SWEEP_BATCHES, signal });
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.writing;
  }

  private async writeAll(): Promise<void> {
    while (this.waiting.size > 0) {
      const notes = this.waiting;
      this.waiting = new Map();
      await this.database.query(WRITE, [[...notes.keys()], [...notes.values()]]).catch(() => undefined);
    }
  }
}

const NOTED = 'SELECT traceparent FROM call_traces WHERE request_id = $1';

const WRITE = `
  INSERT INTO call_traces (request_id, traceparent) SELECT * FROM unnest($1::text[], $2::text[])
  ON CONFLICT DO NOTHING`;

const SWEEP = `
  DELETE FROM call_traces WHERE request_id IN (
    SELECT request_id FROM call_traces WHERE noted_at <= $1
    ORDER BY noted_at LIMIT $2 FOR UPDATE SKIP LOCKED)`;
