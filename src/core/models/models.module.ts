import {
  Global,
  Injectable,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { Clock } from '../../infrastructure/clock/clock';
import { EmbeddedProvider } from './embedded/embedded-provider';
import { Models } from './models';
import { StructuredAnswers } from './structured/structured-answers';
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
    {
      provide: Models,
      useFactory: (configuration: Configuration, clock: Clock, threads: TextThreads) =>
        new Models([new EmbeddedProvider(clock, threads, configuration.defaultOutputTokensMax)], {
          strictModels: configuration.strictModels,
        }),
      inject: [Configuration, Clock, TextThreads],
    },
    {
      provide: StructuredAnswers,
      useFactory: (models: Models, counter: TokenCounter) => new StructuredAnswers(models, counter),
      inject: [Models, TokenCounter],
    },
  ],
  exports: [TextThreads, TokenCounter, Models, StructuredAnswers],
})
export class ModelsModule {}
