import { Injectable, Logger } from '@nestjs/common';
import { Configuration } from '../../../../config/configuration';
import { marked, originOf } from '../../../../infrastructure/tracing/work-origin';
import { ModelNotConfigured } from '../../../models/model-errors';
import type { ModelAnswer } from '../../../models/model-provider';
import type { EmbeddingResponse } from '../../../models/embedding';
import { Models, type ModelRoute } from '../../../models/models';
import { UpstreamFailed, UpstreamFailure, UpstreamRefused } from '../../../models/upstream/upstream-errors';
import { Upstreams } from '../../../models/upstream/upstreams';
import { batchesOf } from './batches-of';
import { readEmbeddings } from './read-embeddings';

/** Servers take no more than 32 texts at once where nothing else is said, and long requests get their time-outs. */
const BATCH = { textsMax: 32, charactersMax: 32_000 };
const REQUESTS_AT_ONCE_MAX = 4;
/** More than a chunk has. Models refuse what is longer than some thousands of tokens. */
const TEXT_LENGTH_MAX = 8_000;

export interface EmbedOptions {
  readonly signal: AbortSignal;
  /** Whether to do without vectors when the upstream fails. */
  readonly allowDegraded: boolean;
}

/** Vectors of length 1, one for each text in their order, all with equally many numbers. */
export interface Embedded {
  /** The model that was asked. Vectors can be compared with those of the same model and as many numbers alone. */
  readonly model: string;
  /** The name of the upstream that answered. */
  readonly provider: string;
  readonly vectors: Float32Array[];
}

/**
 * Vectors that an upstream makes of texts. It is asked for the model of RETRIEVAL_EMBEDDING_MODEL, or else for the
 * default model of the first upstream that embeds; another upstream is asked only for the very same model, because the
 * vectors of two models can't be compared. The embedded provider is never asked: its hashed words find less than the
 * words themselves.
 */
@Injectable()
export class ChunkEmbeddings {
  private readonly logger = new Logger('ChunkEmbeddings');

  constructor(
    private readonly models: Models,
    private readonly upstreams: Upstreams,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Embeds the texts, of which the first 8,000 characters count. Null where no upstream embeds, where vectors are
   * switched off, or where the upstream failed and `allowDegraded` is true.
   * @throws UpstreamFailure (502, 503, 504) when the upstream fails or answers with anything but vectors;
   *   ModelNotConfigured (503) when no upstream serves the model that the operator named; the signal's reason
   */
  async embed(texts: readonly string[], { signal, allowDegraded }: EmbedOptions): Promise<Embedded | null> {
    try {
      const route = await this.route();
      return route && (await this.embedBy(route, texts, signal));
    } catch (error) {
      signal.throwIfAborted();
      if (!allowDegraded || !(error instanceof UpstreamFailure || error instanceof ModelNotConfigured)) {
        throw error;
      }
      this.logger.warn(`Retrieval does without vectors: ${error.message}`);
      return null;
    }
  }

  /** The upstreams that serve the model; null where none embeds. */
  private async route(): Promise<ModelRoute | null> {
    const name = this.configuration.retrievalEmbeddingModel;
    if (name === null || this.upstreams.providers.length === 0) {
      return null;
    }
    const { stops } = await this.models.route('embed', name).catch((error: unknown) => {
      throw error instanceof UpstreamFailure ? error : new ModelNotConfigured();
    });
    const asked = stops.filter(({ provider }) => this.upstreams.providers.some((each) => each === provider));
    const [first] = asked;
    if (name !== '' && first?.model.id !== name && !first?.model.aliases?.includes(name)) {
      throw new ModelNotConfigured();
    }
    const [stop, ...others] = asked.filter(({ model }) => model.id === first?.model.id);
    return stop ? { model: stop.model, stops: [stop, ...others] } : null;
  }

  private async embedBy(route: ModelRoute, texts: readonly string[], signal: AbortSignal): Promise<Embedded> {
    const bounded = texts.map((text) => text.slice(0, TEXT_LENGTH_MAX).toWellFormed());
    const batches = batchesOf(bounded, BATCH).entries();
    const vectors: Float32Array[][] = [];
    const failing = new AbortController();
    const either = marked(AbortSignal.any([signal, failing.signal]), originOf(signal));
    let provider = '';
    const asking = Array.from({ length: REQUESTS_AT_ONCE_MAX }, async () => {
      for (const [index, batch] of batches) {
        const { response, engine } = await this.ask(route, batch, either);
        provider = engine.provider;
        vectors[index] = vectorsOf(response, batch.length, provider);
      }
    });
    try {
      await Promise.all(asking);
    } catch (error) {
      failing.abort(error);
      throw error;
    }
    const all = vectors.flat();
    if (all.some(({ length }) => length !== all[0]?.length)) {
      throw notVectors(provider);
    }
    return { model: route.model.id, provider, vectors: all };
  }

  /** The texts are not the caller's own request, so an upstream that refuses them has failed. */
  private async ask(
    route: ModelRoute,
    input: readonly string[],
    signal: AbortSignal,
  ): Promise<ModelAnswer<EmbeddingResponse>> {
    try {
      return await this.models.embed({ model: route.model.id, input }, { route, signal });
    } catch (error) {
      throw error instanceof UpstreamRefused
        ? new UpstreamFailed(route.stops[0].model.ownedBy, 'refused the texts to embed', error)
        : error;
    }
  }
}

function vectorsOf({ data }: EmbeddingResponse, texts: number, upstream: string): Float32Array[] {
  const vectors = readEmbeddings(data, texts);
  if (vectors === null) {
    throw notVectors(upstream);
  }
  return vectors;
}

function notVectors(upstream: string): UpstreamFailed {
  return new UpstreamFailed(upstream, 'sent something that is no vectors of the texts');
}
