import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseDocument, type YAMLMap } from 'yaml';
import type { OpenCall } from '../../src/contract/operation';
import {
  copyDocument,
  copyOf,
  edit,
  filesIn,
  generateInto,
  lineOf,
  lineWhere,
  pathOf,
  PROJECT,
  refusal,
  removeCopy,
  source,
} from './copied-document';

const MODELS_SCHEMA = ['/v1/models', 'get', 'responses', '200', 'content', 'application/json', 'schema'];

/** As few as the changes of the tests need: to judge a group takes processor time. */
const SOME_GROUPS = ['health', 'keys', 'memory', 'v1'];
const MEDIA = ['content', 'application/json'];

/** Each breaks an operation, and is told of with a reason at the line of the last mark; of `post:` where there is none. */
const FAULTS: readonly (readonly [string, (operation: YAMLMap) => void, string, string[]?])[] = [
  ['without an operationId', (operation) => operation.delete('operationId'), 'contain `operationId`'],
  ['without a tag', (operation) => operation.delete('tags'), 'tags should be defined'],
  ['of an undeclared tag', (operation) => operation.set('tags', ['nowhere']), 'in global tags', ['nowhere']],
  ['of two tags', (operation) => operation.set('tags', ['v1', 'memory']), 'only one tag', ['tags:']],
  ['without a summary', (operation) => operation.delete('summary'), 'contain `summary`'],
  ['without a rate class', (operation) => operation.delete('x-rate'), 'needs x-rate'],
  ['of an unknown rate class', (operation) => operation.set('x-rate', 'slow'), 'needs x-rate'],
  ['without security', (operation) => operation.delete('security'), 'should have security'],
  ['neither priced nor free', (operation) => operation.delete('x-price'), 'x-price or x-free'],
  ['both priced and free', (operation) => operation.set('x-free', true), 'x-price or x-free'],
  ['of an unknown price', (operation) => operation.set('x-price', 'gold'), 'x-prices lacks: gold'],
  ['of an unknown model operation', (operation) => operation.set('x-model', 'sing'), 'has an x-model'],
  ['with half a byte', (operation) => operation.set('x-body-bytes-max', 1.5), 'has an x-body-bytes-max'],
  [
    'without the default response',
    (operation) => operation.deleteIn(['responses', 'default']),
    'documents its errors',
    ['responses:'],
  ],
  ['without the 401 response', (operation) => operation.deleteIn(['responses', '401']), 'lacks the 401'],
  ['without the 402 response', (operation) => operation.deleteIn(['responses', '402']), 'lacks the 402'],
  ['without the 429 response', (operation) => operation.deleteIn(['responses', '429']), 'lacks the 429'],
  ['without a 2xx response', (operation) => operation.deleteIn(['responses', '200']), 'exactly one 2xx'],
  [
    'with two 2xx responses',
    (operation) => operation.setIn(['responses', '204'], { description: 'None.' }),
    'exactly one 2xx',
  ],
  [
    'that is a priced POST without Idempotency-Key',
    (operation) => operation.delete('parameters'),
    'Idempotency-Key',
  ],
  [
    'without an example of the request',
    (operation) => operation.deleteIn(['requestBody', ...MEDIA, 'example']),
    'request body has an example',
    ['application/json:'],
  ],
  [
    'without an example of the answer',
    (operation) => operation.deleteIn(['responses', '200', ...MEDIA, 'example']),
    'successful answer with a body has an example',
    ["'200':", 'application/json:'],
  ],
  [
    'whose body is of another media type',
    (operation) => renameMedia(operation, 'text/csv'),
    'of a media type other than',
  ],
  [
    'whose body has no name',
    (operation) => operation.setIn(['requestBody', ...MEDIA, 'schema'], { type: 'object' }),
    'must be a named component',
  ],
  [
    'whose body lists no fields',
    (operation) =>
      operation.setIn(['requestBody', ...MEDIA, 'schema'], {
        $ref: '../schemas/stream-events.yaml#/TextCompletionEvent',
      }),
    'must be a named component',
  ],
];

