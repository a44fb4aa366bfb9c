import { schemaFaults } from '../api/schema-faults';
import { at } from '../../../scripts/generate/json';
import { expectDeclaredHeaders } from '../api/declared-headers';
import { expectDocumented } from '../api/document-check';
import { operations, type PublishedOperation, responseOf } from '../api/published-document';
import type { FuzzRequest } from './fuzz-requests';
import type { FuzzWorld } from './fuzz-world';

export interface FuzzAnswer {
  status: number;
  headers: Readonly<Record<string, string | undefined>>;
  text: string;
  /** Whether the whole answer came. */
  isComplete: boolean;
  tookMs: number;
}

/** Breaks off where the document is deleted meanwhile. Of any other cause an error is logged, and that is a fault too. */
const DOWNLOAD = 'getDocumentContent';
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UPSTREAM_FAILURES = ['502 Upstream error', '503 Upstream unavailable', '504 Gateway Timeout'];
const OWN_FAILURES = ['503 Model upstream not configured'];
/** What a machine that is busy with other things brings about: an operation or the database had not enough time. */
const STARVED = /The operation took longer than|The database cannot be reached right now/;

/** What is wrong with answers by the document: one line each, the kind of fault first. */
export class FuzzAnswers {
  /** @param hasUpstreams whether a model's server may fail calls */
  constructor(private readonly hasUpstreams: boolean) {}

  faultsOf(request: FuzzRequest, answer: FuzzAnswer, world: FuzzWorld): string[] {
    const operation = operationOf(request.method, request.path);
    const faults: string[] = [];
    if (!UUID.test(answer.headers['x-request-id'] ?? '')) {
      faults.push(`no X-Request-Id: ${answer.headers['x-request-id']}`);
    }
    if (answer.status >= 500 && !this.isKnown(answer)) {
      faults.push(`${answer.status} without a known cause`);
    }
    const isDownload = operation?.policy.operationId === DOWNLOAD;
    const mayBreakOff = request.leavesAfterMs !== null || isDownload;
    if (!answer.isComplete && !mayBreakOff) {
      faults.push('the answer broke off');
    }
    if (request.method !== 'HEAD' && request.method !== 'OPTIONS' && answer.isComplete) {
      faults.push(...(operation ? documentFaults(operation, answer) : unroutedFaults(answer)));
    }
    faults.push(...leaks(request, answer, world, operation));
    return faults;
  }

  private isKnown({ status, text }: FuzzAnswer): boolean {
    if (isStarved(text)) {
      return true;
    }
    const known = this.hasUpstreams ? [...OWN_FAILURES, ...UPSTREAM_FAILURES] : OWN_FAILURES;
    const body = parsed(text);
    // In the form of /v1/messages the error is an object.
    const name = textAt(body, 'error') || textAt(body, 'error', 'name');
    return text === '' || known.includes(`${status} ${name}`);
  }
}

/** Whether an answer says that there was not enough time. Its share of all answers is bounded by the test. */
export function isStarved(text: string): boolean {
  return STARVED.test(text);
}

/** The operation that the router gives such a request to; its path is known to others with another method too. */
export function operationOf(method: string, target: string): PublishedOperation | null {
  // As the router does: it takes a slash at the end, letters that are written as bytes, and more slashes under /v1.
  const path = target
    .replace(/^\/{2,}v1(?=\/)/, '/v1')
    .replace(/[?#].*$/s, '')
    .replaceAll(/%([46][1-9a-f]|[57][0-9a])/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replace(/(.)\/$/, '$1');
  const onPath = ROUTES.filter(({ pattern }) => pattern.test(path));
  const found =
    onPath.find(({ operation }) => operation.policy.method === method) ??
    onPath.find(({ operation }) => method === 'HEAD' && operation.policy.method === 'GET');
  return found?.operation ?? onPath[0]?.operation ?? null;
}

/** Those without parameters first. */
const ROUTES = operations
  .map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.policy.path.replaceAll(/:\w+/g, '([^/]+)')}$`),
  }))
  .sort((one, other) => parameters(one.operation) - parameters(other.operation));

function parameters({ policy }: PublishedOperation): number {
  return policy.path.split(':').length;
}

function documentFaults(operation: PublishedOperation, answer: FuzzAnswer): string[] {
  const { status, headers, text } = answer;
  const { operationId } = operation.policy;
  const type = (headers['content-type'] ?? '').replace(/;.*$/, '');
  const response = responseOf(
    operation,
    status in (operation.definition.responses as object) ? String(status) : 'default',
  );
  const types = Object.keys((at(response, 'content') ?? {}) as object);
  const isOdd =
    status === 204 || status === 304 ? text !== '' : !types.includes(type) && !types.includes('*/*');
  if (isOdd) {
    return [`content type ${type}, documented for ${status} are [${types.join(', ')}]`];
  }
  const body = type === 'application/json' && !types.includes('*/*') ? parsed(text) : undefined;
  const checks = [
    () => expectDeclaredHeaders(operationId, status, headers),
    () =>
      type === 'application/json' || types.length === 0
        ? expectDocumented(operationId, status, body)
        : undefined,
  ];
  const thrown = types.includes('*/*') ? [] : checks.flatMap(messageOf);
  const event = textAt(response, 'content', 'text/event-stream', 'schema', '$ref');
  // The document has no form for the events of the console.
  return type === 'text/event-stream' && event !== ''
    ? [...thrown, ...streamFaults(text, event.replace(/^.*\//, ''))]
    : thrown;
}

/** Each event is of the documented form, and the last says that it is. */
function streamFaults(text: string, schema: string): string[] {
  const data = text.split('\n\n').flatMap((event) => /^data: ?(.*)$/m.exec(event)?.[1] ?? []);
  const events = data.filter((one) => one !== '[DONE]').map(parsed);
  const faults = events.flatMap((event) => schemaFaults(schema, event).slice(0, 1));
  return faults.slice(0, 1).map(({ field, message }) => `an event is not of ${schema}: ${field} ${message}`);
}

function unroutedFaults({ status, headers, text }: FuzzAnswer): string[] {
  if (status < 400 || !headers['content-type']?.startsWith('application/json')) {
    return status < 400 ? [] : [`an error as ${headers['content-type']}`];
  }
  const body = parsed(text);
  // A path that begins as that of messages has the form of their errors.
  return schemaFaults(textAt(body, 'type') === 'error' ? 'MessageError' : 'ApiError', body).map(
    ({ field, message }) => `not an ApiError: ${field} ${message}`,
  );
}

/** What is another account's, in an answer to somebody who is no admin. */
function leaks(
  { callers }: FuzzRequest,
  { text }: FuzzAnswer,
  world: FuzzWorld,
  operation: PublishedOperation | null,
): string[] {
  const isForAdmin = operation?.policy.role === 'admin' && callers.includes(world.admin);
  const secrets = isForAdmin ? [] : world.secretsBeyond(new Set(callers.map(({ id }) => id)));
  return secrets.filter((secret) => text.includes(secret)).map((secret) => `of another account: ${secret}`);
}

function messageOf(check: () => void): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** The text at a path of names; an empty one where there is no text. */
export function textAt(value: unknown, ...path: string[]): string {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : '';
}

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
