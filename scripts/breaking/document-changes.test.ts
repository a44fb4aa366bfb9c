import published from '../../generated/openapi.json';
import { breakingChanges, type ComparedDocument } from './document-changes';
import { judgeChanges } from './judge-changes';
import type { Schema } from './schema-changes';

const NAME: Schema = { type: 'string', minLength: 1, maxLength: 100 };
const KEY: Schema = {
  type: 'object',
  required: ['id'],
  properties: { id: NAME, state: { enum: ['on', 'off'] } },
};

const ANSWERED_HEADERS = { 'X-Request-Id': { $ref: '#/components/headers/Id' } };
const LIMIT = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } };

/** What a test changes of the small document. */
interface Parts {
  request?: Schema;
  answer?: Schema;
  event?: Schema;
  schemas?: Record<string, Schema>;
  /** Put over the operation. */
  operation?: Record<string, unknown>;
  /** Put over the credential `key`. */
  credential?: Record<string, unknown>;
  /** Put over the header that the answer has. */
  header?: Record<string, unknown>;
}

function documentWith({
  request = NAME,
  answer = KEY,
  event = KEY,
  schemas = {},
  operation = {},
  credential = {},
  header = {},
}: Parts = {}) {
  const json = (schema: Schema) => ({ content: { 'application/json': { schema } } });
  const operations = {
    operationId: 'createKey',
    security: [{ token: [] }, { key: [] }],
    parameters: [{ $ref: '#/components/parameters/Limit' }],
    requestBody: json(request),
    responses: { 201: { headers: ANSWERED_HEADERS, ...json(answer) }, 404: { description: 'none' } },
    ...operation,
  };
  return {
    info: { version: '1.0' },
    paths: { '/keys': { post: operations } },
    webhooks: { 'key.made': { post: { requestBody: json(event) } } },
    components: {
      parameters: { Limit: LIMIT },
      headers: { Id: { required: true, schema: { type: 'string' }, ...header } },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer' },
        key: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'A key.', ...credential },
      },
      schemas,
    },
  } as ComparedDocument;
}

