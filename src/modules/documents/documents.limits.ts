import type { EntityManager } from 'typeorm';
import { Conflict } from '../../errors/api-errors';
import { refuseFullStorage } from '../../ledger/storage-limit';
import type { ConcurrencyBounds } from '../../runtime/fair-concurrency-limit';

/** Documents that an account may have. */
const DOCUMENTS_MAX = 10_000;
/** The bytes that an account's documents may have together. */
const STORED_BYTES_MAX = 2 * 1024 ** 3;
/** Bytes are stored in pieces of this size, of which one is in memory at a time. */
export const PIECE_BYTES = 256 * 1024;
/** Files that one process stores at once: each keeps a connection of the database until it is stored. */
export const STORED_AT_ONCE_MAX = 3;
/**
 * Files that one process has in memory at once, to read them, and how many calls wait for that. One of an account is read
 * while the next is loaded. The calls that wait hold no bytes, and end with their time.
 */
export const LOAD_TURNS: ConcurrencyBounds = {
  atOnceMax: 4,
  accountAtOnceMax: 2,
  waitingMax: 128,
  accountWaitingMax: 16,
  waitingBytesMax: Infinity,
  accountWaitingBytesMax: Infinity,
  waitMsMax: null,
};
/** The JSON of the tables that are kept of a file, in UTF-16 units. */
export const TABLES_LENGTH_MAX = 4_000_000;
/** A file that could not be read is not read again for so long: it costs nothing, and would fail again. */
export const REFUSED_FOR_MS = 60_000;

/** The collection in which documents are found. */
export const DOCUMENTS_COLLECTION = 'documents';

/** How often processing a document may fail because of the service itself, such as a model that does not embed. */
export const FAULTS_MAX = 5;
/**
 * How often a document is begun at most. A worker that dies, or stops for a newer version, is no fault of the documents that it
 * works on: it takes many such ends until one of them is taken for what kills the workers.
 */
export const ATTEMPTS_MAX = 30;
/** Documents of one account that are with the queue or run at once, so that they never take all workers. */
export const PER_ACCOUNT_MAX = 4;
/** Documents of all accounts that are with the queue or run at once. */
export const IN_HAND_MAX = 100;
/** Accounts with waiting documents that a round of the dispatcher looks at, each for a look-up in an index. */
export const ACCOUNTS_MAX = 5_000;
/** Documents that one process works on at once. */
export const RUN_AT_ONCE_MAX = 4;
/** Jobs that wait in the queue beyond which nobody works them off. */
export const JOBS_WAITING_MAX = 2 * IN_HAND_MAX;
/** How long a document waits that could not be worked on, for each of its faults, or for each attempt where its worker was lost. */
export const AGAIN_AFTER_MS = 2_000;
/** How much of an error's text a document keeps, in UTF-16 units. */
export const ERROR_LENGTH_MAX = 1_000;

/** Locks an account's documents against others that add to them, until the transaction ends. */
export async function lockRoom(manager: EntityManager, accountId: string): Promise<void> {
  await manager.query(LOCK_ACCOUNT, [accountId]);
}

/**
 * What there is room for is certain only behind {@link lockRoom}; before it, this spares work that would be for nothing.
 * @throws Conflict where the account has 10,000 documents and another is to be added, or would have more than 2 GiB of files
 *   and of what was read from them; StorageFull where it would store more of all kinds of things than it may
 */
export async function refuseFull(
  manager: EntityManager,
  accountId: string,
  added: { readonly documents: 0 | 1; readonly bytes: number },
): Promise<void> {
  const [stored]: { documents: string; bytes: string }[] = await manager.query(TOTALS, [accountId]);
  if (added.documents > 0 && Number(stored?.documents) >= DOCUMENTS_MAX) {
    throw new Conflict(`An account has at most ${DOCUMENTS_MAX} documents; delete one first.`);
  }
  if (Number(stored?.bytes) + added.bytes > STORED_BYTES_MAX) {
    throw new Conflict(
      'The documents of an account have at most 2 GiB, with what was read from them; delete one first.',
    );
  }
  await refuseFullStorage(manager, accountId, added.bytes);
}

const LOCK_ACCOUNT = 'SELECT FROM accounts WHERE id = $1 FOR NO KEY UPDATE';

const TOTALS = `
  SELECT count(*) AS documents, coalesce(sum(size_bytes::bigint + read_bytes), 0) AS bytes
  FROM documents WHERE account_id = $1`;
