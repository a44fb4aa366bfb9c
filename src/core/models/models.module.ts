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
import { Upstreams } from './upstream/upstreams';

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
      provide: Upstreams,
      useFactory: ({ upstreams }: Configuration) => new Upstreams(upstreams),
      inject: [Configuration],
    },
    {
      provide: Models,
      useFactory: (
        configuration: Configuration,
        clock: Clock,
        threads: TextThreads,
        { providers }: Upstreams,
      ) => {
        const standIn = new EmbeddedProvider(clock, threads, configuration.defaultOutputTokensMax);
        return new Models([...providers, standIn], { strictModels: configuration.strictModels, standIn });
      },
      inject: [Configuration, Clock, TextThreads, Upstreams],
    },
    {
      provide: StructuredAnswers,
      useFactory: (models: Models, counter: TokenCounter) => new StructuredAnswers(models, counter),
      inject: [Models, TokenCounter],
    },
  ],
  exports: [TextThreads, TokenCounter, Upstreams, Models, StructuredAnswers],
})
export class ModelsModule {}
