import { prices } from '../../generated/contract';
import { at, type Json, type JsonObject } from '../../scripts/generate/json';
import { Ledger } from '../../src/ledger/ledger';
import { parseUsd } from '../../src/ledger/money';
import { newId } from '../../src/runtime/ids';
import { callAs } from '../support/api/call-as';
import { FOR_MODELS_ALONE } from '../support/api/operation-kinds';
import {
  examplesOf,
  operationOf,
  operations,
  type PublishedOperation,
} from '../support/api/published-document';
import { TestService, type ApiAnswer, type ApiRequest, type OperationId } from '../support/api/service';
import { storyOf } from '../support/api/store-story';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';

const TAGS = [
  'rag',
  'search',
  'tasks',
  'stories',
  'system',
  'legal',
  'professional',
  'advanced',
  'scholar',
  'creative',
  'docs',
  'omm',
];
const hub = operations.filter(({ policy }) => TAGS.includes(policy.tag));
/** A batch costs what its items cost, each by its own price; its own test adds them up. */
const priced = hub.filter(
  ({ policy: { operationId } }) => operationId !== 'runOmmBatch' && !FOR_MODELS_ALONE.has(operationId),
);
/** What Swagger UI fills in for the operations of other groups; a form it fills in from its schema. */
const elsewhere = operations.filter(
  (operation) => !TAGS.includes(operation.policy.tag) && exampleBody(operation) !== undefined,
);
/** Found to be as documented too: the one needs a browser, the other a link that was sent. */
const REFUSED = new Map([
  ['startSession', 403],
  ['resetPassword', 422],
]);
const forModels = hub.filter(({ policy: { operationId } }) => FOR_MODELS_ALONE.has(operationId));

let service: TestService;
let world: World;

beforeAll(async () => {
  service = await TestService.start();
});
beforeEach(async () => {
  world = await World.create(service);
});
afterEach(async () => {
  jest.restoreAllMocks();
  expect(await ledgerFaults(service.database)).toEqual([]);
});
afterAll(async () => service.stop());

it.each(TAGS)('the document has operations of %s', (tag) => {
  expect(hub.filter(({ policy }) => policy.tag === tag)).not.toEqual([]);
});

describe('the documented example, answered by the embedded engine and charged its price', () => {
  it.each(priced)('$policy.operationId', async (operation) => {
    const params = await paramsOf(operation);
    const before = await world.balanceNanoUsd();
    const reserved = watchedReservations();
    const answer = await call(operation, { params, body: exampleBody(operation) });
    expect([answer.status, answer.text]).toEqual([operation.policy.status, answer.text]);
    const charged = before - (await world.balanceNanoUsd());
    expect(charged).toBe(priceNanoUsd(operation, Number(answer.headers['x-tokens-used'] ?? 0)));
    expect(charged).toBeLessThanOrEqual(reserved());
    expect(at(answer.body, 'metadata', 'cost') ?? Number(charged) / 1e9).toBeCloseTo(
      Number(charged) / 1e9,
      9,
    );
  });
});

describe('the documented example of another group is taken', () => {
  it.each(elsewhere)('$policy.operationId', async (operation) => {
    const { operationId, path, status } = operation.policy;
    if (operationId === 'login') {
      const register = operationOf('register');
      await call(register, { body: exampleBody(register) });
    }
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, newId()]));
    const answer = await call(operation, { params, body: exampleBody(operation) });
    // What an id names is looked for when the body has been found to be as documented.
    const expected =
      names.length > 0 || operationId === 'addCredits' ? 404 : (REFUSED.get(operationId) ?? status);
    expect([answer.status, answer.text]).toEqual([expected, answer.text]);
  });
});

describe('the documented example of what only a model answers, refused without one, free of charge', () => {
  it.each(forModels)('$policy.operationId', async (operation) => {
    const before = await world.balanceNanoUsd();
    const answer = await call(operation, { body: exampleBody(operation) });
    const refusal = { error: 'Model upstream not configured', message: expect.stringContaining('none is') };
    expect(answer).toMatchObject({ status: 503, body: refusal });
    expect(await world.balanceNanoUsd()).toBe(before);
  });
});

function call({ policy }: PublishedOperation, request: ApiRequest): Promise<ApiAnswer> {
  return callAs(policy.operationId as OperationId, world, request);
}

/** The ids of the operation's path: of what the group's own operation that makes such things has made of its example. */
async function paramsOf({ policy }: PublishedOperation): Promise<Record<string, string>> {
  const names = [...policy.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (names.length === 0) {
    return {};
  }
  if (policy.tag === 'stories') {
    // Only a model writes one.
    return { story_id: await storyOf(world) };
  }
  const maker = hub.find(
    ({ policy: { tag, method, path } }) => tag === policy.tag && method === 'POST' && !path.includes(':'),
  );
  if (!maker) {
    throw new Error(`nothing makes what ${policy.operationId} asks for`);
  }
  const made = await call(maker, { body: exampleBody(maker) });
  expect([made.status, made.text]).toEqual([maker.policy.status, made.text]);
  return Object.fromEntries(names.map((name) => [name, idIn(made.body as unknown as Json, name)]));
}

/** The first member of that name, or named `id`, anywhere in what was made. */
function idIn(made: Json, name: string): string {
  const data = at(made, 'data');
  const places = [at(data, name), at(data, 'id'), at(data, 'items', 0, 'id'), at(data, 'ids', 0)];
  const id = places.find((place) => typeof place === 'string');
  if (typeof id !== 'string') {
    throw new Error(`no ${name} in ${JSON.stringify(made)}`);
  }
  return id;
}

function exampleBody({ definition }: PublishedOperation): Json | undefined {
  return definition.requestBody === undefined
    ? undefined
    : examplesOf(definition.requestBody as JsonObject)[0];
}

/** The price of the document, of a call with this many tokens. */
function priceNanoUsd({ policy }: PublishedOperation, tokens: number): bigint {
  if (policy.price === null) {
    return 0n;
  }
  const { base, perToken } = prices[policy.price as keyof typeof prices];
  return parseUsd(base) + parseUsd(perToken ?? '0') * BigInt(tokens);
}

/** Tells what the account has reserved, in all, since this was called. */
function watchedReservations(): () => bigint {
  const reserve = jest.spyOn(service.app.get(Ledger), 'reserve');
  return () => reserve.mock.calls.reduce((sum, [{ amountNanoUsd }]) => sum + amountNanoUsd, 0n);
}
