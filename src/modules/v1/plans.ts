import type { ModelRoute } from '../../models/models';
import type { ResponseRequest } from '../../models/responses/response-object';
import type { ChatRequest, CompletionRequest, EmbeddingRequest } from '../../models/wire-format';

/** The request that an operation was priced by. The handler asks the model exactly this. */
abstract class Plan<Request> {
  constructor(
    /** With its output capped to what is reserved and without the fields that no price covers. */
    readonly request: Request,
    /** The call is priced by the first one's model. */
    readonly route: ModelRoute,
  ) {}
}

export class ChatPlan extends Plan<ChatRequest> {
  constructor(
    request: ChatRequest,
    route: ModelRoute,
    /** Whether the service, not the client, chose the field that holds the cap on output. */
    readonly ownCap: boolean,
    readonly choices: number,
  ) {
    super(request, route);
  }
}

export class CompletionPlan extends Plan<CompletionRequest> {
  constructor(
    request: CompletionRequest,
    route: ModelRoute,
    /** With `best_of` a model makes more than the client gets, which are paid for too. */
    readonly choices: number,
  ) {
    super(request, route);
  }
}

export class ResponsePlan extends Plan<ResponseRequest> {}

export class EmbeddingPlan extends Plan<EmbeddingRequest> {}
