import type { OperationPolicy } from '../../../src/contract/operation';
import { OTHER_METHODS, OTHER_PATHS, PARAMETERS, type HostileRequest } from '../hostile/hostile-requests';
import type { SeededRandom } from '../seeded-random';
import { FuzzBodies } from './fuzz-bodies';
import { fuzzCredential } from './fuzz-credentials';
import { fuzzForm } from './fuzz-forms';
import { fuzzedOperations, type FuzzedOperation } from './fuzz-operation';
import { fuzzQuery } from './fuzz-queries';
import type { FuzzAccount, FuzzWorld } from './fuzz-world';

export interface FuzzRequest extends HostileRequest {
  /** Whose credentials it shows: nothing of anybody else's may be in its answer. */
  callers: readonly FuzzAccount[];
  /** After how long its client goes away, in milliseconds; null for one that waits. */
  leavesAfterMs: number | null;
}

const ODD_HEADERS: Record<string, string>[] = [
  { 'idempotency-key': 'one-key-for-all' },
  { 'idempotency-key': 'k'.repeat(256) },
  { 'idempotency-key': '' },
  { 'idempotency-key': '\u00e9\t' },
  { 'x-request-id': 'x'.repeat(3_000) },
  { 'x-request-id': '"; DROP TABLE calls' },
  { 'x-request-id': '\u00ff' },
  { accept: 'text/event-stream' },
  { accept: 'image/webp;q=0, */*;q=0' },
  { range: 'bytes=0-1' },
  { range: 'bytes=5-2,99999999999999999999-' },
  { range: 'lines=1' },
  { 'if-none-match': '*' },
  { 'if-range': '"x"' },
  { 'accept-encoding': 'br;q=1.0, *;q=0' },
  { origin: 'null' },
  { origin: 'https://example.com', 'access-control-request-method': 'TRACE' },
  { expect: '100-continue' },
  { traceparent: '00-00000000000000000000000000000000-0000000000000000-ff' },
  { 'x-http-method-override': 'DELETE' },
  { cookie: `a=${'b'.repeat(2_000)}` },
  { te: 'trailers' },
];
const ODD_PATHS: ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => path.replace('/', '//'),
  (path) => path.toUpperCase(),
  (path) => `${path}/x`,
  (path) => `${path};a=b`,
  (path) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path) => `${path}%`,
];
const LEAVES_AFTER_MS_MAX = 60;

/** Requests to every operation in turn, in a mix that is the same for every run of one seed. */
export class FuzzRequests {
  private readonly operations: readonly FuzzedOperation[];
  private readonly bodies: FuzzBodies;
  private turn = 0;
  private made = 0;

  constructor(
    private readonly random: SeededRandom,
    private readonly models: readonly string[],
  ) {
    this.operations = fuzzedOperations(random.seed);
    this.bodies = new FuzzBodies(random, models);
  }

  /** The document's own bodies by an account that may: what a world begins with. */
  valid(world: FuzzWorld, operationId: string, caller: FuzzAccount): FuzzRequest {
    const operation = this.operations.find(({ policy }) => policy.operationId === operationId);
    if (!operation) {
      throw new Error(`the document has no operation ${operationId}`);
    }
    const { policy } = operation;
    const path = this.path(policy, world, caller.id, false);
    const form =
      policy.mediaTypes[0] === 'multipart/form-data' ? fuzzForm(this.random, caller.mark, true) : null;
    const credential: Record<string, string> =
      policy.auth === 'key' ? { 'x-api-key': caller.key } : { authorization: `Bearer ${caller.token}` };
    const headers = { ...this.envelope(), ...credential, ...(form?.headers ?? {}) };
    const body =
      form?.body ?? (operation.valid.length > 0 ? this.bodies.valid(operation, world, caller) : null);
    return { method: policy.method, path, headers, body, callers: [caller], leavesAfterMs: null };
  }

  /** To the operation whose turn it is, by anybody; now and then to none. */
  next(world: FuzzWorld): FuzzRequest {
    const { random } = this;
    if (random.next() < 0.004) {
      const headers = this.envelope();
      return {
        method: 'GET',
        path: random.pick(OTHER_PATHS),
        headers,
        body: null,
        callers: [],
        leavesAfterMs: null,
      };
    }
    const operation = this.operations[this.turn++ % this.operations.length] as FuzzedOperation;
    const { policy } = operation;
    const { headers: shown, callers } = fuzzCredential(policy, world, random);
    // Shown with two credentials, its texts become those of an account that only the service knows.
    const caller = callers.length === 1 ? callers[0] : undefined;
    const { body, headers: ofBody } = this.bodies.any(operation, world, caller ?? null);
    const path =
      this.path(policy, world, caller?.id ?? null, true) + fuzzQuery(operation, world, caller, random);
    // The events of payments end with the session alone.
    const leaves = policy.operationId === 'watchPayments' || random.next() < 0.015;
    const leavesAfterMs = leaves ? random.between(0, LEAVES_AFTER_MS_MAX) : null;
    // The charge of a client that leaves is found by its own X-Request-Id.
    const odd = leavesAfterMs === null && random.next() < 0.12 ? random.pick(ODD_HEADERS) : {};
    return {
      method: random.next() < 0.02 ? random.pick(OTHER_METHODS) : policy.method,
      path: random.next() < 0.02 ? random.pick(ODD_PATHS)(path) : path,
      headers: {
        ...this.envelope(),
        ...(policy.idempotent && random.next() < 0.1
          ? { 'idempotency-key': `key-${random.between(1, 40)}` }
          : {}),
        ...odd,
        ...ofBody,
        ...shown,
      },
      body,
      callers,
      leavesAfterMs,
    };
  }

  private envelope(): Record<string, string> {
    const { random } = this;
    this.made += 1;
    return {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${random.between(0, 99)}.${random.between(0, 99)}.${random.between(0, 99)}`,
      'x-request-id': `fuzz-${random.seed}-${this.made}`,
    };
  }

  private path(policy: OperationPolicy, world: FuzzWorld, account: string | null, isOdd: boolean): string {
    const { random } = this;
    return policy.path.replaceAll(/:(\w+)/g, (_, name: string) => {
      const known = name === 'model' ? random.pick(this.models) : world.idOf(name, account, random);
      const isKnown = known !== undefined && (!isOdd || random.next() < 0.85);
      return isKnown ? encodeURIComponent(known) : random.pick(PARAMETERS);
    });
  }
}
