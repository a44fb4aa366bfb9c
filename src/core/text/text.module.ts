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

/** Loads the tokenizer at the start, because it would delay the first call, and ends the threads at the shutdown. */
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

/** Counting tokens, and the threads that process long texts. */
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
