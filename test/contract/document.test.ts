import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { at, type Json, type JsonObject } from '../../scripts/generate/json';
import { name as packageName } from '../../package.json';
import {
  examplesOf,
  headersOf,
  operationOf,
  operations,
  published,
  responseOf,
} from '../support/api/published-document';
import {
  ERRORS,
  PRICES,
  RATE_CLASSES,
  RATE_LIMIT_HEADERS,
  RETRY_HEADER,
  UNAUTHORIZED,
} from './reference-errors';

const AGED_FROM = new Date('2099-01-01').getTime();
const schemas = at(published, 'components', 'schemas') as JsonObject;

/** One answer says all errors of Anthropic's form, whose texts and headers test/api/v1 holds. */
const ownErrors = operations.filter(({ policy }) => !policy.path.startsWith('/v1/messages'));

describe('the document says of errors', () => {
  it.each(ownErrors)('of $policy.operationId which headers they have', (operation) => {
    for (const status of Object.keys(operation.definition.responses as JsonObject)) {
      const headers = headersOf(responseOf(operation, status));
      const names = Object.keys(headers);
      expect(names).toEqual(expect.arrayContaining(['X-Request-Id', 'X-API-Version']));
      expect([headers['X-Request-Id']?.required, headers['X-API-Version']?.required]).toEqual([true, true]);
      if (operation.policy.rate !== 'health') {
        expect(names).toEqual(expect.arrayContaining([...RATE_LIMIT_HEADERS]));
      }
      if (status === '429') {
        expect(headers[RETRY_HEADER]?.required).toBe(true);
      }
      if (status === 'default' || (status === '409' && operation.policy.idempotent)) {
        expect(names).toContain(RETRY_HEADER);
      }
      if (status === '401' && operation.policy.auth !== 'none') {
        // A wrong current password is no missing credential, so that answer names no scheme.
        const isAlways =
          !['changePassword', 'provePassword'].includes(operation.policy.operationId) || undefined;
        expect(names).toContain('WWW-Authenticate');
        expect(headers['WWW-Authenticate']?.required).toBe(isAlways);
      }
    }
  });

  it.each(ownErrors.filter(({ policy }) => policy.auth !== 'none'))(
    'every 401 text that $policy.operationId may answer with, and no other',
    (operation) => {
      const texts = UNAUTHORIZED[operation.policy.auth as 'key' | 'jwt'];
      const examples = examplesOf(responseOf(operation, '401')).map((example) => at(example, 'error'));
      expect(examples).toEqual(expect.arrayContaining(Object.values(texts)));
      const ofTheOther = Object.values(UNAUTHORIZED[operation.policy.auth === 'key' ? 'jwt' : 'key']);
      expect(examples.filter((text) => ofTheOther.includes(text as never))).toEqual([]);
    },
  );

  it.each(ownErrors)(
    'each text of the reference on $policy.operationId where it has the status',
    (operation) => {
      for (const [status, texts] of Object.entries(ERRORS)) {
        const response = responseOf(operation, status);
        const examples = examplesOf(response).map((example) => at(example, 'error'));
        // A model's provider has 404 texts of its own.
        if (response.description !== undefined && operation.policy.model === null) {
          expect([status, examples]).toEqual([status, expect.arrayContaining([...texts])]);
        }
      }
    },
  );

  it('that a wrong password is an invalid credential', () => {
    const examples = examplesOf(responseOf(operationOf('login'), '401'));
    expect(examples.map((example) => at(example, 'error'))).toEqual(['Invalid credentials']);
  });
});

