import { Injectable } from '@nestjs/common';
import type { CallContext, Meter } from '../../contract/call';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { Models } from '../../core/models/models';
import { countedUsage, useOfResponse, withCountedUsage } from '../../core/models/responses/measured-response';
import { ResponseDialect } from '../../core/models/responses/response-dialect';
import type { ResponseObject, ResponseRequest } from '../../core/models/responses/response-object';
import { StreamedCompletion } from '../../core/models/streams/streamed-completion';
import { TokenCounter } from '../../core/text/tokens/token-counter';
import { withoutUnpricedFields } from './without-unpriced-fields';

/** What a response uses of its call. */
type MeteredCall = Pick<CallContext, 'signal' | 'setHeader' | 'passOn' | 'idempotencyId'> & { meter: Meter };

/** Responses that are not stored. Output never exceeds what the call has reserved. */
@Injectable()
export class ResponsesService {
  constructor(
    private readonly catalogue: Models,
    private readonly counter: TokenCounter,
  ) {}

  async respond(request: ResponseRequest, call: MeteredCall): Promise<ResponseObject | StreamedAnswer> {
    const capped = { ...withoutUnpricedFields(request), max_output_tokens: call.meter.outputTokensMax };
    return request.stream === true ? this.stream(capped, call) : this.answer(capped, call);
  }

  private async answer(request: ResponseRequest, call: MeteredCall): Promise<ResponseObject> {
    const { response, text } = await this.catalogue.respond(request, { signal: call.signal });
    const use = call.meter.report(await useOfResponse(response, call.meter.inputTokens, this.counter));
    call.setHeader('X-Model-Used', response.model);
    if (text !== undefined) {
      call.passOn(response.usage ? text : withCountedUsage(text, use));
    }
    return { ...response, usage: response.usage ?? countedUsage(use) };
  }

  private async stream(request: ResponseRequest, call: MeteredCall): Promise<StreamedAnswer> {
    const stream = await this.catalogue.streamResponse(request, { signal: call.signal });
    call.setHeader('X-Model-Used', stream.model);
    return new StreamedCompletion({
      stream,
      dialect: new ResponseDialect(),
      counter: this.counter,
      wantsUsage: true,
      inputTokens: call.meter.inputTokens,
      choices: 1,
      held: (use) => call.meter.report(use),
      isKept: call.idempotencyId !== null,
    });
  }
}
