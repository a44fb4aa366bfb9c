import { Injectable } from '@nestjs/common';
import type { CallContext, Meter } from '../../contract/call';
import { Models } from '../../core/models/models';
import { refuseStoredState } from '../../core/models/responses/refuse-stored-state';
import type { ResponseObject, ResponseRequest } from '../../core/models/responses/response-object';

/** What a response uses of its call. */
type MeteredCall = Pick<CallContext, 'signal' | 'setHeader' | 'passOn'> & { meter: Meter };

/** Responses that are not stored. Output never exceeds what the call has reserved. */
@Injectable()
export class ResponsesService {
  constructor(private readonly catalogue: Models) {}

  async respond(request: ResponseRequest, call: MeteredCall): Promise<ResponseObject> {
    refuseStoredState(request);
    const { response, text } = await this.catalogue.respond(capped(request, call.meter), {
      signal: call.signal,
    });
    const { usage } = response;
    call.meter.report({ inputTokens: usage?.input_tokens ?? 0, outputTokens: usage?.output_tokens ?? 0 });
    call.setHeader('X-Model-Used', response.model);
    if (text !== undefined) {
      call.passOn(text);
    }
    return response;
  }
}

function capped(request: ResponseRequest, meter: Meter): ResponseRequest {
  return { ...request, max_output_tokens: meter.outputTokensMax };
}
