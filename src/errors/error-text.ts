import { inspect } from 'node:util';

const CAUSES_MAX = 5;

/** An error as the log tells it: its stack, and below it those of its causes. Whatever was thrown, this does not throw. */
export function errorText(error: unknown, causesMax = CAUSES_MAX): string {
  if (!(error instanceof Error)) {
    return typeof error === 'string' ? error : inspect(error, { depth: 1 });
  }
  const own = error.stack ?? error.message;
  const hasCause = error.cause !== undefined && causesMax > 0;
  return hasCause ? `${own}\ncaused by: ${errorText(error.cause, causesMax - 1)}` : own;
}
