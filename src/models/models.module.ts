import { Global, Injectable, Module } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { Metrics } from '../observability/metrics';
import { Clock } from '../runtime/clock';
import { TextThreads } from '../text/text-threads';
import { EMBEDDED_MODELS, EMBEDDED_OUTPUT_TOKENS_MAX, EmbeddedProvider } from './embedded-provider';
import { UpstreamFailure } from './errors';
import { StructuredAnswers } from './generation/structured-answers';
import { TextGeneration } from './generation/text-generation';
import { TypedAnswers } from './generation/typed-answers';
import { MODEL_OPERATIONS, type ModelDescription, type ModelOperation } from './model-provider';
import { ANY_MODEL, Models } from './models';
import { InputFiles } from './multimodal/input-files';
import { ImagesForModel } from './multimodal/inputs';
import { UpstreamProvider, Upstreams } from './upstream/upstream-provider';

@Injectable()
export class Engines {
  constructor(
    private readonly models: Models,
    private readonly upstreams: Upstreams,
  ) {}

  /** The embedded provider is the last. Asking for unknown models takes at most five seconds. */
  async list() {
    const asked = this.upstreams.providers.map(async (provider) => {
      const served = await provider.models().catch(noneIfFailed);
      const isAvailable = served !== null && provider.fault === null;
      return { provider: provider.name, quality: 'model' as const, ...summary(served ?? []), isAvailable };
    });
    const embedded = { provider: 'embedded', quality: 'basic' as const, ...summary(EMBEDDED_MODELS) };
    return [...(await Promise.all(asked)), { ...embedded, isAvailable: true }];
  }

  async answering(
    operation: ModelOperation,
  ): Promise<{ engine: 'embedded' | 'upstream'; isAvailable: boolean }> {
    const route = await this.models.route(operation, ANY_MODEL).catch(noneIfFailed);
    const providers = route?.stops.map(({ provider }) => provider) ?? [];
    const upstreams = providers.filter((provider) => provider instanceof UpstreamProvider);
    if (route !== null && upstreams.length === 0) {
      return { engine: 'embedded', isAvailable: true };
    }
    return { engine: 'upstream', isAvailable: upstreams.some(({ fault }) => fault === null) };
  }
}

/** Operations of its default models: none where it could not list its models. */
function summary(served: readonly ModelDescription[]) {
  const offered = new Set(served.flatMap(({ defaultFor, operations }) => defaultFor ?? operations));
  return {
    operations: MODEL_OPERATIONS.filter((operation) => offered.has(operation)),
    models: served.length,
  };
}

function noneIfFailed(error: unknown): null {
  if (error instanceof UpstreamFailure) {
    return null;
  }
  throw error;
}

const SERVICES = [Engines, StructuredAnswers, InputFiles, ImagesForModel, TextGeneration, TypedAnswers];

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
        const { defaultOutputTokensMax, strictModels, defaultModels } = configuration;
        const tokensMax = Math.min(defaultOutputTokensMax, EMBEDDED_OUTPUT_TOKENS_MAX);
        const standIn = new EmbeddedProvider(clock, threads, tokensMax);
        return new Models([...providers, standIn], { strictModels, defaultModels, standIn });
      },
      inject: [Configuration, Clock, TextThreads, Upstreams],
    },
    ...SERVICES,
  ],
  exports: [Upstreams, Models, ...SERVICES],
})
export class ModelsModule {}
