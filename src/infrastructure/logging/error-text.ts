/** An error as the log tells it: its stack, and below it those of its causes. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const own = error.stack ?? error.message;
  return error.cause === undefined ? own : `${own}\ncaused by: ${errorText(error.cause)}`;
}
