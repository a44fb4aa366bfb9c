import { InjectQueue } from '@nestjs/bullmq';
import { Injectable } from '@nestjs/common';
import type { Queue } from 'bullmq';
import { IsUUID } from 'class-validator';
import type { DataSource, EntityManager } from 'typeorm';
import { isRetryOf } from '../../accounts/account-rows';
import { Conflict, NotFound } from '../../errors/api-errors';
import { AccountDatabases } from '../../database/account-databases';
import { ProcessRegister } from '../../database/process-register';
import { Metrics } from '../../observability/metrics';
import { DocumentRecord } from '../../retrieval/documents.repository';
import { Clock } from '../../runtime/clock';
import { idOf } from '../../runtime/ids';
import { type Claimed, claimInAll, Dispatcher } from '../../work/dispatcher';
import { type AccountLease, CLAIMED_MS, type Lease, LEASE_MS } from '../../work/leased-worker';
import { gaugeStages } from '../../work/queue.metrics';

interface ClaimedDocument {
  readonly id: string;
  readonly attempts: number;
}

/** A worker that stops for a newer version is no fault of its documents: only many such ends are one. */
const ATTEMPTS_MAX = 30;
/** Queued or running documents of one account, so that it never takes all workers. */
const PER_ACCOUNT_MAX = 4;
/** Queued or running documents of all accounts, per working process. */
const IN_HAND_MAX = 100;
const ACCOUNTS_MAX = 5_000;
/** Waiting jobs per working process, beyond which nobody works them off. */
const JOBS_WAITING_MAX = 2 * IN_HAND_MAX;
/** The wait after a failure, times the document's faults, or its attempts where the worker was lost. */
export const RETRY_DELAY_MS = 2_000;
const ERROR_LENGTH_MAX = 1_000;

const DIED = `Processing was begun ${ATTEMPTS_MAX} times and did not end. Process the document again.`;

/** Postgres holds the true state of documents: the queue's can be lost. */
@Injectable()
export class DocumentAttempts {
  constructor(
    private readonly databases: AccountDatabases,
    private readonly clock: Clock,
    private readonly register: ProcessRegister,
    metrics: Metrics,
  ) {
    const help = 'Documents that are to be processed, by their stage.';
    gaugeStages(metrics, databases.everyone, { table: 'documents', name: 'documents_unprocessed', help });
  }

  /** True where any call was charged for its text; the latest may have failed before its charge. */
  async isPaid({ accountId, isPaid, requestId }: DocumentRecord): Promise<boolean> {
    return isPaid || (await this.wasCharged(accountId, requestId));
  }

  /** A retry of the same `call` gets the same answer. @throws Conflict where it is processed or ready, NotFound */
  async begin(
    { id, accountId }: DocumentRecord,
    { callId, requestId, isPaid }: { callId: string | null; requestId: string; isPaid: boolean },
  ): Promise<DocumentRecord> {
    const database = this.databases.of(accountId);
    const values = [accountId, id, callId, this.clock.now(), requestId, isPaid];
    const [rows]: [unknown[], number] = await database.query(BEGIN, values);
    const document = await database.getRepository(DocumentRecord).findOneBy({ accountId, id });
    if (!document) {
      throw new NotFound('document');
    }
    if (rows.length === 0) {
      const earlier = { callId: document.processCall, at: document.updatedAt };
      const isRetry = isRetryOf(earlier, callId, this.clock.now());
      if (!isRetry || (await this.wasCharged(accountId, document.requestId))) {
        throw new Conflict(
          document.status === 'ready'
            ? 'The document was processed already.'
            : 'The document is being processed.',
        );
      }
      await database.query(BEGIN_AGAIN, [id, callId, requestId]);
    }
    // After a crash before this line the dispatcher finds it by itself.
    await database.query(`SELECT pg_notify('documents', '')`);
    return document;
  }

  private async wasCharged(accountId: string, requestId: string | null): Promise<boolean> {
    const rows: unknown[] = await this.databases.of(accountId).query(CHARGED, [accountId, requestId]);
    return rows.length > 0;
  }

