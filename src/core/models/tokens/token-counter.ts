import { TextThreads } from '../threads/text-threads';

/** Counts tokens without blocking the event loop, whatever the texts' size. */
export class TokenCounter {
  constructor(private readonly threads: TextThreads) {}

  /** The o200k tokens of one text. Throws what TextThreads.run throws. */
  count(text: string, signal?: AbortSignal): Promise<number> {
    return this.countAll([text], signal);
  }

  /** The sum of the o200k tokens of several texts, each counted by itself. Throws what TextThreads.run throws. */
  countAll(texts: readonly string[], signal?: AbortSignal): Promise<number> {
    const filled = texts.filter((text) => text !== '');
    const packed = { text: filled.join(''), lengths: new Uint32Array(filled.map((text) => text.length)) };
    return this.threads.run('countPackedTokens', packed, [packed.text], signal);
  }
}