const changes = (old: Parts, now: Parts) => breakingChanges(documentWith(old), documentWith(now));
const ofRequest = (old: Schema, now: Schema) => changes({ request: old }, { request: now });
const ofAnswer = (old: Schema, now: Schema) => changes({ answer: old }, { answer: now });
const object = (properties: Record<string, Schema>, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('an operation', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['another operationId', { operationId: 'makeKey' }, 'its operationId changed from createKey to makeKey'],
    ['one credential less', { security: [{ token: [] }] }, 'no longer takes key'],
    ['a parameter less', { parameters: [] }, 'the parameter query limit was removed'],
    [
      'a parameter that is required now',
      { parameters: [{ ...LIMIT, required: true }] },
      'the parameter query limit is required now',
    ],
    [
      'a parameter that takes less',
      { parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } }] },
      'POST /keys query limit: maximum narrowed from 100 to 50',
    ],
    [
      'another style',
      { parameters: [{ ...LIMIT, style: 'spaceDelimited', explode: true }] },
      'style changed from form to',
    ],
    ['values apart', { parameters: [{ ...LIMIT, explode: false }] }, 'explode changed from true to false'],
    [
      'a parameter as a text of JSON',
      {
        parameters: [{ name: 'limit', in: 'query', content: { 'application/json': { schema: NAME } } }],
      },
      'POST /keys query limit: is written as application/json now',
    ],
    ['a scope', { security: [{ token: [] }, { key: ['write'] }] }, 'key needs the scope write now'],
    ['a role', { 'x-role': 'admin' }, 'is for the role admin alone now'],
    [
      'a body that is required now',
      { requestBody: { required: true, content: { 'application/json': { schema: NAME } } } },
      'a body is required now',
    ],
    ['a media type less', { requestBody: { content: {} } }, 'application/json was removed'],
    ['a status less', { responses: { 201: documentAnswer() } }, 'the answer 404 was removed'],
    ['a header less', { responses: { 201: documentAnswer({}), 404: {} } }, 'header X-Request-Id was removed'],
    [
      'a further success',
      { responses: { 201: documentAnswer(), 202: {}, 404: {} } },
      'may now succeed with 202',
    ],
  ])('breaks with %s', (_, operation, complaint) => {
    expect(changes({}, { operation })).toEqual([expect.stringContaining(complaint)]);
  });

  it('breaks with another role, and may come to be for everybody', () => {
    const [admin, owner] = ['admin', 'owner'].map((role) => ({ operation: { 'x-role': role } }));
    expect(changes(admin ?? {}, owner ?? {})).toEqual(['POST /keys: is for the role owner alone now']);
    expect(changes(admin ?? {}, {})).toEqual([]);
  });

  it.each([[[]], [undefined], [[{}]]])(
    'breaks when it needs a credential, where it needed none: %j',
    (security) => {
      const complaints = changes({ operation: { security } }, {});
      expect(complaints).toEqual(['POST /keys: no longer takes calls without a credential']);
    },
  );

  it('breaks when what counts for all operations asks for a credential', () => {
    const old = documentWith({ operation: { security: undefined } });
    const complaints = breakingChanges(old, { ...old, security: [{ key: [] }] });
    expect(complaints).toEqual(['POST /keys: no longer takes calls without a credential']);
  });

  it('breaks with another schema of a parameter that is a text of JSON', () => {
    const where = (schema: Schema) => ({
      operation: {
        parameters: [{ name: 'where', in: 'query', content: { 'application/json': { schema } } }],
      },
    });
    expect(changes(where({ type: ['string', 'null'] }), where({ type: 'string' }))).toEqual([
      'POST /keys query where: no longer takes null',
    ]);
  });

  it('breaks with another way to write the parts of a form', () => {
    const form = (encoding: object) => ({
      operation: { requestBody: { content: { 'multipart/form-data': { schema: KEY, encoding } } } },
    });
    expect(changes(form({}), form({ id: { contentType: 'application/json' } }))).toEqual([
      expect.stringContaining('POST /keys request: encoding changed from {} to'),
    ]);
  });

  it('breaks when it is removed, and so does an event', () => {
    const old = documentWith();
    expect(breakingChanges(old, { ...old, paths: {}, webhooks: {} })).toEqual([
      'POST /keys: removed',
      'event POST key.made: removed',
    ]);
  });

  it('may come, take more and refuse in more ways', () => {
    const old = documentWith();
    const operation = {
      security: [{ token: [] }, { key: [] }, { cookie: [] }],
      parameters: [
        { ...LIMIT, style: 'form', explode: true, schema: { type: 'integer', maximum: 1000 } },
        { name: 'sort', in: 'query', schema: NAME },
      ],
      responses: { 201: documentAnswer(), 404: {}, 409: {} },
    };
    const now = documentWith({ operation });
    now.paths = { ...now.paths, '/more': { get: { operationId: 'getMore' } } };
    expect(breakingChanges(old, now)).toEqual([]);
  });
});

describe('a credential', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['another header', { name: 'X-Key' }, 'name changed from "X-API-Key" to "X-Key"'],
    ['another place', { in: 'query' }, 'in changed from "header" to "query"'],
    ['another kind', { type: 'http', scheme: 'basic' }, 'scheme changed from nothing to "basic"'],
  ])('breaks with %s', (_, credential, complaint) => {
    expect(changes({}, { credential })).toContain(`the credential key: ${complaint}`);
  });

  it('may have other words, and one that nothing takes any more may go', () => {
    expect(changes({}, { credential: { description: 'Another.', 'x-a': 1 } })).toEqual([]);
    const old = documentWith({ operation: { security: [{ token: [] }] } });
    const now = structuredClone(old);
    delete now.components?.['securitySchemes']?.['key'];
    expect(breakingChanges(old, now)).toEqual([]);
  });
});

describe('a header of an answer', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['a further type', { schema: { type: ['string', 'integer'] } }, 'may now be integer'],
    ['no promise that it is there', { required: false }, 'may be missing now'],
    ['another way to be written', { explode: true }, 'explode changed from false to true'],
  ])('breaks with %s', (_, header, complaint) => {
    expect(changes({}, { header })).toEqual([`the header X-Request-Id: ${complaint}`]);
  });

  it('is promised to more than before, and may promise more', () => {
    const [old, now] = [{ required: false }, { schema: { type: 'string', maxLength: 36 } }];
    expect(changes({ header: old }, { header: now })).toEqual([]);
  });
});