  async claim(): Promise<Claimed<ClaimedDocument, never>> {
    const { all, everyone, places } = this.databases;
    // On Citus the bound is each schema's, so that a missing server keeps no other from work.
    const isCounted = all.length > 1 && places === null;
    const [counted] = isCounted ? await everyone.query<{ documents: number }[]>(IN_HAND) : [];
    let inHand = counted?.documents ?? null;
    const claimed = await claimInAll<ClaimedDocument, never>(this.databases, null, async (database) => {
      const round = await this.claimIn(database, inHand);
      inHand = inHand === null ? null : inHand + round.items.length - round.leasesOver;
      return round;
    });
    return { ...claimed, after: null };
  }

  /** Lost ones wait again first; then the first of each account, oldest first. */
  private async claimIn(
    database: DataSource,
    inHand: number | null,
  ): Promise<Claimed<ClaimedDocument, never>> {
    const now = this.clock.now();
    const heldUntil = new Date(now.getTime() + CLAIMED_MS);
    const [, leasesOver]: [unknown[], number] = await database.query(LOSE, [now, RETRY_DELAY_MS, heldUntil]);
    const [items]: [ClaimedDocument[], number] = await database.query(CLAIM, [
      now,
      heldUntil,
      ACCOUNTS_MAX,
      PER_ACCOUNT_MAX,
      IN_HAND_MAX * this.register.workers,
      inHand && inHand - leasesOver,
    ]);
    const [{ are_waiting: areKeptBack, are_in_hand: areInHand } = LEFT_UNKNOWN] =
      await database.query<(typeof LEFT_UNKNOWN)[]>(LEFT);
    const isQuiet = !areKeptBack && !areInHand;
    return { items, after: null, isMore: false, isFull: false, leasesOver, areKeptBack, isQuiet };
  }

  async putBack(ids: readonly string[]): Promise<void> {
    for (const [database, together] of await this.databases.withEach('documents', ids, (id) => id)) {
      await database.query(PUT_BACK, [together]);
    }
  }

  async take({ itemId: documentId, runId }: Lease): Promise<DocumentRecord | null> {
    const now = this.clock.now();
    const database = await this.databases.with('documents', documentId);
    await database.query(GIVE_UP, [documentId, ATTEMPTS_MAX, DIED, now]);
    const until = new Date(now.getTime() + LEASE_MS);
    const [rows]: [unknown[], number] = await database.query(TAKE, [documentId, runId, until, now]);
    return rows.length === 0
      ? null
      : database.getRepository(DocumentRecord).findOneBy({ id: documentId, runId });
  }

  async hold(leases: readonly Lease[]): Promise<Map<string, null>> {
    const until = new Date(this.clock.now().getTime() + LEASE_MS);
    const held = new Map<string, null>();
    for (const [database, together] of await this.databases.withEach('documents', leases, itemOf)) {
      const given = [together.map(itemOf), together.map(({ runId }) => runId)];
      await database.query(HOLD, [...given, until]);
      const rows: { id: string }[] = await database.query(HELD, given);
      rows.forEach(({ id }) => held.set(id, null));
    }
    return held;
  }

  async progress({ accountId, itemId: documentId, runId }: AccountLease, percent: number): Promise<void> {
    const values = [documentId, runId, percent, this.clock.now()];
    await this.databases.of(accountId).query(PROGRESS, values);
  }

  async lock(manager: EntityManager, { itemId: documentId, runId }: Lease): Promise<boolean> {
    const rows: unknown[] = await manager.query(LOCK, [documentId, runId]);
    return rows.length > 0;
  }

  async finish(
    manager: EntityManager,
    { itemId: documentId, runId }: Lease,
    { chunks, language }: { chunks: number; language: string | null },
  ): Promise<void> {
    await manager.query(FINISH, [documentId, runId, chunks, language, this.clock.now()]);
  }

  async fail({ accountId, itemId: documentId, runId }: AccountLease, error: string): Promise<void> {
    const text = error.slice(0, ERROR_LENGTH_MAX).replaceAll('\0', '\uFFFD').toWellFormed();
    await this.databases.of(accountId).query(FAIL, [documentId, runId, text, this.clock.now()]);
  }

  async giveBack(
    { accountId, itemId: documentId, runId }: AccountLease,
    waitMs: number,
    faults: number,
  ): Promise<void> {
    const notBefore = new Date(this.clock.now().getTime() + waitMs);
    await this.databases.of(accountId).query(GIVE_BACK, [documentId, runId, notBefore, faults]);
  }
}

