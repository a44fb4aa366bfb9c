import type { TurnBounds } from '../../../infrastructure/turns/account-turns';

/** Documents that an account may have. */
export const DOCUMENTS_MAX = 10_000;
/** The bytes that an account's documents may have together. */
export const STORED_BYTES_MAX = 2 * 1024 ** 3;
/** Bytes are stored in pieces of this size, of which one is in memory at a time. */
export const PIECE_BYTES = 256 * 1024;
/** Files that one process stores at once: each keeps a connection of the database until it is stored. */
export const STORED_AT_ONCE_MAX = 3;
/**
 * Files that one process has in memory at once, to read them, and how many calls wait for that. One of an account is read
 * while the next is loaded. The calls that wait hold no bytes, and end with their time.
 */
export const LOAD_TURNS: TurnBounds = {
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
/** Accounts with waiting documents that a round of the hand-over looks at, each for a look-up in an index. */
export const ACCOUNTS_MAX = 5_000;
/** Documents that one process works on at once. */
export const RUN_AT_ONCE_MAX = 4;
/** Jobs that wait in the queue beyond which nobody works them off. */
export const JOBS_WAITING_MAX = 2 * IN_HAND_MAX;
/** A document that is with the queue and not begun by then is handed over again. */
export const HANDED_MS = 30_000;
/** A document whose worker has not told for so long that it lives is taken for lost. */
export const LEASE_MS = 15_000;
/** How often a worker tells that it lives. */
export const HEARTBEAT_MS = 5_000;
/** How long a document waits that could not be worked on, for each of its faults, or for each attempt where its worker was lost. */
export const AGAIN_AFTER_MS = 2_000;
/** How much of an error's text a document keeps, in UTF-16 units. */
export const ERROR_LENGTH_MAX = 1_000;
