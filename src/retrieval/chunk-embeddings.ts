import { Injectable, Logger } from '@nestjs/common';
import { Configuration } from '../config/configuration';
import { ModelNotConfigured, UpstreamFailed, UpstreamFailure, UpstreamRefused } from '../models/errors';
import type { EmbeddingResponse, ModelAnswer } from '../models/model-provider';
import { type ModelRoute, Models } from '../models/models';
import { Upstreams } from '../models/upstream/upstream-provider';
import { withOrigin, originOf } from '../observability/tracing';
import { isObject } from '../runtime/json';

function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let characters = Infinity;
  for (const text of texts) {
    const last = batches.at(-1);
    if (last && last.length < BATCH.textsMax && characters + text.length <= BATCH.charactersMax) {
      last.push(text);
      characters += text.length;
    } else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}

const DIMENSIONS_MAX = 4096;

/** Null unless the upstream sent one finite, non-zero vector of 1 to 4096 numbers for each text. */
function readEmbeddings(data: unknown, texts: number): Float32Array[] | null {
  if (!Array.isArray(data) || data.length !== texts) {
    return null;
  }
  const vectors: Float32Array[] = [];
  for (const [position, entry] of (data as unknown[]).entries()) {
    const index = isObject(entry) && typeof entry.index === 'number' ? entry.index : position;
    const vector = isObject(entry) ? unitVector(numbersOf(entry.embedding)) : null;
    if (vector === null || !Number.isInteger(index) || index < 0 || index >= texts || vectors[index]) {
      return null;
    }
    vectors[index] = vector;
  }
  return vectors.every(({ length }) => length === vectors[0]?.length) ? vectors : null;
}

function numbersOf(embedding: unknown): Float32Array | null {
  if (typeof embedding === 'string') {
    const bytes = new Uint8Array(Buffer.from(embedding, 'base64'));
    return bytes.length % 4 === 0 ? new Float32Array(bytes.buffer) : null;
  }
  if (!Array.isArray(embedding) || embedding.length > DIMENSIONS_MAX) {
    return null;
  }
  return embedding.every((number) => typeof number === 'number') ? Float32Array.from(embedding) : null;
}

function unitVector(numbers: Float32Array | null): Float32Array | null {
  if (numbers === null || numbers.length === 0 || numbers.length > DIMENSIONS_MAX) {
    return null;
  }
  const length = Math.sqrt(numbers.reduce((sum, number) => sum + number * number, 0));
  return Number.isFinite(length) && length > 0 ? numbers.map((number) => number / length) : null;
}

/** Servers take at least 32 texts at once, and long requests time out. */
const BATCH = { textsMax: 32, charactersMax: 32_000 };
const REQUESTS_AT_ONCE_MAX = 4;
/** In UTF-16 units, more than a chunk has; models refuse more than some thousands of tokens. */
const TEXT_LENGTH_MAX = 8_000;

interface EmbedOptions {
  readonly signal: AbortSignal;
  readonly allowDegraded: boolean;
}

interface Embedded {
  readonly model: string;
  readonly provider: string;
  readonly vectors: Float32Array[];
}

/** Vectors of two models cannot be compared. The embedded one is never asked: plain words find more than its hashes. */
@Injectable()
export class ChunkEmbeddings {
  private readonly logger = new Logger('ChunkEmbeddings');

  constructor(
    private readonly models: Models,
    private readonly upstreams: Upstreams,
    private readonly configuration: Configuration,
  ) {}

  /**
   * Only the first 8,000 characters of each text. Null where no upstream embeds, or one failed with `allowDegraded`.
   * @throws UpstreamFailure; ModelNotConfigured (503) when no upstream serves the configured model; the signal's reason
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
    const batches = batchesOf(bounded).entries();
    const vectors: Float32Array[][] = [];
    const failing = new AbortController();
    const either = withOrigin(AbortSignal.any([signal, failing.signal]), originOf(signal));
    let provider = '';
    const asking = Array.from({ length: REQUESTS_AT_ONCE_MAX }, async () => {
      for (const [index, batch] of batches) {
        const { response, engine } = await this.ask(route, batch, either);
        provider = engine.provider;
        const read = readEmbeddings(response.data, batch.length);
        if (read === null) {
          throw notVectors(provider);
        }
        vectors[index] = read;
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
    input: string[],
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

function notVectors(upstream: string): UpstreamFailed {
  return new UpstreamFailed(upstream, 'sent something that is no vectors of the texts');
}
