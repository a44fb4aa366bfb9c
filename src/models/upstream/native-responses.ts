import { TransportError, type UpstreamResponse, type UpstreamTransport } from '../../http/upstream-transport';
import { UpstreamFailure, UpstreamRefused } from '../errors';
import { exactJson } from '../../runtime/exact-numbers';
import type { CallOptions } from '../model-provider';
import type { ResponseRequest } from '../responses/request-to-chat';
import { OpenCaps, type WireRequest } from './added-fields';
import { FailedAttempt, failedTransport } from './attempts';
import type { RefusingUpstream } from './reported-failure';
import { type OpenedStream, openStream, readAnswer, type ReadAnswer, refusedStatus } from './upstream-answer';

const ABSENT_MS = 600_000;
const PATH = '/responses';
/** Said with 404 by servers that have the API, but not the model, file or store. */
const ABOUT_A_NAME = /\bmodels?\b|model_not_found|\bno such \w+ object\b|\bwith id\b/i;
const NOT_IMPLEMENTED = /\bnot(?: yet)? ?implemented\b|\bunimplemented\b/i;
const NO_SUCH_PATH = new RegExp(
  [
    /\b(?:unknown|unsupported|unexpected|invalid|no such) (?:request )?(?:endpoint|url|path|route|api|operation)\b/,
    /\b(?:endpoint|url|path|route|api|operation|responses)\b.{0,60}\b(?:unsupported|unknown|not (?:supported|available|found))\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'i',
);
const HTML = /^<(?:!doctype|html)\b/i;
const RESPONSE = /"output"|"object"\s*:\s*"response"|\bresponse\.[a-z]/;
const ERROR_MEMBER = /"(?:error|detail|message)"\s*:/;

/** Null where the upstream lacks the API, remembered for ten minutes. Every request says `store: false`. */
export class NativeResponses {
  private absentUntilMs = -Infinity;
  /** Then a 404 proves nothing: a client could turn the API off for all by naming something absent. */
  private areKnown = false;
  private readonly openCaps = new OpenCaps();

  constructor(
    private readonly refuser: RefusingUpstream,
    private readonly transport: UpstreamTransport,
  ) {}

  get areAbsent(): boolean {
    return performance.now() < this.absentUntilMs;
  }

  async respond(request: ResponseRequest, options: CallOptions): Promise<ReadAnswer | null> {
    const response = await this.asked({ ...unstored(request), stream: false }, options, 'is final');
    const read = (from: UpstreamResponse) => readAnswer(this.refuser, from, 'response', options.progress);
    return response && this.answered(response, () => read(response));
  }

  async stream(request: ResponseRequest, options: CallOptions): Promise<OpenedStream | null> {
    const response = await this.asked({ ...unstored(request), stream: true }, options, 'may be retried');
    return response && this.answered(response, () => openStream(this.refuser, response, 'response'));
  }

  private asked(
    request: WireRequest,
    options: CallOptions,
    afterFirstByte: 'is final' | 'may be retried',
  ): Promise<UpstreamResponse | null> {
    const post = (wire: WireRequest) => this.post(wire, options, afterFirstByte);
    return options.isOutputOpen ? this.openCaps.asking(request, post) : post(request);
  }

  private async post(
    request: WireRequest,
    { signal, progress }: CallOptions,
    afterFirstByte: 'is final' | 'may be retried',
  ): Promise<UpstreamResponse | null> {
    const json = exactJson(request);
    const sending = { signal, onSent: () => progress?.taken() };
    const response = await this.transport.post(PATH, json, sending).catch((error: unknown) => {
      throw failedTransport(this.refuser.name, error, afterFirstByte);
    });
    if (response.status >= 200 && response.status <= 299) {
      return response;
    }
    if (response.status === 405 || response.status === 501 || (await this.saysAbsent(response))) {
      response.discard();
      return this.absent();
    }
    const refusal = await refusedStatus(this.refuser, response);
    if (!this.areKnown && saysNoSuchPath(refusal)) {
      return this.absent();
    }
    throw refusal;
  }

  /** Until the API is known, an error or a web page with a success status is no answer of it. */
  private async answered<Answer>(
    response: UpstreamResponse,
    read: () => Promise<Answer>,
  ): Promise<Answer | null> {
    const start = this.areKnown ? '' : await beginningOf(response);
    if (HTML.test(start)) {
      response.discard();
      return this.absent();
    }
    try {
      const answer = await read();
      this.areKnown = true;
      return answer;
    } catch (error) {
      if (!this.areKnown && isOwnWord(error, start)) {
        response.discard();
        return this.absent();
      }
      throw error;
    }
  }

  private async saysAbsent(response: UpstreamResponse): Promise<boolean> {
    if (this.areKnown || AT_FAULT_OTHERWISE.has(response.status)) {
      return false;
    }
    const start = await beginningOf(response);
    return NO_SUCH_PATH.test(start) || (response.status >= 500 && NOT_IMPLEMENTED.test(start));
  }

  private absent(): null {
    this.absentUntilMs = performance.now() + ABSENT_MS;
    return null;
  }
}

const AT_FAULT_OTHERWISE = new Set([401, 402, 403, 404, 429]);

async function beginningOf(response: UpstreamResponse): Promise<string> {
  return response.beginning().catch((error: unknown) => {
    if (error instanceof TransportError) {
      return '';
    }
    throw error;
  });
}

function isOwnWord(error: unknown, start: string): boolean {
  if (!(error instanceof FailedAttempt) || error.failure.cause !== undefined) {
    return false;
  }
  const { failure } = error;
  const hadBegun = failure instanceof UpstreamFailure && failure.hadBegun;
  return (!hadBegun || ERROR_MEMBER.test(start)) && !RESPONSE.test(start);
}

/** `allow_degraded` is for this service alone, and nothing may be stored. */
function unstored({ allow_degraded: _, ...request }: ResponseRequest): WireRequest {
  return { ...request, store: false };
}

function saysNoSuchPath({ failure }: FailedAttempt): boolean {
  const isMissing = failure instanceof UpstreamRefused && failure.status === 404;
  return isMissing && !ABOUT_A_NAME.test(failure.options.body ?? '');
}
