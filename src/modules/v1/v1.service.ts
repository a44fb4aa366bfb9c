import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import type { CallContext, Meter } from '../../contract/call';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { ModelNotFound } from '../../core/models/model-errors';
import type { ChatRequest, ChatResponse } from '../../core/models/chat-completion';
import type { EmbeddingRequest, EmbeddingResponse } from '../../core/models/embedding';
import type { ModelAnswer, ModelDescription, ModelStream } from '../../core/models/model-provider';
import { Models } from '../../core/models/models';
import { CHAT_DIALECT } from '../../core/models/streams/chat-dialect';
import { COMPLETION_DIALECT } from '../../core/models/streams/completion-dialect';
import { useOfAnswer, withUsage } from '../../core/models/streams/measured-answer';
import type { StreamDialect } from '../../core/models/streams/stream-dialect';
import { StreamedCompletion } from '../../core/models/streams/streamed-completion';
import type { CompletionRequest, CompletionResponse } from '../../core/models/text-completion';
import { TokenCounter } from '../../core/text/tokens/token-counter';
import { cappedRequest, isOwnCap } from './capped-request';
import { withoutUnpricedFields } from './without-unpriced-fields';

/** What the operations use of their call. */
type MeteredCall = Pick<CallContext, 'signal' | 'setHeader' | 'passOn' | 'idempotencyId'> & { meter: Meter };

/** The chat-completion-compatible operations. Output never exceeds what the call has reserved. */
@Injectable()
export class V1Service {
  constructor(
    private readonly catalogue: Models,
    private readonly counter: TokenCounter,
    private readonly configuration: Configuration,
  ) {}

  async chat(request: ChatRequest, call: MeteredCall): Promise<ChatResponse | StreamedAnswer> {
    const capped = cappedRequest(withoutUnpricedFields(request), this.configuration.defaultOutputTokensMax);
    const options = { signal: call.signal, ownCap: isOwnCap(request) };
    if (request.stream === true) {
      const stream = await this.catalogue.streamChat(withUsageAsked(capped), options);
      return this.streamed(stream, CHAT_DIALECT, request, call);
    }
    return this.metered(call, await this.catalogue.chat(capped, options));
  }

  async complete(
    request: CompletionRequest,
    call: MeteredCall,
  ): Promise<CompletionResponse | StreamedAnswer> {
    const asked = withoutUnpricedFields(request, { knowsBestOf: true });
    const capped = cappedRequest(asked, this.configuration.defaultOutputTokensMax);
    const options = { signal: call.signal };
    if (request.stream === true) {
      const stream = await this.catalogue.streamCompletion(withUsageAsked(capped), options);
      return this.streamed(stream, COMPLETION_DIALECT, request, call);
    }
    return this.metered(call, await this.catalogue.complete(capped, options));
  }

  async embed(request: EmbeddingRequest, call: MeteredCall): Promise<EmbeddingResponse> {
    return this.metered(call, await this.catalogue.embed(request, { signal: call.signal }));
  }

  async models(): Promise<ModelDescription[]> {
    return this.catalogue.list();
  }

  /** @throws ModelNotFound for a name that no provider gives one of its models */
  async model(name: string): Promise<ModelDescription> {
    const found = (await this.catalogue.list()).find(
      ({ id, aliases }) => id === name || aliases?.includes(name),
    );
    if (!found) {
      throw new ModelNotFound(name);
    }
    return found;
  }

  private async metered<Response extends { model: string }>(
    call: MeteredCall,
    { response, text }: ModelAnswer<Response>,
  ): Promise<Response> {
    const use = call.meter.report(await useOfAnswer(response, call.meter.inputTokens, this.counter));
    call.setHeader('X-Model-Used', response.model);
    if (text !== undefined) {
      call.passOn(withUsage(text, response, use));
    }
    return response;
  }

  private streamed(
    stream: ModelStream,
    dialect: StreamDialect,
    { n, prompt, stream_options: asked }: Readonly<Record<string, unknown>>,
    call: MeteredCall,
  ): StreamedAnswer {
    call.setHeader('X-Model-Used', stream.model);
    const prompts = Array.isArray(prompt) && typeof prompt[0] !== 'number' ? prompt.length : 1;
    return new StreamedCompletion({
      stream,
      dialect,
      counter: this.counter,
      wantsUsage: (asked as { include_usage?: unknown } | null | undefined)?.include_usage === true,
      inputTokens: call.meter.inputTokens,
      choices: prompts * (typeof n === 'number' ? n : 1),
      held: (use) => call.meter.report(use),
      isKept: call.idempotencyId !== null,
    });
  }
}

/** We always ask for the usage, which we charge by; the client gets it when it asked too. */
function withUsageAsked<Request extends Readonly<Record<string, unknown>>>(request: Request): Request {
  const asked = request.stream_options as object | null | undefined;
  return { ...request, stream_options: { ...asked, include_usage: true } };
}
