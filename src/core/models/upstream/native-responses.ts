import type { UpstreamResponse } from '../../../infrastructure/upstream/upstream-response';
import type { UpstreamTransport } from '../../../infrastructure/upstream/upstream-transport';
import { UpstreamFailed, UpstreamRefused } from './upstream-errors';
import type { ResponseRequest } from '../responses/response-object';
import { FailedAttempt, failedTransport } from './failed-attempt';
import { openStream, type OpenedStream } from './open-stream';
import { readAnswer, type ReadAnswer } from './read-answer';
import { refusedStatus, type Refuser } from './refused-status';
import { holdsKey } from './without-key';

/** How long an upstream that knew no responses is believed to know none. */
const ABSENT_MS = 600_000;
const PATH = '/responses';
/** What servers say with 404 when they know the operation but not what its request names: a model, a file, a store. */
const ABOUT_A_NAME = /\bmodels?\b|model_not_found|\bno such \w+ object\b|\bwith id\b/i;

/**
 * Asks an upstream for responses in its own API, if it has it. Every method returns null where it lacks it, which is then
 * remembered; a request asks for nothing to be stored, whatever its caller said.
 */
export class NativeResponses {
  /** By the process' own clock, which nobody sets. */
  private absentUntilMs = -Infinity;
  /** Whether there ever were any. No caller can take them from the others then, by naming what gives 404. */
  private areKnown = false;

  constructor(
    private readonly refuser: Refuser,
    private readonly transport: UpstreamTransport,
  ) {}

  get areAbsent(): boolean {
    return performance.now() < this.absentUntilMs;
  }

  /** @throws FailedAttempt, the signal's reason */
  async respond(request: ResponseRequest, signal: AbortSignal | undefined): Promise<ReadAnswer | null> {
    const response = await this.post({ ...unstored(request), stream: false }, signal, 'is final');
    if (!response) {
      return null;
    }
    const { name, apiKey } = this.refuser;
    const answer = await readAnswer(name, response, 'output');
    if (answer.json.error && holdsKey(answer.text, apiKey)) {
      throw new FailedAttempt(new UpstreamFailed(name, 'answered with an error'), false, false);
    }
    return answer;
  }

  /** @throws FailedAttempt, the signal's reason */
  async stream(request: ResponseRequest, signal: AbortSignal | undefined): Promise<OpenedStream | null> {
    const response = await this.post({ ...unstored(request), stream: true }, signal, 'may be retried');
    return response && openStream(this.refuser, response);
  }

  private async post(
    request: object,
    signal: AbortSignal | undefined,
    afterFirstByte: 'is final' | 'may be retried',
  ): Promise<UpstreamResponse | null> {
    const json = JSON.stringify(request);
    const response = await this.transport.post(PATH, json, { signal }).catch((error: unknown) => {
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

/** Without what callers say to this service alone. */
function unstored({ allow_degraded: _, ...request }: ResponseRequest): object {
  return { ...request, store: false };
}

function saysNoSuchPath({ failure }: FailedAttempt): boolean {
  const isMissing = failure instanceof UpstreamRefused && failure.status === 404;
  return isMissing && !ABOUT_A_NAME.test(failure.options.body ?? '');
}