// All in one document, because to judge a document takes half a second.
describe('the generator refuses an operation', () => {
  let lines: string[];
  let places: string[];
  const pathOfFault = (index: number) => `/v1/embeddings/${index}`;
  const startOf = (index: number) => lines.indexOf(`${pathOfFault(index)}:`) + 1;

  beforeAll(async () => {
    copyOf(SOME_GROUPS);
    edit('openapi.yaml', (document) =>
      FAULTS.forEach((_, index) => {
        const $ref = `paths/v1.yaml#/${pathOfFault(index).replaceAll('/', '~1')}`;
        document.setIn(['paths', pathOfFault(index)], { $ref });
      }),
    );
    const text = edit('paths/v1.yaml', (document) => {
      const sound = document.getIn(['/v1/embeddings', 'post']) as YAMLMap;
      FAULTS.forEach(([, change], index) => {
        const operation = sound.clone() as YAMLMap;
        operation.set('operationId', `faulty${index}`);
        change(operation);
        document.setIn([pathOfFault(index), 'post'], operation);
      });
    });
    lines = text.split('\n');
    places = await refusal();
  });
  afterAll(() => removeCopy());

  it.each(FAULTS.map(([title, , reason, marks], index) => ({ title, reason, marks, index })))(
    '$title, naming its file and line',
    ({ reason, marks = ['post:'], index }) => {
      const start = startOf(index);
      const end = index + 1 < FAULTS.length ? startOf(index + 1) : lines.length + 1;
      // The first line with the last mark below the line with the one before, and so on from the path's own line.
      const line = marks.reduce(
        (above, mark) => lines.findIndex((entry, at) => at >= above && entry.includes(mark)) + 1,
        start,
      );
      const own = places.filter((place) => lineOf(place) >= start && lineOf(place) < end);
      const expected = own.filter((place) => place.includes(reason));
      expect(expected).toEqual([expect.stringContaining(`openapi/paths/v1.yaml:${line} `)]);
      // An example that fits no schema any more is told beside.
      expect(own.filter((place) => !expected.includes(place) && !place.includes('xample'))).toEqual([]);
    },
  );

  it('and no other', () => {
    expect(places.filter((place) => !place.startsWith('openapi/paths/v1.yaml:'))).toEqual([]);
    expect(places.filter((place) => lineOf(place) < startOf(0))).toEqual([]);
  });
});

describe('the generator refuses an operation', () => {
  copyDocument(SOME_GROUPS);

  it('whose operationId another one has', async () => {
    const text = edit('paths/v1.yaml', (document) =>
      document.setIn(['/v1/embeddings', 'post', 'operationId'], 'listModels'),
    );
    const second = text.split('\n').findLastIndex((line) => line.endsWith('operationId: listModels')) + 1;
    expect(await refusal()).toEqual([
      `openapi/paths/v1.yaml:${second} Every operation must have a unique \`operationId\`.`,
    ]);
  });

  it('whose body may be of any size', async () => {
    edit('paths/v1.yaml', (document) =>
      document.deleteIn(['/v1/chat/completions', 'post', 'x-body-bytes-max']),
    );
    await expect(generateInto('out')).rejects.toThrow(
      'createChatCompletion needs an x-body-bytes-max: its fields allow bodies of any size',
    );
  });

  it('together with every other incomplete one', async () => {
    edit('paths/v1.yaml', (document) => {
      document.deleteIn(['/v1/embeddings', 'post', 'summary']);
      document.deleteIn(['/v1/models', 'get', 'x-free']);
    });
    expect(await refusal()).toHaveLength(2);
  });
});

const D = { description: 'D.' };

