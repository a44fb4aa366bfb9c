import { setTimeout as delay } from 'node:timers/promises';
import { adminApi, authApi, paymentsApi } from '../../generated/contract';
import type { operations } from '../../generated/types';
import { leaseMs, type RateClass } from '../../src/contract/operation';
import { CommandFailure, EXIT, LostAnswer, RefusedCall } from './failures';
import { endProgress, printable, printProgress, type Terminal } from './terminal';

const POLICIES = { ...authApi.operations, ...adminApi.operations, ...paymentsApi.operations };

const TRIES_MAX = 4;
/** A wait that the service asks for and that is longer than this is the operator's to decide about. */
const RATE_WAIT_SECONDS_MAX = 90;
const RATE_WAITS_MAX = 50;

/** How long the client waits for what. */
export interface Waits {
  readonly answerMs: number;
  /** Before the second try; each further pause is twice as long, up to the longest. */
  readonly betweenTriesMs: number;
  readonly betweenTriesMsMax: number;
  /** For how long a call with a key is tried again after the first try got lost. */
  readonly triedOnMs: (rate: RateClass) => number;
}

export const WAITS: Waits = {
  // Longer than the longest operation, a reconciliation, may take.
  answerMs: 60_000,
  betweenTriesMs: 500,
  betweenTriesMsMax: 4_000,
  // A replica that was killed holds the key until its lease is over; only a try after that learns what became of the call.
  triedOnMs: (rate) => leaseMs(rate, false) + 5_000,
};

export type OperationId = keyof typeof POLICIES;

/** The JSON of an operation's answer of success. */
export type Answer<Id extends OperationId> = operations[Id]['responses'] extends infer Responses
  ? {
      [Status in keyof Responses]: Status extends 200 | 201
        ? Responses[Status] extends { content: { 'application/json': infer Body } }
          ? Body
          : never
        : never;
    }[keyof Responses]
  : never;

export interface ApiCall {
  params?: Record<string, string>;
  query?: object;
  body?: object;
  /** Makes a POST safe to be tried again. */
  idempotencyKey?: string;
  /** Options that a repetition of the command needs beside the key, to send the same body again. */
  repeatedWith?: string;
}

/** Calls the operations of the document over HTTP, and tries again what may be tried again. */
export class ApiClient {
  token: string | null = null;

  /** @param baseUrl where the service is, without a slash at the end */
  constructor(
    private readonly baseUrl: string,
    private readonly terminal: Terminal,
    private readonly waits = WAITS,
  ) {}

  /**
   * Waits where the rate of calls asks for it, and repeats a call whose answer got lost if that can't do its work twice. A call
   * with a key is repeated until an earlier try of it can't be at work any more; if that is in vain, the failure names the key.
   * @throws RefusedCall, and CommandFailure where the service can't be reached
   */
  async call<Id extends OperationId>(operationId: Id, call: ApiCall = {}): Promise<Answer<Id>> {
    let rateWaits = 0;
    let lostAtMs: number | null = null;
    for (let tries = 1; ;) {
      const answer = await this.attempt(operationId, call).catch(expectedFailure);
      if (!(answer instanceof CommandFailure)) {
        return answer as Answer<Id>;
      }
      const rateWaitSeconds = answer instanceof RefusedCall ? rateWaitOf(answer) : null;
      if (rateWaitSeconds !== null && rateWaits < RATE_WAITS_MAX) {
        rateWaits += 1;
        this.notice(`the rate of calls is used up, waiting ${rateWaitSeconds} s`);
        await delay(rateWaitSeconds * 1000);
        continue;
      }
      if (mayBeDone(answer)) {
        lostAtMs ??= performance.now();
      }
      if (!isLost(answer) || !this.mayTryAgain(operationId, call, { tries, lostAtMs })) {
        endProgress(this.terminal);
        throw lostAtMs === null ? answer : unknownOutcome(answer, call);
      }
      this.logTry(operationId, call, { tries, lostAtMs });
      await delay(Math.min(this.waits.betweenTriesMs * 2 ** (tries - 1), this.waits.betweenTriesMsMax));
      tries += 1;
    }
  }

  private mayTryAgain(
    operationId: OperationId,
    { idempotencyKey }: ApiCall,
    { tries, lostAtMs }: Past,
  ): boolean {
    const { method, rate } = POLICIES[operationId];
    if (tries < TRIES_MAX) {
      return method !== 'POST' || idempotencyKey !== undefined;
    }
    const lostForMs = lostAtMs === null ? 0 : performance.now() - lostAtMs;
    return idempotencyKey !== undefined && lostForMs < this.waits.triedOnMs(rate);
  }

