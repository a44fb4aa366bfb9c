import { at, resolveComponent, type Json, type JsonObject } from '../../scripts/generate/json';
import { isForOthersClients } from '../../src/contract/operation';
import { newId } from '../../src/runtime/ids';
import { callAs } from '../support/api/call-as';
import {
  examplesOf,
  operations,
  published,
  type PublishedOperation,
} from '../support/api/published-document';
import { TestService, type ApiRequest, type OperationId } from '../support/api/service';
import { storeWebhook } from '../support/api/store-webhook';
import { World } from '../support/api/world';
import { ledgerFaults } from '../support/ledger/ledger-faults';
import { faultyValues } from './faulty-values';

/** Others' clients send what their vendors' APIs take; test/api/v1 has what is refused of it. */
const own = operations.filter(({ policy }) => !isForOthersClients(policy));
const withBody = own.filter(({ definition }) => bodySchema(definition) !== undefined);
const withQuery = own.filter((operation) => queryParameters(operation).length > 0);
const withPeriod = own.filter((operation) =>
  queryParameters(operation).some(({ name }) => name === 'end_date'),
);

let service: TestService;
let world: World;
let webhookId: string;

beforeAll(async () => {
  service = await TestService.start();
  world = await World.create(service);
  webhookId = await storeWebhook(world);
});
// So that no call without a credential is one too many of a minute.
beforeEach(() => service.clock.advance(60_000));
afterAll(async () => {
  expect(await ledgerFaults(service.database)).toEqual([]);
  await service.stop();
});

describe('a body with one fault is refused before anything else is looked at, free of charge', () => {
  it.each(withBody)('$policy.operationId', async (operation) => {
    // How much a field holds in all is judged where it is stored, which is after what the ids name was found.
    const faulty = faultyValues(bodySchema(operation.definition), exampleBody(operation)).filter(
      ({ fault }) => !operation.policy.path.includes(':') || !/too many (?:bytes|values)$/.test(fault),
    );
    expect(faulty.length).toBeGreaterThan(0);
    await expectRefused(operation, [
      ['a list', { body: [exampleBody(operation)] }],
      ...faulty.map(({ fault, value }): [string, ApiRequest] => [fault, { body: value }]),
    ]);
  });
});

describe('a query with one fault is refused before anything else is looked at, free of charge', () => {
  it.each(withQuery)('$policy.operationId', async (operation) => {
    const faulty = queryParameters(operation).flatMap(({ name, schema }) =>
      // In a query everything is a text, and an empty text may be none.
      faultyValues(schema, undefined, name)
        .filter(({ value }) => value !== '' && value !== 7)
        .map(({ fault, value }): [string, ApiRequest] => [fault, { query: { [name]: value } }]),
    );
    expect(faulty.length).toBeGreaterThan(0);
    await expectRefused(operation, faulty);
  });
});

describe('a period that would end before it starts is refused', () => {
  it.each(withPeriod)('$policy.operationId', async ({ policy }) => {
    const params = { key_id: world.owner.keyId, webhook_id: webhookId };
    const query = { start_date: '2026-01-13', end_date: '2026-01-11' };
    const answer = await callAs(policy.operationId as OperationId, world, { params, query });
    expect([answer.status, answer.body.error]).toEqual([422, 'Unprocessable']);
  });
});

async function expectRefused(
  { policy }: PublishedOperation,
  requests: readonly [fault: string, request: ApiRequest][],
): Promise<void> {
  const names = [...policy.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  const params = Object.fromEntries(names.map((name) => [name, newId()]));
  const before = await world.balanceNanoUsd();
  const taken: string[] = [];
  for (const [fault, request] of requests) {
    const answer = await callAs(policy.operationId as OperationId, world, { params, ...request });
    if (answer.status !== 400) {
      taken.push(`${fault}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  }
  expect(taken).toEqual([]);
  expect(await world.balanceNanoUsd()).toBe(before);
}

function bodySchema(definition: JsonObject): Json | undefined {
  return at(definition, 'requestBody', 'content', 'application/json', 'schema');
}

function exampleBody({ definition }: PublishedOperation): Json | undefined {
  return examplesOf(definition.requestBody as JsonObject)[0];
}

function queryParameters({ definition }: PublishedOperation): { name: string; schema: Json }[] {
  return ((definition.parameters ?? []) as JsonObject[])
    .map((one) => resolveComponent(published, one))
    .filter((one) => one.in === 'query')
    .map(({ name, schema }) => ({ name: name as string, schema: schema ?? null }));
}
