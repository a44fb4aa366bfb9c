import { EXIT } from './failures';
import type { Terminal } from './terminal';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Has what is said last where the operator breaks the work off: what was sent may be done, and nobody would know the key. */
export async function sayingWhenBrokenOff<Result>(
  { errors }: Pick<Terminal, 'errors'>,
  text: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const end = (): never => {
    errors.write(`\n${text}\n`);
    process.exit(EXIT.unavailable);
  };
  for (const signal of SIGNALS) {
    process.once(signal, end);
  }
  try {
    return await work();
  } finally {
    for (const signal of SIGNALS) {
      process.off(signal, end);
    }
  }
}
