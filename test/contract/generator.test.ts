import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseDocument, type Document, type YAMLMap } from 'yaml';
import { generate } from '../../scripts/generate/main';
import { RefusedDocument } from '../../scripts/generate/source-document';

const PROJECT = join(__dirname, '../..');

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'generator-'));
  cpSync(join(PROJECT, 'openapi'), join(folder, 'openapi'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('the generator refuses an operation', () => {
  const media = ['content', 'application/json'];

  it.each<[string, (operation: YAMLMap) => void, string]>([
    ['without an operationId', (operation) => operation.delete('operationId'), 'lacks an operationId'],
    ['without a tag', (operation) => operation.delete('tags'), 'needs exactly one tag'],
    ['of an undeclared tag', (operation) => operation.set('tags', ['nowhere']), 'needs exactly one tag'],
    ['of two tags', (operation) => operation.set('tags', ['v1', 'memory']), 'needs exactly one tag'],
    ['without a summary', (operation) => operation.delete('summary'), 'lacks a summary'],
    ['without a rate class', (operation) => operation.delete('x-rate'), 'needs x-rate'],
    ['of an unknown rate class', (operation) => operation.set('x-rate', 'slow'), 'needs x-rate'],
    ['without security', (operation) => operation.delete('security'), 'lacks security'],
    ['neither priced nor free', (operation) => operation.delete('x-price'), 'x-price or x-free'],
    ['both priced and free', (operation) => operation.set('x-free', true), 'x-price or x-free'],
    ['of an unknown price', (operation) => operation.set('x-price', 'gold'), 'x-prices lacks: gold'],
    [
      'without the default response',
      (operation) => operation.deleteIn(['responses', 'default']),
      'default error',
    ],
    ['without the 401 response', (operation) => operation.deleteIn(['responses', '401']), 'lacks the 401'],
    ['without the 402 response', (operation) => operation.deleteIn(['responses', '402']), 'lacks the 402'],
    ['without the 429 response', (operation) => operation.deleteIn(['responses', '429']), 'lacks the 429'],
    ['without a 2xx response', (operation) => operation.deleteIn(['responses', '200']), 'exactly one 2xx'],
    [
      'that is a priced POST without Idempotency-Key',
      (operation) => operation.delete('parameters'),
      'Idempotency-Key',
    ],
    [
      'without an example of the request',
      (operation) => operation.deleteIn(['requestBody', ...media, 'example']),
      'lacks an example at requestBody/content/application/json',
    ],
    [
      'without an example of the answer',
      (operation) => operation.deleteIn(['responses', '200', ...media, 'example']),
      'lacks an example at responses/200/content/application/json',
    ],
  ])('%s, naming its file and line', async (_, change, reason) => {
    const text = edit('paths/v1.yaml', (document) =>
      change(document.getIn(['/v1/embeddings', 'post']) as YAMLMap),
    );
    const line = lineWhere(text, (entry) => entry === '/v1/embeddings:') + 2;
    const places = await refusal();
    expect(places).toEqual([expect.stringContaining(reason)]);
    expect(places[0]).toMatch(
      new RegExp(`^openapi/paths/v1\\.yaml:${line} \\(/paths/~1v1~1embeddings/post\\)`),
    );
  });

  it('whose operationId another one has', async () => {
    edit('paths/v1.yaml', (document) =>
      document.setIn(['/v1/embeddings', 'post', 'operationId'], 'listModels'),
    );
    expect(await refusal()).toEqual([
      expect.stringMatching(/^openapi\/paths\/v1\.yaml:\d+ .* operationId listModels is used twice$/),
    ]);
  });

  it('together with every other incomplete one', async () => {
    edit('paths/v1.yaml', (document) => {
      document.deleteIn(['/v1/embeddings', 'post', 'summary']);
      document.deleteIn(['/v1/models', 'get', 'x-free']);
    });
    expect(await refusal()).toHaveLength(2);
  });
});

describe('the generator refuses a document', () => {
  it.each(['../schemas/v1.yaml#/Nothing', '../schemas/nothing.yaml#/Model'])(
    'with the dangling $ref %s',
    async (ref) => {
      const schema = [
        '/v1/models',
        'get',
        'responses',
        '200',
        'content',
        'application/json',
        'schema',
        '$ref',
      ];
      const text = edit('paths/v1.yaml', (document) => document.setIn(schema, ref));
      const line = lineWhere(text, (entry) => entry.includes(ref));
      expect(await refusal()).toEqual([`openapi/paths/v1.yaml:${line} $ref ${ref} leads nowhere`]);
    },
  );

  it('with two schemas of one name', async () => {
    const text = edit('schemas/memory.yaml', (document) => {
      document.set('Model', { type: 'string' });
      document.setIn(['CreateMemoryRequest', 'properties', 'model'], { $ref: '#/Model' });
    });
    const first = lineWhere(text, (line) => line === 'Model:') + 1;
    const second = lineWhere(source('schemas/v1.yaml'), (line) => line === 'Model:') + 1;
    expect(await refusal()).toEqual([
      `openapi/schemas/v1.yaml:${second} Model is also defined at openapi/schemas/memory.yaml:${first}`,
    ]);
  });

  it('that is no YAML', async () => {
    const text = source('schemas/memory.yaml');
    const line = text.split('\n').length;
    writeFileSync(join(folder, 'openapi/schemas/memory.yaml'), `${text}Broken: [}\n`);
    const [place] = await refusal();
    expect(place).toContain(`openapi/schemas/memory.yaml:${line} `);
  });

  it('whose $ref to a response says more beside it', async () => {
    const response = ['/v1/models', 'get', 'responses', '429', 'description'];
    edit('paths/v1.yaml', (document) => document.setIn(response, 'Slower, please.'));
    expect(await refusal()).toEqual([expect.stringMatching(/^openapi\/paths\/v1\.yaml:\d+ only a schema/)]);
  });

  it('that asks of a request what the classes cannot check', async () => {
    const text = edit('schemas/memory.yaml', (document) =>
      document.setIn(['CreateMemoryRequest', 'properties', 'ttl_seconds', 'multipleOf'], 60),
    );
    const line = lineWhere(text, (entry) => entry.endsWith(' ttl_seconds:')) + 1;
    expect(await refusal()).toEqual([
      `openapi/schemas/memory.yaml:${line} (/components/schemas/CreateMemoryRequest/properties/ttl_seconds) ` +
        'has no class-validator counterpart for multipleOf',
    ]);
  });
});

describe('what the generator writes', () => {
  it('says the same about fields that are called like keywords', async () => {
    const fields = ['CreateMemoryRequest', 'properties'];
    edit('schemas/memory.yaml', (document) => {
      for (const name of ['example', 'default', 'description', 'properties']) {
        document.setIn([...fields, name], { type: 'string', maxLength: 5, description: `The ${name}.` });
      }
    });
    await generateInto('out');
    const schemas = readFileSync(join(folder, 'out/schemas.ts'), 'utf8');
    const request = schemas.slice(
      schemas.indexOf('"CreateMemoryRequest"'),
      schemas.indexOf('"CustomRateLimits"'),
    );
    for (const name of ['example', 'default', 'description', 'properties']) {
      expect(request).toMatch(new RegExp(`"${name}": \\{\\s+"type": "string",\\s+"maxLength": 5\\s+\\}`));
    }
  });

  it('keeps what a schema says beside its $ref', async () => {
    edit('schemas/v1.yaml', (document) =>
      document.setIn(['CreateEmbeddingRequest', 'properties', 'allow_degraded'], {
        $ref: '#/AllowDegraded',
        description: 'Of embeddings.',
        default: false,
      }),
    );
    await generateInto('out');
    const dto = readFileSync(join(folder, 'out/dto/v1.ts'), 'utf8');
    expect(dto).toContain('/** Of embeddings. */\n  @IsBoolean()\n  allow_degraded: boolean = false;');
  });

  it('is the same every time, and is what the repository holds', async () => {
    await generateInto('first');
    await generateInto('second');
    const first = filesIn(join(folder, 'first'));
    expect(filesIn(join(folder, 'second'))).toEqual(first);
    const committed = filesIn(join(PROJECT, 'generated'));
    expect(Object.keys(committed)).toEqual(Object.keys(first));
    expect(Object.keys(first).filter((name) => committed[name] !== first[name])).toEqual([]);
  });

  it('replaces the whole folder', async () => {
    await generateInto('out');
    writeFileSync(join(folder, 'out/dto/left-over.ts'), '');
    await generateInto('out');
    expect(existsSync(join(folder, 'out/dto/left-over.ts'))).toBe(false);
  });
});

function generateInto(name: string): Promise<void> {
  return generate(join(folder, 'openapi/openapi.yaml'), join(folder, name));
}

/** The places that the generator names, having written nothing. */
async function refusal(): Promise<string[]> {
  const error = await generateInto('out').then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(RefusedDocument);
  expect(existsSync(join(folder, 'out'))).toBe(false);
  return (error as RefusedDocument).places;
}

/** Changes one file of the copied document and returns its new text. */
function edit(name: string, change: (document: Document) => void): string {
  const document = parseDocument(source(name));
  change(document);
  const text = document.toString({ lineWidth: 0 });
  writeFileSync(join(folder, 'openapi', name), text);
  return text;
}

function source(name: string): string {
  return readFileSync(join(folder, 'openapi', name), 'utf8');
}

/** Counted from 1. */
function lineWhere(text: string, matches: (line: string) => boolean): number {
  return text.split('\n').findIndex(matches) + 1;
}

function filesIn(root: string): Record<string, string> {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => name.endsWith('.ts') || name.endsWith('.json'));
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
}
