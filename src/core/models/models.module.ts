import { Global, Module } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import { Clock } from '../../infrastructure/clock/clock';
import { Metrics } from '../../infrastructure/metrics/metrics';
import { TextThreads } from '../text/threads/text-threads';
import { TokenCounter } from '../text/tokens/token-counter';
import { EmbeddedProvider } from './embedded/embedded-provider';
import { Engines } from './engines';
import { TypedAnswers } from './generation/typed-answers';
import { TextGeneration } from './generation/text-generation';
import { Models } from './models';
import { InputFiles } from './multimodal/input-files';
import { ShownPictures } from './multimodal/shown-pictures';
import { StructuredAnswers } from './structured/structured-answers';
import { Upstreams } from './upstream/upstreams';

/** Language models: the upstreams that the operator configured, and the embedded provider, which is always there. */
@Global()
@Module({
  providers: [
    {
      provide: Upstreams,
      useFactory: ({ upstreams }: Configuration, metrics: Metrics) => new Upstreams(upstreams, metrics),
      inject: [Configuration, Metrics],
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
      provide: Engines,
      useFactory: (models: Models, upstreams: Upstreams) => new Engines(models, upstreams),
      inject: [Models, Upstreams],
    },
    {
      provide: StructuredAnswers,
      useFactory: (models: Models, counter: TokenCounter) => new StructuredAnswers(models, counter),
      inject: [Models, TokenCounter],
    },
    InputFiles,
    ShownPictures,
    TextGeneration,
    TypedAnswers,
  ],
  exports: [
    Engines,
    Upstreams,
    Models,
    StructuredAnswers,
    InputFiles,
    ShownPictures,
    TextGeneration,
    TypedAnswers,
  ],
})
export class ModelsModule {}