describe('the names of the document', () => {
  it('shadow no global of JavaScript or of the DOM', () => {
    const library = dirname(require.resolve('typescript'));
    const declarations = [
      'dom',
      'es5',
      'es2015.promise',
      'es2015.collection',
      'es2015.proxy',
      'es2020.bigint',
    ]
      .map((name) => readFileSync(join(library, `lib.${name}.d.ts`), 'utf8'))
      .join('\n');
    const globals = new Set(
      [...declarations.matchAll(/^(?:declare var|declare function|interface|type) (\w+)/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(globals.has('Error') && globals.has('Response')).toBe(true);
    expect(Object.keys(schemas).filter((name) => globals.has(name))).toEqual([]);
  });

  it('are those of the service', () => {
    const title = at(published, 'info', 'title') as string;
    expect(title.toLowerCase().replaceAll(' ', '-')).toBe(packageName);
    expect(readFileSync(join(__dirname, '../../README.md'), 'utf8').split('\n')[0]).toBe(`# ${title}`);
  });

  it('are those of operations where a text names one', () => {
    const operationIds = new Set(operations.map(({ policy }) => policy.operationId));
    const named = operations.flatMap(({ definition }) =>
      [...(definition.description as string).matchAll(/`([a-z]+(?:[A-Z][a-z]+)+)`/g)].map(
        ([, name = '']) => name,
      ),
    );
    expect(named.length).toBeGreaterThan(0);
    // Keywords of JSON Schema look alike.
    const keywords = ['patternProperties', 'uniqueItems'];
    expect(named.filter((name) => !operationIds.has(name) && !keywords.includes(name))).toEqual([]);
  });

  it('name no licence, as SPDX knows none for it', () => {
    expect(at(published, 'info', 'license')).toBeUndefined();
  });
});

describe('the properties of the document', () => {
  it('are described, by themselves or by the schema that they refer to', () => {
    const undescribed = Object.entries(schemas).flatMap(([schema, definition]) =>
      Object.entries((at(definition, 'properties') ?? {}) as JsonObject)
        .filter(([, property]) => !isDescribed(property))
        .map(([property]) => `${schema}.${property}`),
    );
    expect(undescribed).toEqual([]);
  });
});

describe('the document can be read in Swagger UI: it tells', () => {
  it.each(operations)('the price and the rate class of $policy.operationId', ({ policy, definition }) => {
    const description = definition.description as string;
    const { title, multiplier } = RATE_CLASSES[policy.rate];
    expect(description).toContain(
      `**Rate:** ${title}, ${multiplier === null ? 'no limit' : `${multiplier} ×`}`,
    );
    const price = at(published, 'x-prices', policy.price ?? '');
    const paid = [at(price, 'title'), at(price, 'base'), at(price, 'per_token')].filter(
      (part) => part !== undefined,
    );
    for (const part of policy.price === null ? ['**Price:** free'] : ['**Price:**', ...paid]) {
      expect(description).toContain(part);
    }
    expect(description.includes('**Role:** admin')).toBe(policy.role === 'admin');
  });

  it('the prices that docs/prices.md shows', () => {
    const page = readFileSync(join(__dirname, '../../docs/prices.md'), 'utf8');
    const prices = Object.entries(at(published, 'x-prices') as Record<string, Record<string, string>>);
    const rows = prices.map(([name, { title, base, per_token, counts }]) => {
      const counted = counts === 'input' ? 'input' : '(input + output)';
      const tokens = per_token === undefined ? '' : ` + ${per_token} × ${counted} tokens`;
      return `| \`${name}\` | ${title} | ${base}${tokens} |`;
    });
    expect(page.split('\n').filter((line) => line.startsWith('| `'))).toEqual(rows);
  });

  it('the prices of the reference', () => {
    for (const [name, [title, base, perToken]] of Object.entries(PRICES)) {
      expect(at(published, 'x-prices', name)).toMatchObject({
        title,
        base,
        ...(perToken && { per_token: perToken }),
      });
    }
  });
});

describe('streams and parts have named schemas', () => {
  const eventsOf = ({ definition, policy }: (typeof operations)[number]) =>
    at(definition, 'responses', String(policy.status), 'content', 'text/event-stream');
  const streamed = operations.filter((operation) => eventsOf(operation));

  it.each([
    ['createChatCompletion', ['ChatCompletionChunk', 'StreamError']],
    ['createCompletion', ['TextCompletionChunk', 'StreamError']],
    ['chatWithAgent', ['ChatCompletionChunk', 'StreamError']],
    ['generateWithRag', ['RagStartEvent', 'RagDeltaEvent', 'RagDoneEvent', 'StreamError']],
    ['generateStory', ['StoryDeltaEvent', 'StoryDoneEvent', 'StreamError']],
  ])('of the data of the events of %s', (operationId, names) => {
    const schema = at(eventsOf(operationOf(operationId)), 'schema');
    expect(alternatives(schema).map(nameOf)).toEqual(names);
  });

  it.each([
    ['createResponse', 18],
    ['createMessage', 8],
  ] as const)('of every event of %s, told apart by its type', (operationId, kinds) => {
    const { definition } = operationOf(operationId);
    const schema = at(definition, 'responses', '200', 'content', 'text/event-stream', 'schema');
    expectDiscriminated(schema, 'type');
    expect(alternatives(schema)).toHaveLength(kinds);
  });

  it.each(['ChatContentPart', 'ResponseContentPart'])(
    'of every known kind of %s, told apart by its type',
    (name) => {
      const [known, other] = alternatives({ $ref: `#/components/schemas/${name}` });
      expectDiscriminated(known, 'type');
      expect(nameOf(other)).toBe('OtherContentPart');
    },
  );

  it('and are the only streams', () => {
    const ofModels = ['createChatCompletion', 'createCompletion', 'createMessage', 'createResponse'];
    const names = [...ofModels, 'chatWithAgent', 'generateWithRag', 'generateStory', 'watchPayments'];
    expect(streamed.map(({ policy }) => policy.operationId).sort()).toEqual(names.sort());
  });
});

describe('the examples of requests', () => {
  it('do not age: no time in them ever passes', () => {
    const texts = operations
      .map(({ definition }) => (definition.requestBody ?? {}) as JsonObject)
      .flatMap((body) => examplesOf(body))
      .flatMap(timesIn);
    expect(texts.filter((time) => new Date(time).getTime() < AGED_FROM)).toEqual([]);
  });
});

function alternatives(schema: Json | undefined): Json[] {
  const named = nameOf(schema);
  const target = named === null ? schema : schemas[named];
  return (at(target, 'oneOf') ?? at(target, 'anyOf') ?? []) as Json[];
}

/** Every alternative is named, says its own value of the discriminating member, and the mapping says the same. */
function expectDiscriminated(schema: Json | undefined, member: string): void {
  const target = schemas[nameOf(schema) ?? ''];
  expect(at(target, 'discriminator', 'propertyName')).toBe(member);
  const said = alternatives(schema).flatMap((alternative) => {
    const values = at(schemas[nameOf(alternative) ?? ''], 'properties', member, 'enum') as string[];
    return values.map((value) => [value, at(alternative, '$ref')]);
  });
  expect(Object.fromEntries(said)).toEqual(at(target, 'discriminator', 'mapping'));
}

function isDescribed(schema: Json | undefined): boolean {
  if (typeof at(schema, 'description') === 'string') {
    return true;
  }
  const named = nameOf(schema);
  const parts = ['allOf', 'anyOf', 'oneOf'].flatMap((keyword) => (at(schema, keyword) ?? []) as Json[]);
  return named === null ? parts.some(isDescribed) : isDescribed(schemas[named]);
}

function nameOf(schema: Json | undefined): string | null {
  const ref = at(schema, '$ref');
  return typeof ref === 'string' ? ref.replace('#/components/schemas/', '') : null;
}

function timesIn(example: Json): string[] {
  if (typeof example === 'string') {
    return /^\d{4}-\d\d-\d\d/.test(example) ? [example] : [];
  }
  // What is asked for since a time is past by its nature.
  const members = typeof example === 'object' && example !== null ? Object.entries(example) : [];
  return members.filter(([name]) => name !== 'since').flatMap(([, member]) => timesIn(member));
}