describe('the generator refuses a document', () => {
  copyDocument(SOME_GROUPS);

  it.each(['../schemas/v1.yaml#/Nothing', '../schemas/nothing.yaml#/Model'])(
    'with the dangling $ref %s',
    async (ref) => {
      const text = edit('paths/v1.yaml', (document) => document.setIn([...MODELS_SCHEMA, '$ref'], ref));
      const line = lineWhere(text, (entry) => entry.includes(ref));
      expect((await refusal())[0]).toContain(`openapi/paths/v1.yaml:${line} Can't resolve $ref`);
    },
  );

  it('with a pattern that says nothing to who sends something else', async () => {
    edit('schemas/memory.yaml', (document) =>
      document.setIn(['CreateMemoryRequest', 'properties', 'odd'], { type: 'string', pattern: '^a' }),
    );
    const places = (await refusal()).filter((place) => place.includes('x-fault'));
    expect(places).toEqual([expect.stringContaining('openapi/schemas/memory.yaml:')]);
  });

  it('with two schemas of one name', async () => {
    const text = edit('schemas/memory.yaml', (document) => {
      document.set('Model', { type: 'string' });
      document.setIn(['CreateMemoryRequest', 'properties', 'model'], { $ref: '#/Model', ...D });
    });
    const first = lineWhere(text, (line) => line === 'Model:') + 1;
    const second = lineWhere(source('schemas/v1.yaml'), (line) => line === 'Model:') + 1;
    const reason = "Component 'schemas/Model' is not unique. It is also defined at:\n-";
    expect(await refusal()).toEqual([
      `openapi/schemas/memory.yaml:${first} ${reason} openapi/schemas/v1.yaml#/Model`,
      `openapi/schemas/v1.yaml:${second} ${reason} openapi/schemas/memory.yaml#/Model`,
    ]);
  });

  it('that is no YAML', async () => {
    const text = source('schemas/memory.yaml');
    const line = text.split('\n').length;
    writeFileSync(pathOf('openapi/schemas/memory.yaml'), `${text}Broken: [}\n`);
    expect((await refusal())[0]).toMatch(
      new RegExp(`^openapi/schemas/memory\\.yaml:(${line}|${line + 1}) Failed to parse`),
    );
  });

  it('whose $ref to a response says more beside it', async () => {
    const response = ['/v1/models', 'get', 'responses', '429', 'description'];
    edit('paths/v1.yaml', (document) => document.setIn(response, 'Slower, please.'));
    expect(await refusal()).toEqual([expect.stringMatching(/^openapi\/paths\/v1\.yaml:\d+ only a schema/)]);
  });

  it('whose $ref leads into the middle of a component', async () => {
    const ref = '../schemas/v1.yaml#/ModelList/properties/data';
    const text = edit('paths/v1.yaml', (document) => document.setIn([...MODELS_SCHEMA, '$ref'], ref));
    const line = lineWhere(text, (entry) => entry.includes(ref));
    expect((await refusal())[0]).toBe(
      `openapi/paths/v1.yaml:${line} only whole components can be referred to`,
    );
  });

  it('that asks of a request what the validators would not check', async () => {
    const faulty: [object, string][] = [
      [{ type: 'number', multipelOf: 60 }, '`multipelOf` is not expected'],
      [{ type: 'string', format: 'iban' }, 'src/contract/input-values.ts lacks: iban'],
      [{ type: 'array', uniqueItems: true, items: { type: 'object' } }, 'unique items'],
      [{ const: { a: 1 } }, 'object or array as a constant'],
      [
        { type: 'object', properties: { constructor: { type: 'string', ...D } } },
        'name that every object already has: constructor',
      ],
    ];
    const text = edit('schemas/memory.yaml', (document) =>
      faulty.forEach(([schema], index) =>
        document.setIn(['CreateMemoryRequest', 'properties', `odd${index}`], { ...schema, ...D }),
      ),
    );
    const places = await refusal();
    expect(places.every((place) => place.startsWith('openapi/schemas/memory.yaml:'))).toBe(true);
    const startOf = (index: number) => lineWhere(text, (entry) => entry === `    odd${index}:`);
    const byField = faulty.map((_, index) => {
      const end = startOf(index + 1) || startOf(index) + 5;
      return places.filter((place) => lineOf(place) >= startOf(index) && lineOf(place) < end);
    });
    expect(byField).toEqual(faulty.map(([, reason]): unknown[] => [expect.stringContaining(reason)]));
    expect(places).toHaveLength(faulty.length);
  });

  it.each<[string, object, string]>([
    ['an unbounded number', { type: 'integer', minimum: 1 }, 'minimum and a maximum'],
    ['a list', { type: 'array', items: { type: 'string' } }, 'one text, number or boolean'],
  ])('with %s in a query', async (_, schema, reason) => {
    const text = edit('parameters.yaml', (document) => document.setIn(['Offset', 'schema'], schema));
    const line = lineWhere(text, (entry) => entry === 'Offset:') + 1;
    const [place, ...others] = await refusal();
    expect(place).toMatch(new RegExp(`^openapi/parameters\\.yaml:${line} .*${reason}`));
    expect(others).toEqual([]);
  });
});

