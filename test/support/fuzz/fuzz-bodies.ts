import { gzipSync } from 'node:zlib';
import { isObject, type Json, type JsonObject } from '../../../scripts/generate/json';
import { WRONG_JSON } from '../hostile/hostile-bodies';
import type { SeededRandom } from '../seeded-random';
import { fuzzForm } from './fuzz-forms';
import type { FuzzedOperation } from './fuzz-operation';
import type { FuzzAccount, FuzzWorld } from './fuzz-world';
import { mutatedJson } from './mutated-json';

export interface FuzzBody {
  body: Buffer | null;
  headers: Record<string, string>;
}

const CONTENT_TYPES = [
  'text/plain',
  'application/json; charset=utf-16',
  'application/json; charset="utf-8"',
  'APPLICATION/JSON',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'multipart/form-data',
  'application/json, text/plain',
  '/',
  '\u00ff',
];
const ENCODINGS = ['gzip', 'br', 'identity', 'deflate, gzip', 'x-unknown', ''];
const GZIP_BOMB = gzipSync(Buffer.alloc(2_000_000, '['));
/** Members of bodies that may hold any text. */
const TEXTS = new Set([
  'name',
  'value',
  'title',
  'content',
  'description',
  'text',
  'prompt',
  'system_prompt',
  'reason',
]);

/** Bodies of requests: good, with one fault, near to their schema, and such as nobody sends in good faith. */
export class FuzzBodies {
  constructor(
    private readonly random: SeededRandom,
    private readonly models: readonly string[],
  ) {}

  /** A body of any kind, with the headers that go with it. */
  any(operation: FuzzedOperation, world: FuzzWorld, caller: FuzzAccount | null): FuzzBody {
    const { random } = this;
    const { policy, near, valid } = operation;
    if (policy.mediaTypes[0] === 'multipart/form-data' && random.next() < 0.85) {
      return fuzzForm(random, caller?.mark ?? '', random.next() < 0.4);
    }
    if (policy.method === 'GET' || (valid.length === 0 && random.next() < 0.7)) {
      return random.next() < 0.03 ? { body: Buffer.from('{}'), headers: {} } : { body: null, headers: {} };
    }
    const chance = random.next();
    if (valid.length === 0 || chance < 0.04) {
      return { body: Buffer.from(random.pick(WRONG_JSON)), headers: {} };
    }
    if (chance < 0.36) {
      return { body: this.valid(operation, world, caller), headers: {} };
    }
    if (chance < 0.68) {
      return { body: mutatedJson(this.filled(random.pick(valid), world, caller), random), headers: {} };
    }
    if (chance < 0.92 && near.length > 0) {
      return { body: random.pick(near), headers: {} };
    }
    return this.wrapped(this.valid(operation, world, caller));
  }

  /** A good body as it may not come: of another type, compressed, cut off, padded. */
  private wrapped(body: Buffer): FuzzBody {
    const { random } = this;
    const kind = random.next();
    if (kind < 0.35) {
      return { body, headers: { 'content-type': random.pick(CONTENT_TYPES) } };
    }
    if (kind < 0.6) {
      const packed = random.pick([gzipSync(body), gzipSync(body).subarray(0, -5), GZIP_BOMB, body]);
      return { body: packed, headers: { 'content-encoding': random.pick(ENCODINGS) } };
    }
    if (kind < 0.8) {
      return { body: body.subarray(0, random.between(0, Math.max(0, body.length - 1))), headers: {} };
    }
    return {
      body: Buffer.concat([body, Buffer.from(random.pick(['}', ' ', '\0', '{}', '\n//', '\ufeff']))]),
      headers: {},
    };
  }

  /** One of the document's own, as an account of the world would send it. */
  valid({ valid, policy }: FuzzedOperation, world: FuzzWorld, caller: FuzzAccount | null): Buffer {
    const { random } = this;
    const body = this.filled(random.pick(valid), world, caller);
    if (!isObject(body)) {
      return Buffer.from(JSON.stringify(body));
    }
    const unique = `fuzz${random.between(0, 2 ** 30)}`;
    const own: Record<string, JsonObject> = {
      register: { email: `${unique}@example.com`, username: unique, password: 'a long and lovely password' },
      login: caller ? { email: caller.email, password: caller.password } : {},
      changePassword: caller ? { current_password: caller.password } : {},
    };
    const streams = policy.streams === true && random.next() < 0.4 ? { stream: true } : {};
    return Buffer.from(
      JSON.stringify({ ...body, ...streams, ...(random.next() < 0.7 ? own[policy.operationId] : {}) }),
    );
  }

  /** An example with ids that exist, models that are served, and now and then the caller's mark in a text. */
  private filled(value: Json, world: FuzzWorld, caller: FuzzAccount | null, name = ''): Json {
    const { random } = this;
    if (Array.isArray(value)) {
      return value.map((item) => this.filled(item, world, caller, name));
    }
    if (isObject(value)) {
      const members = Object.entries(value).map(([key, member]) => [
        key,
        this.filled(member, world, caller, key),
      ]);
      return Object.fromEntries(members) as JsonObject;
    }
    if (typeof value !== 'string') {
      return value;
    }
    if (name === 'model') {
      return random.next() < 0.8 ? random.pick(this.models) : value;
    }
    if (name === 'url') {
      return random.next() < 0.8 ? 'http://127.0.0.1:9/hook' : value;
    }
    if (name.endsWith('_id')) {
      // Retrieval has documents of its own names, other groups those that were uploaded.
      const kind = name === 'document_id' && random.next() < 0.5 ? 'doc_id' : name;
      return (random.next() < 0.8 ? world.idOf(kind, caller?.id ?? null, random) : undefined) ?? value;
    }
    // What the admin writes may be meant for another account, as the description of a credit is.
    const isOfOneAccount = caller !== null && caller !== world.admin;
    const isMarked = isOfOneAccount && TEXTS.has(name) && random.next() < 0.3;
    return isMarked ? `${value} ${caller.mark}` : value;
  }
}
