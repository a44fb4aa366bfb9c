import type { TokenUse } from '../../money/pricing/price-list';
import type { GeneratedText, TextStream } from './text-order';

/** A text that is there already, for a stream that nobody has to be asked for. */
export class StoredStream implements TextStream<never> {
  constructor(private readonly text: Omit<GeneratedText<never>, 'detail'>) {}

  async *pieces(): AsyncGenerator<string> {
    yield await Promise.resolve(this.text.text);
  }

  use(): Promise<TokenUse> {
    return Promise.resolve(this.text.use);
  }

  whole(): Promise<GeneratedText<never>> {
    return Promise.resolve({ ...this.text, detail: null });
  }
}
