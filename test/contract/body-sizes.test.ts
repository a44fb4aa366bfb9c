import { jsonBytesMax } from '../../scripts/generate/body-bytes';
import { at, isObject, resolveComponent, type Json, type JsonObject } from '../../scripts/generate/json';
import { JsonCounts } from '../../src/http/json-text';
import { operations, published } from '../support/api/published-document';

const KIBIBYTE = 1024;
/** A character that a client which writes nothing but ASCII needs twelve bytes for. */
const LONGEST_CHARACTER = '😀';

/** Operations whose fields allow more than anybody may send at once, or anything: the document says how much they take. */
const DECLARED = {
  uploadDocument: 25.125 * KIBIBYTE,
  createMessage: 32 * KIBIBYTE,
  countMessageTokens: 32 * KIBIBYTE,
  ...Object.fromEntries(
    ['processInputs', 'analyzeInputs', 'generateFromInputs', 'transformInput', 'runOmmBatch'].map((id) => [
      id,
      16 * KIBIBYTE,
    ]),
  ),
  ...Object.fromEntries(
    ['createChatCompletion', 'createCompletion', 'createEmbedding', 'createResponse'].map((id) => [
      id,
      32 * KIBIBYTE,
    ]),
  ),
  ...Object.fromEntries(
    [
      ...['submitTask', 'createMemoryBatch', 'indexSearchItems', 'chatWithAgent', 'citeScholar'],
      ...['generateAdvanced', 'processAdvanced'],
    ].map((id) => [id, KIBIBYTE]),
  ),
};

const taking = operations.filter(({ policy }) => policy.bodyBytesMax !== null);

describe('the bytes that the body of an operation may have', () => {
  it('are said by the document where its fields allow more or anything', () => {
    const declared = taking.filter(({ definition }) => definition['x-body-bytes-max'] !== undefined);
    const kibibytes = declared.map(({ policy, definition }) => {
      expect(policy.bodyBytesMax).toBe(definition['x-body-bytes-max']);
      return [policy.operationId, Number(policy.bodyBytesMax) / KIBIBYTE];
    });
    expect(Object.fromEntries(kibibytes)).toEqual(DECLARED);
  });

  it.each(taking.filter(({ policy }) => !(policy.operationId in DECLARED)))(
    'are enough for the largest body of $policy.operationId, as ASCII and laid out',
    ({ policy, definition }) => {
      const schema = at(definition, 'requestBody', 'content', 'application/json', 'schema');
      const written = Buffer.from(asciiOf(JSON.stringify(largestOf(schema), null, 2)));
      expect(written.length).toBeLessThanOrEqual(Number(policy.bodyBytesMax));
      expect(written.length).toBeLessThanOrEqual(jsonBytesMax(published, schema));
      expect(new JsonCounts().take(written)).toBeNull();
    },
  );

  it('are few for strangers', () => {
    const forStrangers = taking.filter(({ policy }) => policy.auth === 'none');
    expect(forStrangers.map(({ policy }) => [policy.operationId, policy.bodyBytesMax])).toEqual([
      ['register', 8 * KIBIBYTE],
      ['login', 8 * KIBIBYTE],
      ['requestPasswordReset', 8 * KIBIBYTE],
      ['resetPassword', 8 * KIBIBYTE],
      ['startSession', 8 * KIBIBYTE],
    ]);
  });
});

/**
 * A value with each field, the longest texts and the fullest lists, which takes as many bytes as any that the schema accepts. It
 * need not be accepted itself: a pattern may want other characters.
 */
function largestOf(schema: Json | undefined): Json {
  const resolved = resolveComponent(published, schema);
  const { enum: choices, const: only, type, properties } = resolved;
  if (only !== undefined || Array.isArray(choices)) {
    return longest(only === undefined ? (choices as Json[]) : [only]);
  }
  const branches = (resolved.oneOf ?? resolved.anyOf) as Json[] | undefined;
  if (branches) {
    return longest(branches.map(largestOf));
  }
  switch ([type].flat()[0]) {
    case 'string':
      return longestText(resolved);
    case 'array':
      return Array.from({ length: Number(resolved.maxItems) }, () => largestOf(resolved.items));
    case 'object':
      return isObject(properties)
        ? Object.fromEntries(Object.entries(properties).map(([name, part]) => [name, largestOf(part)]))
        : { anything: 'é'.repeat(Number(resolved['x-json-bytes-max']) / 2 - 20) };
    case 'boolean':
      return false;
    default:
      return Number(resolved.maximum ?? Number.MIN_SAFE_INTEGER);
  }
}

/** The longest texts of formats that say no length themselves. */
const TEXTS: Record<string, string> = {
  date: '2026-11-21',
  'date-or-date-time': '2026-11-21T09:30:00.123456789+14:00',
  'date-time': '2026-11-21T09:30:00.123456789+14:00',
  email: `${LONGEST_CHARACTER.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(61)}`,
  'time-zone': 'America/Argentina/ComodRivadavia',
  uuid: '0192f0c1-7c1e-7b6a-9a53-0d4f6f0f8f11',
};

function longestText({ format, maxLength }: JsonObject): string {
  return maxLength === undefined
    ? (TEXTS[format as string] as string)
    : LONGEST_CHARACTER.repeat(Number(maxLength));
}

function longest(values: readonly Json[]): Json {
  return values.reduce((most, value) =>
    JSON.stringify(value).length > JSON.stringify(most).length ? value : most,
  );
}

function asciiOf(json: string): string {
  return json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
