import type { ChatRequest } from '../../core/models/chat-completion';
import type { EmbeddingRequest } from '../../core/models/embedding';
import type { ModelRoute } from '../../core/models/models';
import type { ResponseRequest } from '../../core/models/responses/response-object';
import type { CompletionRequest } from '../../core/models/text-completion';

/** What an operation's price was worked out from, which is what its model is asked. */
abstract class Plan<Request> {
  constructor(
    /** As the client sent it, but with no more output than is reserved and without fields that no price covers. */
    readonly request: Request,
    /** Whom it goes to; the price is that of the first one. */
    readonly route: ModelRoute,
  ) {}
}

export class ChatPlan extends Plan<ChatRequest> {
  constructor(
    request: ChatRequest,
    route: ModelRoute,
    /** Whether the service, not the client, chose the field that holds the cap on output. */
    readonly ownCap: boolean,
    /** How many answers it asks for. */
    readonly choices: number,
  ) {
    super(request, route);
  }
}

export class CompletionPlan extends Plan<CompletionRequest> {
  constructor(
    request: CompletionRequest,
    route: ModelRoute,
    /** How many completions the client gets: fewer than are made where it asks for the best of several. */
    readonly choices: number,
  ) {
    super(request, route);
  }
}

export class ResponsePlan extends Plan<ResponseRequest> {}

export class EmbeddingPlan extends Plan<EmbeddingRequest> {}
