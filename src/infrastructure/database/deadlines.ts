/** Within this time a statement is answered, or its caller is told that the database is away. */
export const ANSWER_WITHIN_MS = 5_000;

/**
 * When the server itself gives a statement up. It is sooner than this process does, so that the server's answer tells
 * that nothing was done.
 */
export const STATEMENT_MS_MAX = 4_500;

/** After how much silence the system begins to ask whether the other end of a connection is still there. */
export const KEEP_ALIVE_AFTER_MS = 10_000;
