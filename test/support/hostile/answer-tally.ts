import { isObject } from '../../../src/runtime/json';

/** The errors that a 5xx of the service may name, whoever calls and with whatever. */
const DOCUMENTED = new Set([
  '503 Service Unavailable',
  '503 Model upstream not configured',
  '504 Gateway Timeout',
]);
const FAULTS_KEPT_MAX = 20;

/** How often each status was seen, and every answer that no caller may get. */
export class AnswerTally {
  readonly faults: string[] = [];
  calls = 0;
  private readonly statuses = new Map<string, number>();

  /** Whether so many faults were seen that going on would tell nothing new. */
  get isFull(): boolean {
    return this.faults.length >= FAULTS_KEPT_MAX;
  }

  /** @param request what to name in a fault: the method and the target */
  answered(status: number, body: string, request: string): void {
    if (status < 500) {
      this.count(String(status));
      return;
    }
    const error = request.startsWith('HEAD ') ? withoutBody(status) : errorOf(body);
    this.count(`${status} ${error?.message ?? ''}`.trimEnd());
    if (!error || !DOCUMENTED.has(`${status} ${error.name}`)) {
      this.fault(`${request}: ${status} ${body.slice(0, 300)}`);
    }
  }

  /** The connection ended before the answer did, or there was to be none. */
  unanswered(): void {
    this.count('none');
  }

  fault(fault: string): void {
    if (!this.isFull) {
      this.faults.push(fault);
    }
  }

  toString(): string {
    const sorted = [...this.statuses].sort(([one], [other]) => one.localeCompare(other));
    return sorted.map(([status, count]) => `${status} × ${count}`).join(', ');
  }

  private count(status: string): void {
    this.statuses.set(status, (this.statuses.get(status) ?? 0) + 1);
  }
}

interface DocumentedError {
  name: string;
  message: string;
}

/** Null where the body is not that of an error. Those of /v1/messages have name and message in their `error`. */
function errorOf(body: string): DocumentedError | null {
  try {
    const { error, message: own, request_id: id } = JSON.parse(body) as Record<string, unknown>;
    const { name, message } = isObject(error)
      ? (error as Record<string, unknown>)
      : { name: error, message: own };
    return typeof message === 'string' && typeof id === 'string' ? { name: String(name), message } : null;
  } catch {
    return null;
  }
}

/** An answer to HEAD names nothing, so that only its status can be looked at. */
function withoutBody(status: number): DocumentedError {
  return { name: status === 504 ? 'Gateway Timeout' : 'Service Unavailable', message: 'to HEAD' };
}
