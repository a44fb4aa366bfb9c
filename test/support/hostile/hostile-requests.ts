import { apis } from '../../../generated/contract';
import type { OperationPolicy } from '../../../src/contract/operation';
import type { SeededRandom } from '../seeded-random';
import { bodiesOf } from './hostile-bodies';

export interface HostileRequest {
  method: string;
  /** With query and with parameters filled in. */
  path: string;
  headers: Record<string, string>;
  body: Buffer | null;
}

/** Credentials of every kind, good and bad, and ids of resources that exist. */
export interface HostileWorld {
  keys: readonly string[];
  tokens: readonly string[];
  /** What operations of the group auth get, which end tokens and change passwords. */
  endedTokens: readonly string[];
  ids: readonly string[];
}

export const PARAMETERS = [
  'x',
  '%00',
  '..%2f..%2fetc',
  '%F0%9F%92%A3',
  'a'.repeat(400),
  '%ud83d',
  '0',
  'null',
  '__proto__',
];
export const QUERIES = [
  'limit=1e9',
  'limit=-1',
  'offset=99999999999999999999',
  'sort=__proto__',
  'order=desc;drop',
  'start_date=0000-00-00',
  'limit=1&limit=2',
  'limit[]=1',
  'a=%',
  'constructor=1',
  `status=${'x'.repeat(2_000)}`,
  'limit=5',
  'offset=3&limit=2',
];
export const ODD_HEADERS: Record<string, string>[] = [
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-encoding': 'gzip' },
  { 'x-request-id': 'the-same-id-each-time' },
  { 'x-request-id': '\u00ff'.repeat(200) },
  { 'idempotency-key': 'one-key-for-all' },
  { 'idempotency-key': 'k'.repeat(300) },
  { 'if-none-match': '*' },
  { accept: 'text/event-stream' },
  { origin: 'null' },
  { 'accept-encoding': 'br;q=1.0, *;q=0' },
  { range: 'bytes=0-1' },
];
export const OTHER_METHODS = ['HEAD', 'OPTIONS', 'PATCH', 'PUT', 'DELETE', 'GET', 'POST', 'TRACE'];
export const OTHER_PATHS = [
  '/',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs-json',
  '/metrics',
  '/favicon.ico',
  '/api',
  '/v1',
  '/%zz',
];

/** Requests made from the document: valid ones, nearly valid ones, and ones that nobody sends in good faith. */
export class HostileRequests {
  private readonly operations: { policy: OperationPolicy; bodies: (Buffer | null)[] }[];

  constructor(
    private readonly random: SeededRandom,
    private readonly world: HostileWorld,
  ) {
    this.operations = apis
      .flatMap((api) => Object.values<OperationPolicy>(api.operations))
      .map((policy) => ({ policy, bodies: bodiesOf(policy.operationId, random.seed) }));
  }

  next(): HostileRequest {
    const { random } = this;
    if (random.next() < 0.03) {
      return { method: 'GET', path: random.pick(OTHER_PATHS), headers: this.headers(null), body: null };
    }
    const { policy, bodies } = random.pick(this.operations);
    const method = random.next() < 0.03 ? random.pick(OTHER_METHODS) : policy.method;
    const body = method === 'GET' || method === 'HEAD' ? null : random.pick(bodies);
    return { method, path: this.path(policy.path), headers: this.headers(policy), body };
  }

  /** The headers of a call by somebody, from somewhere: as often as not with a credential that is good. */
  headers(policy: OperationPolicy | null): Record<string, string> {
    const { random } = this;
    return {
      'content-type': 'application/json',
      'x-forwarded-for': `10.${random.between(0, 9)}.${random.between(0, 9)}.${random.between(0, 29)}`,
      ...this.credential(policy),
      ...(random.next() < 0.15 ? random.pick(ODD_HEADERS) : {}),
    };
  }

  private credential(policy: OperationPolicy | null): Record<string, string> {
    const { random, world } = this;
    const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
    const chance = random.next();
    if (chance < 0.1) {
      return {};
    }
    if (chance < 0.2) {
      return random.next() < 0.5
        ? bearer(`${random.pick(world.tokens).slice(0, -4)}AAAA`)
        : { 'x-api-key': `svc_test_${'A'.repeat(random.between(0, 60))}` };
    }
    if (policy?.auth !== 'jwt') {
      return { 'x-api-key': random.pick(world.keys) };
    }
    return bearer(random.pick(policy.path.startsWith('/api/auth') ? world.endedTokens : world.tokens));
  }

  private path(template: string): string {
    const { random, world } = this;
    const path = template.replaceAll(/:\w+/g, () =>
      random.next() < 0.7 ? random.pick(world.ids) : random.pick(PARAMETERS),
    );
    return random.next() < 0.15 ? `${path}?${random.pick(QUERIES)}` : path;
  }
}
