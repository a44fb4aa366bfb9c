import type { UpstreamResponse } from '../../../infrastructure/upstream/upstream-response';
import type { UpstreamTransport } from '../../../infrastructure/upstream/upstream-transport';
import { UpstreamFailed, UpstreamRefused } from './upstream-errors';
import type { CallOptions } from '../model-provider';
import type { ResponseRequest } from '../responses/response-object';
import { FailedAttempt, failedTransport } from './failed-attempt';
import { openStream, type OpenedStream } from './open-stream';
import { readAnswer, type ReadAnswer } from './read-answer';
import { refusedStatus, type Refuser } from './refused-status';
import { holdsKey } from './without-key';

/** After an upstream turned out not to have the Responses API, it is not asked for it again for so long. */
const ABSENT_MS = 600_000;
const PATH = '/responses';
/** What servers say with 404 when they have the API, but not the model, file or store that the request names. */
const ABOUT_A_NAME = /\bmodels?\b|model_not_found|\bno such \w+ object\b|\bwith id\b/i;

/**
 * Asks an upstream by its own Responses API, if it has that API. Every method returns null where it does not, which is
 * then remembered for ten minutes. Every request says `store: false`, whatever the client said.
 */
export class NativeResponses {
  /** In milliseconds of `performance.now()`, which a change of the system's clock does not affect. */
  private absentUntilMs = -Infinity;
  /**
   * Whether the upstream has ever answered by this API. From then on a 404 does not count as its absence: otherwise a
   * client could turn the API off for all others by naming something that gives 404.
   */
  private areKnown = false;

  constructor(
    private readonly refuser: Refuser,
    private readonly transport: UpstreamTransport,
  ) {}

  /** Whether the upstream is known not to have the API. */
  get areAbsent(): boolean {
    return performance.now() < this.absentUntilMs;
  }

  /** The whole response. @throws FailedAttempt, the signal's reason */
  async respond(request: ResponseRequest, options: CallOptions): Promise<ReadAnswer | null> {
    const response = await this.post({ ...unstored(request), stream: false }, options, 'is final');
    if (!response) {
      return null;
    }
    const { name, apiKey } = this.refuser;
    const answer = await readAnswer(name, response, 'output', options.progress);
    if (answer.json.error && holdsKey(answer.text, apiKey)) {
      throw new FailedAttempt(new UpstreamFailed(name, 'answered with an error'), false, false);
    }
    return answer;
  }

  /** The stream of a response, once its first event has come. @throws FailedAttempt, the signal's reason */
  async stream(request: ResponseRequest, options: CallOptions): Promise<OpenedStream | null> {
    const response = await this.post({ ...unstored(request), stream: true }, options, 'may be retried');
    return response && openStream(this.refuser, response);
  }

  private async post(
    request: object,
    { signal, progress }: CallOptions,
    afterFirstByte: 'is final' | 'may be retried',
  ): Promise<UpstreamResponse | null> {
    const json = JSON.stringify(request);
    const sending = { signal, onSent: () => progress?.taken() };
    const response = await this.transport.post(PATH, json, sending).catch((error: unknown) => {
      throw failedTransport(this.refuser.name, error, afterFirstByte);
    });
    if (response.status >= 200 && response.status <= 299) {
      this.areKnown = true;
      return response;
    }
    if (response.status === 405 || response.status === 501) {
      response.discard();
      return this.absent();
    }
    const refusal = await refusedStatus(this.refuser, response);
    if (!this.areKnown && saysNoSuchPath(refusal)) {
      return this.absent();
    }
    throw refusal;
  }

  private absent(): null {
    this.absentUntilMs = performance.now() + ABSENT_MS;
    return null;
  }
}

/** The request to send: `allow_degraded` is meant for this service alone, and nothing may be stored. */
function unstored({ allow_degraded: _, ...request }: ResponseRequest): object {
  return { ...request, store: false };
}

function saysNoSuchPath({ failure }: FailedAttempt): boolean {
  const isMissing = failure instanceof UpstreamRefused && failure.status === 404;
  return isMissing && !ABOUT_A_NAME.test(failure.options.body ?? '');
}