describe('a header of an event', () => {
  const withHeader = (parameters: object[]) => {
    const document = documentWith();
    const event = document.webhooks?.['key.made']?.['post'] as { parameters?: object[] };
    event.parameters = parameters;
    return document;
  };
  const SIGNATURE = { name: 'Signature', in: 'header', required: true, schema: { type: 'string' } };

  it.each<[string, object[], string]>([
    ['is gone', [], ': the header Signature was removed'],
    ['may be missing', [{ ...SIGNATURE, required: false }], ' header Signature: may be missing now'],
    ['is another', [{ ...SIGNATURE, schema: {} }], ' header Signature: may now be any type'],
  ])('breaks where it %s', (_, parameters, complaint) => {
    expect(breakingChanges(withHeader([SIGNATURE]), withHeader(parameters))).toEqual([
      `event POST key.made${complaint}`,
    ]);
    expect(breakingChanges(withHeader([]), withHeader([SIGNATURE]))).toEqual([]);
  });
});

describe('what callers send', () => {
  it.each<[string, Schema, Schema, string]>([
    ['a value less', { enum: ['a', 'b'] }, { enum: ['a'] }, 'no longer takes the value "b"'],
    ['certain values only', { type: 'string' }, { type: 'string', enum: ['a'] }, 'only certain values'],
    ['a type less', { type: ['string', 'null'] }, { type: 'string' }, 'no longer takes null'],
    ['an integer for a number', { type: 'number' }, { type: 'integer' }, 'no longer takes number'],
    ['a lower maximum', { maxLength: 9 }, { maxLength: 8 }, 'maxLength narrowed from 9 to 8'],
    ['a first minimum', {}, { minimum: 1 }, 'minimum narrowed from none to 1'],
    ['another pattern', { pattern: 'a' }, { pattern: 'b' }, 'pattern changed'],
    ['another default', { default: 1 }, { default: 2 }, 'default changed from 1 to 2'],
    ['a format', { type: 'string' }, { type: 'string', format: 'email' }, 'format changed'],
    ['a keyword that is not known', {}, { not: { type: 'null' } }, 'not changed'],
    [
      'a field that is required',
      object({ a: {} }),
      object({ a: {} }, { required: ['a'] }),
      '.a: is required now',
    ],
    ['a new required field', object({}), object({ a: {} }, { required: ['a'] }), '.a: is required now'],
    ['a field less', object({ a: {} }), object({}), '.a: removed from what callers send'],
    ['nothing further', object({}), object({}, { additionalProperties: false }), 'no further properties'],
    ['items that are bound', { items: NAME }, { items: { ...NAME, maxLength: 5 } }, '[]: maxLength narrowed'],
    [
      'an alternative less',
      { oneOf: [{ type: 'null' }, NAME] },
      { oneOf: [NAME] },
      'the alternative {"type":"null"}',
    ],
    ['one of its alternatives', { oneOf: [NAME, { type: 'null' }] }, NAME, 'no longer takes the alternative'],
  ])('breaks with %s', (_, old, now, complaint) => {
    expect(ofRequest(old, now)).toEqual([expect.stringContaining(complaint)]);
    expect(ofRequest(old, old)).toEqual([]);
  });

  it.each<[string, Schema, Schema]>([
    ['a further value', { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['a further type', { type: 'integer' }, { type: ['number', 'null'] }],
    ['wider bounds', { minimum: 1, maxItems: 5 }, { maxItems: 6 }],
    ['no pattern', { pattern: 'a' }, {}],
    ['an optional field', object({}), object({ a: NAME })],
    ['a field that may be missing', object({ a: {} }, { required: ['a'] }), object({ a: {} })],
    ['an alternative', NAME, { anyOf: [{ type: 'null' }, NAME] }],
    [
      'other words',
      { type: 'string' },
      { type: 'string', description: 'A name.', examples: ['a'], 'x-a': 1 },
    ],
  ])('may be %s', (_, old, now) => {
    expect(ofRequest(old, now)).toEqual([]);
  });
});

describe('what is answered', () => {
  it.each<[string, Schema, Schema, string]>([
    ['a field less', object({ a: {} }), object({}), '.a: removed from what is answered'],
    [
      'a field that may be missing',
      object({ a: {} }, { required: ['a'] }),
      object({ a: {} }),
      '.a: may be missing',
    ],
    ['a further type', { type: 'string' }, { type: ['string', 'null'] }, 'may now be null'],
    ['any type', { type: 'string' }, {}, 'may now be any type'],
    ['an alternative', { oneOf: [NAME] }, { oneOf: [NAME, { type: 'null' }] }, 'may now be the alternative'],
    [
      'items of another type',
      { items: { type: 'string' } },
      { items: { type: 'number' } },
      '[]: may now be number',
    ],
    ['another format', { format: 'date' }, { format: 'date-time' }, 'format changed'],
  ])('breaks with %s, in an event too', (_, old, now, complaint) => {
    expect(ofAnswer(old, now)).toEqual([expect.stringContaining(complaint)]);
    expect(changes({ event: old }, { event: now })).toEqual([expect.stringContaining(complaint)]);
  });

  it.each<[string, Schema, Schema]>([
    ['a further field', object({}), object({ a: NAME }, { required: ['a'] })],
    ['a value that clients do not know', { enum: ['a'] }, { enum: ['a', 'b'] }],
    ['longer', { maxLength: 5 }, { maxLength: 50 }],
    ['a number that is whole', { type: 'number' }, { type: 'integer' }],
    [
      'a kind that a field tells apart',
      { oneOf: [{ $ref: '#/components/schemas/A' }], discriminator: { propertyName: 'kind' } },
      {
        oneOf: [{ $ref: '#/components/schemas/A' }, { $ref: '#/components/schemas/B' }],
        discriminator: { propertyName: 'kind' },
      },
    ],
  ])('may be %s', (_, old, now) => {
    const schemas = { A: object({ kind: { enum: ['a'] } }), B: object({ kind: { enum: ['b'] } }) };
    expect(changes({ answer: old, schemas }, { answer: now, schemas })).toEqual([]);
  });

  it('is complained about once, by the name of its schema, and may hold itself', () => {
    const tree = (value: Schema): Parts => ({
      answer: object({
        left: { $ref: '#/components/schemas/Tree' },
        right: { $ref: '#/components/schemas/Tree' },
      }),
      schemas: { Tree: object({ value, children: { items: { $ref: '#/components/schemas/Tree' } } }) },
    });
    expect(changes(tree({ type: 'string' }), tree({ type: 'number' }))).toEqual([
      'Tree.value: may now be number',
    ]);
  });
});

describe('the published document', () => {
  const current = published as unknown as ComparedDocument;

  it('breaks nothing of itself', () => {
    expect(breakingChanges(current, structuredClone(current))).toEqual([]);
  });

  it('breaks clients without what it names in a schema, an operation or an event', () => {
    const now = structuredClone(current) as ComparedDocument & {
      components: { schemas: Record<string, { properties: Record<string, Schema> }> };
    };
    delete now.components.schemas['Balance']?.properties['balance'];
    delete now.paths?.['/v1/models'];
    delete now.webhooks?.['balance.low'];
    expect(breakingChanges(current, now)).toEqual([
      'Balance.balance: removed from what is answered',
      'GET /v1/models: removed',
      'event POST balance.low: removed',
    ]);
  });

  it('breaks clients whose key has another header, and those who are no admins where only these may call', () => {
    const now = structuredClone(current);
    Object.assign(now.components?.['securitySchemes']?.['accessKey'] ?? {}, { name: 'X-Key' });
    Object.assign(now.paths?.['/api/keys']?.['get'] ?? {}, { 'x-role': 'admin' });
    expect(breakingChanges(current, now)).toEqual([
      'the credential accessKey: name changed from "X-API-Key" to "X-Key"',
      'GET /api/keys: is for the role admin alone now',
    ]);
  });
});

describe('the verdict', () => {
  const since = (now: string) => ({ tag: 'v1.2.0', versions: ['1.0', now] as const });

  it('refuses breaks within a major version of the API, and says what they are', () => {
    const { text, isRefused } = judgeChanges(['GET /keys: removed'], since('1.1'));
    expect([isRefused, text]).toEqual([
      true,
      expect.stringContaining('GET /keys: removed\n1 breaking changes'),
    ]);
  });

  it('lets a higher one break, and takes what breaks nothing', () => {
    expect(judgeChanges(['GET /keys: removed'], since('2.0')).isRefused).toBe(false);
    expect(judgeChanges([], since('1.0')).isRefused).toBe(false);
  });
});

function documentAnswer(headers: object = ANSWERED_HEADERS) {
  return { headers, content: { 'application/json': { schema: KEY } } };
}
