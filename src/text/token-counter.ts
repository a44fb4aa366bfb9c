import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  Global,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { OperationTimedOut } from '../errors/api-errors';
import { countTokens, prefix } from './count-tokens';
import { TextThreads } from './text-threads';
import { textJobs } from './text.jobs';

/** In UTF-16 units: TextThreads counts this little without a thread. */
const SLICE_LENGTH = 2 * 1024;
/** In UTF-16 units, and in texts: a thread counts this much within its deadline, however hostile. */
const PART_LENGTH_MAX = 128 * 1024;
const PART_TEXTS_MAX = 8 * 1024;
const COUNTING_MS_MAX = 60_000;

/** In UTF-16 units. A chat resends its earlier messages with each call, so counts of long texts are kept. */
const KEPT_FROM_LENGTH = 1024;
const kept = new LRUCache<string, number>({ max: 10_000 });

@Injectable()
export class TokenCounter {
  constructor(protected readonly threads: TextThreads) {}

  /** For delivered text, which has to be counted: on the event loop where threads fail. Throws the signal's reason. */
  withFallback(): TokenCounter {
    return new FallbackTokenCounter(this.threads);
  }

  count(text: string, signal?: AbortSignal): Promise<number> {
    return this.countAll([text], signal);
  }

  /** In parts, so that other jobs come in between. Throws as TextThreads.run, and OperationTimedOut after a minute. */
  countAll(texts: readonly string[], signal?: AbortSignal): Promise<number> {
    const length = texts.reduce((sum, text) => sum + text.length, 0);
    const isLong = length > PART_LENGTH_MAX || texts.length > PART_TEXTS_MAX;
    return isLong ? this.countParts(texts, signal) : this.countPart(texts, signal);
  }

  private async countParts(texts: readonly string[], signal?: AbortSignal): Promise<number> {
    const endsAt = performance.now() + COUNTING_MS_MAX;
    let tokens = 0;
    for (const part of partsOf(texts)) {
      if (performance.now() > endsAt) {
        throw new OperationTimedOut(COUNTING_MS_MAX);
      }
      tokens += await this.countPart(part, signal);
    }
    return tokens;
  }

  private async countPart(texts: readonly string[], signal?: AbortSignal): Promise<number> {
    signal?.throwIfAborted();
    const open: { text: string; key: string | null }[] = [];
    let tokens = 0;
    for (const text of texts) {
      const key = text.length < KEPT_FROM_LENGTH ? null : hash('sha256', text, 'base64');
      const known = key === null ? undefined : kept.get(key);
      if (known !== undefined) {
        tokens += known;
      } else if (text !== '') {
        open.push({ text, key });
      }
    }
    if (open.length === 0) {
      return tokens;
    }
    const text = open.map((each) => each.text).join('');
    const packed = { text, lengths: new Uint32Array(open.map((each) => each.text.length)) };
    const counts = await this.threads.run(textJobs.countPackedTokens, packed, [text], signal);
    counts.forEach((count, index) => {
      const key = open[index]?.key ?? null;
      if (key !== null) {
        kept.set(key, count);
      }
    });
    return counts.reduce((sum, count) => sum + count, tokens);
  }
}

function* partsOf(texts: readonly string[]): Generator<string[], undefined> {
  let part: string[] = [];
  let length = 0;
  for (const text of texts) {
    for (let rest = text; rest !== '';) {
      const piece = prefix(rest, PART_LENGTH_MAX - length);
      part.push(piece);
      length += piece.length;
      rest = rest.slice(piece.length);
      if (rest !== '' || part.length === PART_TEXTS_MAX) {
        yield part;
        part = [];
        length = 0;
      }
    }
  }
  yield part;
}

class FallbackTokenCounter extends TokenCounter {
  override async countAll(texts: readonly string[], signal?: AbortSignal): Promise<number> {
    try {
      return await super.countAll(texts, signal);
    } catch {
      signal?.throwIfAborted();
      return this.inSlices(texts);
    }
  }

  private async inSlices(texts: readonly string[]): Promise<number> {
    let tokens = 0;
    for (const text of texts) {
      for (let start = 0; start < text.length; start += SLICE_LENGTH) {
        tokens += await super.countAll([text.slice(start, start + SLICE_LENGTH)]);
        await nextTurn();
      }
    }
    return tokens;
  }
}

@Global()
@Module({
  providers: [{ provide: TextThreads, useFactory: () => new TextThreads() }, TokenCounter],
  exports: [TextThreads, TokenCounter],
})
export class TextModule implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly threads: TextThreads) {}

  /** Loads the tokenizer, because it would delay the first call. */
  onApplicationBootstrap(): void {
    countTokens('');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }
}

/** Texts are first cut to this many characters per token, so that an endless one is not counted whole. */
const CHARACTERS_PER_TOKEN_MAX = 8;
const ROUNDS_MAX = 4;
/** Tokens are not equally dense everywhere, so a cut keeps this share of the proportional length. */
const MARGIN = 0.9;
/** A token has at least one byte, and a UTF-16 unit at most three. */
const TOKENS_PER_CHARACTER_MAX = 3;

/** Perhaps a tenth shorter than possible; never blocks the event loop. Throws what TokenCounter.count throws. */
export async function fitToTokens(
  text: string,
  tokensMax: number,
  counter: TokenCounter,
  signal?: AbortSignal,
): Promise<string> {
  let fitting = prefix(text, tokensMax * CHARACTERS_PER_TOKEN_MAX);
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const tokens = await counter.count(fitting, signal);
    if (tokens <= tokensMax) {
      return fitting;
    }
    fitting = prefix(fitting, Math.floor(((fitting.length * tokensMax) / tokens) * MARGIN));
  }
  return prefix(fitting, Math.floor(tokensMax / TOKENS_PER_CHARACTER_MAX));
}