function itemOf({ itemId }: Lease): string {
  return itemId;
}

const BEGIN = `
  UPDATE documents AS d SET status = 'processing', progress = 10, error = NULL, stage = 'waiting', attempts = 0, faults = 0,
    run_id = NULL, held_until = NULL, not_before = NULL, process_call = $3, request_id = $5, is_paid = $6, pages = t.pages,
    characters = t.characters, tokens = t.tokens, is_truncated = t.is_cut, language = NULL, chunks = NULL,
    processed_at = NULL, updated_at = greatest(updated_at, $4)
  FROM (
    SELECT o.id, x.pages, x.tokens, x.is_cut, x.characters
    FROM documents o JOIN document_texts x ON x.document_id = o.id
    WHERE o.account_id = $1 AND o.id = $2 AND o.status IN ('uploaded', 'failed') FOR NO KEY UPDATE OF o
  ) AS t
  WHERE d.id = t.id RETURNING d.id`;

// The retry is the call that pays from now on.
const BEGIN_AGAIN = 'UPDATE documents SET request_id = $3 WHERE id = $1 AND process_call = $2';

const CHARGED = `SELECT FROM calls WHERE account_id = $1 AND request_id = $2 AND outcome = 'settled'`;

// A document lost with several workers may be what kills them: its wait grows, so that others get done. What is held by
// a clock that was set back since is held from now on.
const LOSE = `
  WITH held_anew AS (
    UPDATE documents SET held_until = $3 WHERE id IN (
      SELECT id FROM documents
      WHERE stage IN ('handed', 'running') AND held_until > $1::timestamptz + 2 * ($3::timestamptz - $1)
      FOR NO KEY UPDATE SKIP LOCKED)
  )
  UPDATE documents SET stage = 'waiting', held_until = NULL,
    not_before = CASE WHEN stage = 'running' THEN $1::timestamptz + attempts * $2::integer * interval '1 millisecond' END
  WHERE id IN (
    SELECT id FROM documents WHERE stage IN ('handed', 'running') AND held_until <= $1 FOR NO KEY UPDATE SKIP LOCKED)`;

// Hops along the index from account to account, so that ten thousand documents of one cost no more than a few.
const CLAIM = `
  WITH RECURSIVE accounts AS (
    (SELECT account_id, 1 AS place FROM documents WHERE stage = 'waiting' ORDER BY account_id LIMIT 1)
    UNION ALL
    SELECT following.account_id, a.place + 1 FROM accounts a CROSS JOIN LATERAL (
      SELECT d.account_id FROM documents d WHERE d.stage = 'waiting' AND d.account_id > a.account_id
      ORDER BY d.account_id LIMIT 1
    ) AS following WHERE a.place < $3
  ), in_hand AS (
    SELECT account_id, count(*) AS documents FROM documents WHERE stage IN ('handed', 'running') GROUP BY account_id
  ), ranked AS (
    SELECT o.id, o.updated_at, coalesce(h.documents, 0)
      + row_number() OVER (PARTITION BY a.account_id ORDER BY o.updated_at, o.id) AS account_rank
    FROM accounts a LEFT JOIN in_hand h USING (account_id) CROSS JOIN LATERAL (
      SELECT d.id, d.updated_at FROM documents d
      WHERE d.stage = 'waiting' AND d.account_id = a.account_id AND (d.not_before IS NULL OR d.not_before <= $1)
      ORDER BY d.updated_at, d.id LIMIT greatest(0, $4 - coalesce(h.documents, 0))
    ) AS o
  ), picked AS (
    SELECT id FROM ranked ORDER BY account_rank, updated_at
    LIMIT greatest(0, $5 - coalesce($6, (SELECT sum(documents) FROM in_hand), 0))
  ), locked AS (
    SELECT id FROM documents WHERE id IN (SELECT id FROM picked) AND stage = 'waiting' FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE documents SET stage = 'handed', held_until = $2, not_before = NULL
  WHERE id IN (SELECT id FROM locked) RETURNING id, attempts`;

const IN_HAND = `SELECT count(*)::integer AS documents FROM documents WHERE stage IN ('handed', 'running')`;

