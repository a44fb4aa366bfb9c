import { Injectable } from '@nestjs/common';
import { Configuration } from '../../config/configuration';
import type { CallContext, Meter } from '../../contract/call';
import { ModelNotFound } from '../../core/errors/model-errors';
import { ValidationFailed } from '../../core/errors/request-errors';
import type { ChatRequest, ChatResponse } from '../../core/models/chat-completion';
import type { EmbeddingRequest, EmbeddingResponse } from '../../core/models/embedding';
import type { ModelAnswer, ModelDescription } from '../../core/models/model-provider';
import { Models } from '../../core/models/models';
import { outputTokensMax } from '../../core/models/output-tokens-max';
import type { CompletionRequest, CompletionResponse } from '../../core/models/text-completion';

/** What the operations use of their call. */
type MeteredCall = Pick<CallContext, 'signal' | 'setHeader' | 'passOn'> & { meter: Meter };

interface Usage {
  prompt_tokens: number;
  completion_tokens?: number;
}

/** The chat-completion-compatible operations. Output never exceeds what the call has reserved. */
@Injectable()
export class V1Service {
  constructor(
    private readonly catalogue: Models,
    private readonly configuration: Configuration,
  ) {}

  async chat(request: ChatRequest, call: MeteredCall): Promise<ChatResponse> {
    refuseStream(request);
    const cap = outputTokensMax(request, this.configuration.defaultOutputTokensMax);
    const capped = { ...request, max_tokens: null, max_completion_tokens: cap };
    return metered(call, await this.catalogue.chat(capped, { signal: call.signal }));
  }

  async complete(request: CompletionRequest, call: MeteredCall): Promise<CompletionResponse> {
    refuseStream(request);
    const cap = outputTokensMax(request, this.configuration.defaultOutputTokensMax);
    const capped = { ...request, max_tokens: cap, max_completion_tokens: null };
    return metered(call, await this.catalogue.complete(capped, { signal: call.signal }));
  }

  async embed(request: EmbeddingRequest, call: MeteredCall): Promise<EmbeddingResponse> {
    return metered(call, await this.catalogue.embed(request, { signal: call.signal }));
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
}

/** Refused rather than ignored: a client that waits for events would hang on a plain body. */
function refuseStream(request: Readonly<Record<string, unknown>>): void {
  if (request.stream === true) {
    throw new ValidationFailed([
      { field: 'stream', message: 'is not supported; leave it out or send false' },
    ]);
  }
}

function metered<Response extends { model: string; usage: Usage }>(
  call: MeteredCall,
  { response, text }: ModelAnswer<Response>,
): Response {
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens = 0 } = response.usage;
  call.meter.report({ inputTokens, outputTokens });
  call.setHeader('X-Model-Used', response.model);
  if (text !== undefined) {
    call.passOn(text);
  }
  return response;
}
