import fc from 'fast-check';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { callAs } from '../support/api/call-as';
import { TestService, type OperationId } from '../support/api/service';
import { World } from '../support/api/world';

const QUESTION = 'The sky is blue. What is blue?';
const MESSAGES = [{ role: 'user', content: QUESTION }];

/** A request that succeeds, and the fields that are given anything instead. */
const OPERATIONS: [OperationId, object, string[]][] = [
  [
    'createChatCompletion',
    { model: 'm', messages: MESSAGES, max_tokens: 20 },
    [
      'model',
      'messages',
      'max_tokens',
      'max_completion_tokens',
      'n',
      'stop',
      'tools',
      'modalities',
      'vendor',
    ],
  ],
  [
    'createCompletion',
    { model: 'm', prompt: QUESTION, max_tokens: 20 },
    ['model', 'prompt', 'max_tokens', 'max_completion_tokens', 'n', 'best_of', 'stop', 'suffix', 'vendor'],
  ],
  [
    'createEmbedding',
    { model: 'm', input: 'x' },
    ['model', 'input', 'encoding_format', 'dimensions', 'n', 'user'],
  ],
  ['createMemory', { key: 'k', value: 'v' }, ['key', 'value', 'metadata', 'namespace', 'ttl_seconds']],
  ['createMemoryBatch', { items: [{ key: 'k', value: 'v' }] }, ['items']],
  ['queryMemories', {}, ['namespace', 'keys', 'key_prefix', 'metadata', 'limit', 'offset', 'order']],
  ['searchMemories', { query: 'v' }, ['query', 'namespace', 'metadata', 'limit']],
];

const text = fc.string({ unit: 'binary', maxLength: 60 });
const part = fc.record(
  { type: fc.constantFrom('text', 'image_url', 'refusal'), text },
  { requiredKeys: ['type'] },
);
const message = fc.record(
  {
    role: fc.constantFrom('system', 'developer', 'user', 'assistant', 'tool', 'function'),
    content: fc.oneof(text, fc.constant(null), fc.array(part, { minLength: 1, maxLength: 3 })),
    name: text,
    tool_calls: fc.array(fc.jsonValue(), { maxLength: 2 }),
  },
  { requiredKeys: ['role'] },
);
const anything = fc.oneof(
  text,
  fc.integer({ min: -1, max: 5 }),
  fc.double(),
  fc.jsonValue(),
  fc.array(text, { minLength: 1, maxLength: 4 }),
  fc.array(message, { minLength: 1, maxLength: 5 }),
);

describe('a paid call with anything in its body', () => {
  let service: TestService;
  let world: World;
  beforeAll(async () => {
    service = await TestService.start();
    world = await World.create(service);
  });
  afterAll(async () => service.stop());

  it.each(OPERATIONS)(
    '%s answers or refuses it, and the books are right',
    async (operationId, valid, fields) => {
      const changes = fc.dictionary(fc.constantFrom(...fields), anything, { maxKeys: 2 });
      await fc.assert(
        fc.asyncProperty(changes, async (changed) => {
          const answer = await callAs(operationId, world, { body: { ...valid, ...changed } });
          expect([200, 201, 400, 402]).toContain(answer.status);
          expect(answer.headers['x-request-cost'] !== undefined).toBe(answer.status < 300);
        }),
        { numRuns: 50 },
      );
      expect(await ledgerFaults(service.database)).toEqual([]);
    },
  );
});
