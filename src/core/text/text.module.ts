import {
  Global,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { TextThreads } from './threads/text-threads';
import { countTokens } from './tokens/count-tokens';
import { TokenCounter } from './tokens/token-counter';

/** Loads the tokenizer before the first call, which it would hold up, and ends the threads after the last. */
@Injectable()
class TextThreadsLife implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(private readonly threads: TextThreads) {}

  onApplicationBootstrap(): void {
    countTokens('');
  }

  async onApplicationShutdown(): Promise<void> {
    await this.threads.close();
  }
}

/** Classical text processing, and the threads on which it runs where a text is long. */
@Global()
@Module({
  providers: [
    TextThreadsLife,
    { provide: TextThreads, useFactory: () => new TextThreads() },
    {
      provide: TokenCounter,
      useFactory: (threads: TextThreads) => new TokenCounter(threads),
      inject: [TextThreads],
    },
  ],
  exports: [TextThreads, TokenCounter],
})
export class TextModule {}