describe('what the generator writes', () => {
  const FIELDS = ['example', 'default', 'description', 'properties'];

  beforeAll(async () => {
    copyOf(SOME_GROUPS);
    edit('schemas/memory.yaml', (document) => {
      for (const name of FIELDS) {
        const schema = { type: 'string', maxLength: 5, description: `The ${name}.` };
        document.setIn(['CreateMemoryRequest', 'properties', name], schema);
      }
    });
    edit('schemas/v1.yaml', (document) =>
      document.setIn(['CreateEmbeddingRequest', 'properties', 'allow_degraded'], {
        $ref: '#/AllowDegraded',
        description: 'Of embeddings.',
        default: false,
      }),
    );
    edit('paths/memory.yaml', (document) => {
      const upload = document.getIn(['/api/hub/memory', 'post']) as YAMLMap;
      upload.set('x-body-bytes-max', 26_214_400);
      renameMedia(upload, 'multipart/form-data');
    });
    edit('paths/v1.yaml', (document) =>
      document.setIn(['/v1/chat/completions', 'post', 'x-body-bytes-max'], 16_777_216),
    );
    mkdirSync(pathOf('out'));
    writeFileSync(pathOf('out/left-over.ts'), '');
    await generateInto('out');
  });
  afterAll(removeCopy);

  it('replaces the whole folder', () => {
    expect(existsSync(pathOf('out/contract.ts'))).toBe(true);
    expect(existsSync(pathOf('out/left-over.ts'))).toBe(false);
  });

  it('says the same about fields that are called like keywords', () => {
    const schemas = readFileSync(pathOf('out/schemas.ts'), 'utf8');
    const request = schemas.slice(
      schemas.indexOf('"CreateMemoryRequest"'),
      schemas.indexOf('"CustomRateLimits"'),
    );
    for (const name of FIELDS) {
      expect(request).toMatch(new RegExp(`"${name}": \\{\\s+"type": "string",\\s+"maxLength": 5\\s+\\}`));
    }
  });

  it('keeps what a schema says beside its $ref', () => {
    const schemas = readFileSync(pathOf('out/schemas.ts'), 'utf8');
    expect(schemas).toMatch(
      /"allow_degraded": \{\s+"\$ref": "contract#\/\$defs\/AllowDegraded",\s+"default": false\s+\}/,
    );
    expect(readFileSync(pathOf('out/types.ts'), 'utf8')).toContain('Of embeddings.');
  });

  it('carries media types, limits of bodies and the model operation into the policies', () => {
    const contract = readFileSync(pathOf('out/contract.ts'), 'utf8');
    const policyOf = (id: string) => new RegExp(`^ {4}${id}: \\{ (.*) \\},$`, 'm').exec(contract)?.[1];
    expect(policyOf('createMemory')).toContain("bodyBytesMax: 26214400, mediaTypes: ['multipart/form-data']");
    expect(policyOf('createChatCompletion')).toContain(
      "bodyBytesMax: 16777216, mediaTypes: ['application/json']",
    );
    // By its fields, which are short.
    expect(policyOf('createKey')).toContain("bodyBytesMax: 8192, mediaTypes: ['application/json']");
    expect(policyOf('listKeys')).toContain('bodyBytesMax: null, mediaTypes: []');
    expect(policyOf('createChatCompletion')).toContain("model: 'chat'");
    expect(policyOf('createMemory')).toContain('model: null');
  });

  it("checks a form's fields as it checks a JSON body, and gives the controller their type", () => {
    const schemas = readFileSync(pathOf('out/schemas.ts'), 'utf8');
    expect(schemas).toMatch(
      /"createMemory": \{\s+"body": \{\s+"\$ref": "contract#\/\$defs\/CreateMemoryRequest"/,
    );
    // Compiles only if the call of an operation with such a body has the fields.
    type Form = {
      parameters: object;
      requestBody: { content: { 'multipart/form-data': { title: string } } };
    };
    const body: OpenCall<Form, undefined, false>['body'] = { title: 'a form' };
    expect(body).toEqual({ title: 'a form' });
  });

  it('puts the headers of headers.yaml on the successful answers that have them', () => {
    const document = JSON.parse(readFileSync(pathOf('out/openapi.json'), 'utf8')) as PublishedDocument;
    const headersOf = (path: string, method: string) =>
      Object.keys(document.paths[path]?.[method]?.responses['200']?.headers ?? {});
    expect(headersOf('/health/live', 'get')).toEqual(['X-Request-Id', 'X-API-Version']);
    expect(headersOf('/v1/models', 'get')).toContain('X-RateLimit-Limit');
    expect(headersOf('/v1/models', 'get')).not.toContain('X-Request-Cost');
    const ofOthers = ['Retry-After', 'WWW-Authenticate', 'Link', 'X-Total-Count', 'Set-Cookie'];
    expect([...headersOf('/v1/embeddings', 'post'), ...ofOthers].sort()).toEqual(
      Object.keys(parseDocument(source('headers.yaml')).toJS() as object).sort(),
    );
    expect(document.paths['/v1/models']?.get?.responses['200']?.headers?.['X-Request-Id']).toEqual({
      $ref: '#/components/headers/X-Request-Id',
    });
  });
});

describe('what the generator writes of the whole document', () => {
  copyDocument();

  it('is the same every time: what another run wrote is what the repository holds', async () => {
    await generateInto('again');
    const again = filesIn(pathOf('again'));
    const committed = filesIn(join(PROJECT, 'generated'));
    expect(Object.keys(committed)).toEqual(Object.keys(again));
    expect(Object.keys(again).filter((name) => committed[name] !== again[name])).toEqual([]);
  });
});

interface PublishedDocument {
  paths: Record<string, Record<string, { responses: Record<string, { headers?: Record<string, unknown> }> }>>;
}

/** Has an operation take its body in another media type. */
function renameMedia(operation: YAMLMap, type: string): void {
  const content = operation.getIn(['requestBody', 'content']) as YAMLMap;
  const media = content.get('application/json');
  content.delete('application/json');
  content.set(type, media);
}