  /** Who breaks a change off while it is tried again has read the key by then. */
  private logTry(operationId: OperationId, call: ApiCall, { tries, lostAtMs }: Past): void {
    if (call.idempotencyKey === undefined) {
      this.notice(`no answer, trying again (${tries} of ${TRIES_MAX - 1})`);
    } else if (tries === 1) {
      const seconds = Math.ceil(this.waits.triedOnMs(POLICIES[operationId].rate) / 1000);
      this.notice(
        `no answer, trying again for ${seconds} s; if that is broken off, repeat it with ${optionsOfRepetition(call)}`,
      );
    } else {
      const lostForMs = performance.now() - (lostAtMs ?? 0);
      printProgress(this.terminal, `no answer for ${Math.round(lostForMs / 1000)} s`);
    }
  }

  private notice(text: string): void {
    endProgress(this.terminal);
    this.terminal.errors.write(`${printable(text)}\n`);
  }

  /** @throws RefusedCall, LostAnswer and CommandFailure */
  private async attempt(operationId: OperationId, call: ApiCall): Promise<unknown> {
    let response: Response;
    let text: string;
    try {
      response = await this.send(operationId, call);
      text = await response.text();
    } catch (error) {
      throw unreachable(this.baseUrl, error);
    }
    return bodyOf(response, text);
  }

  private send(
    operationId: OperationId,
    { params = {}, query = {}, body, idempotencyKey }: ApiCall,
  ): Promise<Response> {
    const { method, path } = POLICIES[operationId];
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
    const url = new URL(this.baseUrl + filled);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) {
        url.searchParams.set(name, String(value));
      }
    }
    return fetch(url, {
      method,
      redirect: 'error',
      signal: AbortSignal.timeout(this.waits.answerMs),
      headers: {
        ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}

/** What came before this try: how many tries, and when the first answer got lost. */
interface Past {
  tries: number;
  lostAtMs: number | null;
}

/** An unexpected failure is a fault of this program, which its stack is to tell. */
function expectedFailure(error: unknown): CommandFailure {
  if (error instanceof CommandFailure) {
    return error;
  }
  throw error;
}

/** Null where the call was not refused for its rate, or for longer than is waited here. */
function rateWaitOf({ status, retryAfterSeconds }: RefusedCall): number | null {
  const seconds = retryAfterSeconds ?? 1;
  return status === 429 && seconds <= RATE_WAIT_SECONDS_MAX ? seconds : null;
}

/** Whether the same call may get another answer a moment later. */
function isLost(failure: CommandFailure): boolean {
  return (
    failure instanceof LostAnswer ||
    (failure instanceof RefusedCall && ([502, 503, 504].includes(failure.status) || isStillRunning(failure)))
  );
}

/** Only a conflict with an earlier try of the same call asks for another try (openapi/responses.yaml). */
function isStillRunning(failure: CommandFailure): boolean {
  return failure instanceof RefusedCall && failure.status === 409 && failure.retryAfterSeconds !== null;
}

/** Whether the service may have done what it was asked for, or may still be at it. */
function mayBeDone(failure: CommandFailure): boolean {
  const isRefused = failure instanceof RefusedCall && failure.status < 500;
  return isStillRunning(failure) || (failure.exitCode === EXIT.unavailable && !isRefused);
}

/**
 * Once an answer got lost, a later refusal tells nothing of the earlier try: credentials, rates and the request are judged
 * before the key is looked up.
 */
function unknownOutcome(failure: CommandFailure, call: ApiCall): CommandFailure {
  return call.idempotencyKey === undefined
    ? failure
    : new CommandFailure(
        `${failure.message}\n${howToRepeat(call)}`,
        isStillRunning(failure) ? EXIT.unavailable : failure.exitCode,
      );
}

/** A key is of one account: another admin who used it would do it twice. */
export function howToRepeat(call: ApiCall): string {
  return `It is not known whether it was done. Repeat the command as the same admin with ${optionsOfRepetition(call)}: it is then done once.`;
}

function optionsOfRepetition({ idempotencyKey = '', repeatedWith }: ApiCall): string {
  return ['--idempotency-key', idempotencyKey, ...(repeatedWith === undefined ? [] : [repeatedWith])].join(
    ' ',
  );
}

function bodyOf({ ok, status, headers, url }: Response, text: string): unknown {
  const body = parsed(text);
  if (ok && (body !== undefined || status === 204)) {
    return body;
  }
  if (body === undefined) {
    const message = `${url} answered ${status}, but no JSON.`;
    throw ok || status >= 502 ? new LostAnswer(message) : new CommandFailure(message, EXIT.unavailable);
  }
  const retryAfter = headers.get('retry-after');
  const seconds = Number(retryAfter);
  throw new RefusedCall(status, body ?? {}, retryAfter === null || Number.isNaN(seconds) ? null : seconds);
}

/** Undefined for what is no JSON: a body that was cut short, or the page of a proxy. */
function parsed(text: string): object | null | undefined {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return undefined;
  }
}

function unreachable(baseUrl: string, error: unknown): LostAnswer {
  const { cause, message } = error as Error & { cause?: { code?: string } };
  return new LostAnswer(`The service at ${baseUrl} gave no answer: ${cause?.code ?? message}.`);
}
