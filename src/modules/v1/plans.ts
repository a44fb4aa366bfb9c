import type { ModelRoute } from '../../models/models';
import type { ResponseRequest } from '../../models/responses/response-object';
import type { ChatRequest, CompletionRequest, EmbeddingRequest } from '../../models/wire-format';

/** The request that an operation was priced by. The handler asks the model exactly this. */
abstract class Plan<Request> {
  constructor(
    /** The client's request, with its output capped to what is reserved and without the fields that no price covers. */
    readonly request: Request,
    /** The providers that are asked, one after the other. The call is priced by the first one's model. */
    readonly route: ModelRoute,
  ) {}
}

export class ChatPlan extends Plan<ChatRequest> {
  constructor(
    request: ChatRequest,
    route: ModelRoute,
    /** Whether the service, not the client, chose the field that holds the cap on output. */
    readonly ownCap: boolean,
    /** How many answers the request asks for. */
    readonly choices: number,
  ) {
    super(request, route);
  }
}

export class CompletionPlan extends Plan<CompletionRequest> {
  constructor(
    request: CompletionRequest,
    route: ModelRoute,
    /** How many completions the client gets. With `best_of` a model makes more of them, which are paid for too. */
    readonly choices: number,
  ) {
    super(request, route);
  }
}

export class ResponsePlan extends Plan<ResponseRequest> {}

export class EmbeddingPlan extends Plan<EmbeddingRequest> {}