const LEFT = `
  SELECT EXISTS (SELECT FROM documents WHERE stage = 'waiting') AS are_waiting,
    EXISTS (SELECT FROM documents WHERE stage IN ('handed', 'running')) AS are_in_hand`;
const LEFT_UNKNOWN = { are_waiting: true, are_in_hand: true };

const PUT_BACK = `UPDATE documents SET stage = 'waiting', held_until = NULL WHERE id = ANY ($1::uuid[]) AND stage = 'handed'`;

const FAILED = `
  UPDATE documents SET status = 'failed', stage = 'idle', error = $3, held_until = NULL, run_id = NULL,
    updated_at = greatest(updated_at, $4)`;

const GIVE_UP = `${FAILED} WHERE id = $1 AND stage = 'handed' AND attempts >= $2`;

const TAKE = `
  UPDATE documents SET stage = 'running', run_id = $2, held_until = $3, attempts = attempts + 1,
    progress = greatest(progress, 25), updated_at = greatest(updated_at, $4)
  WHERE id = $1 AND stage = 'handed' RETURNING id`;

// Skips a document that its own attempt has locked to store its results.
const HOLD = `
  UPDATE documents SET held_until = $3 WHERE id IN (
    SELECT d.id FROM documents d JOIN unnest($1::uuid[], $2::uuid[]) AS given (id, run_id) USING (id, run_id)
    WHERE d.stage = 'running' FOR NO KEY UPDATE OF d SKIP LOCKED)`;

const HELD = `SELECT d.id FROM documents d, (SELECT * FROM unnest($1::uuid[], $2::uuid[]) AS given (id, run_id)) AS given
  WHERE d.id = given.id AND d.run_id = given.run_id AND d.stage = 'running'`;

const IS_OWN = `id = $1 AND run_id = $2 AND stage = 'running'`;

const PROGRESS = `
  UPDATE documents SET progress = $3, updated_at = greatest(updated_at, $4) WHERE ${IS_OWN} AND progress < $3`;

const LOCK = `SELECT 1 FROM documents WHERE ${IS_OWN} FOR UPDATE`;

const FINISH = `
  UPDATE documents SET status = 'ready', stage = 'idle', progress = 100, chunks = $3, language = $4, error = NULL,
    held_until = NULL, run_id = NULL, processed_at = $5, updated_at = greatest(updated_at, $5)
  WHERE ${IS_OWN}`;

const FAIL = `${FAILED} WHERE ${IS_OWN}`;

const GIVE_BACK = `
  UPDATE documents SET stage = 'waiting', held_until = NULL, run_id = NULL, not_before = $3, faults = $4
  WHERE ${IS_OWN}`;

export const DOCUMENT_QUEUE = 'documents';

export class DocumentJob {
  @IsUUID('loose') documentId!: string;
}

@Injectable()
export class DocumentDispatcher extends Dispatcher<ClaimedDocument> {
  constructor(
    private readonly attempts: DocumentAttempts,
    @InjectQueue(DOCUMENT_QUEUE) private readonly queue: Queue<DocumentJob>,
    clock: Clock,
    register: ProcessRegister,
  ) {
    super({
      kind: 'documents',
      clock,
      register,
      channel: 'documents',
      queues: [queue],
      jobsWaitingMax: JOBS_WAITING_MAX,
    });
  }

  async remove(id: string, attempts: number): Promise<void> {
    for (let before = 0; before <= attempts; before += 1) {
      await this.queue.remove(jobId(id, before));
    }
  }

  protected claim(): Promise<Claimed<ClaimedDocument, never>> {
    return this.attempts.claim();
  }

  /** The job id keeps a document that was claimed twice before it began in the queue only once. */
  protected add(documents: readonly ClaimedDocument[]) {
    return this.queue.addBulk(
      documents.map(({ id, attempts }) => ({
        name: 'document',
        data: { documentId: id },
        opts: { jobId: jobId(id, attempts) },
      })),
    );
  }

  protected putBack(documents: readonly ClaimedDocument[]): Promise<void> {
    return this.attempts.putBack(documents.map(({ id }) => id));
  }
}

/** Not the document's own id, because the queue remembers finished job ids for a while. */
function jobId(id: string, attempts: number): string {
  return idOf(`document:${id}:${attempts}`);
}
