import { at, type Json, type JsonObject, resolveComponent } from '../../scripts/generate/json';
import { callAs } from '../support/api/call-as';
import {
  operations,
  published,
  type PublishedOperation,
  responseOf,
} from '../support/api/published-document';
import { type OperationId, TestService } from '../support/api/service';
import { storeDelivery, storeWebhook } from '../support/api/store-webhook';
import { World } from '../support/api/world';
import { openPayment } from '../support/payments/open-payment';

/** What each entry of a list knows of times beside its own: no field to sort by. */
const OF_OTHERS = new Set(['price_sources', 'transfers', 'attempts', 'review', 'limits']);

const lists = operations.filter(({ definition }) => sortsOf(definition).length > 0);
const MINUTE_MS = 60_000;

describe('lists', () => {
  let service: TestService;
  let world: World;
  let webhookId: string;
  beforeAll(async () => {
    service = await TestService.start();
    world = await World.create(service);
    webhookId = await storeWebhook(world);
    await storeWebhook(world);
    const now = service.clock.now().getTime();
    for (const [ahead, stage, status] of [
      [3, 'over', 'failed'],
      [1, 'later', 'failed'],
      [2, 'later', 'pending'],
    ] as const) {
      const nextAttemptAt = stage === 'over' ? null : new Date(now + ahead * MINUTE_MS);
      const abandonedAt = stage === 'over' ? new Date(now + ahead * MINUTE_MS) : null;
      const failedAt = status === 'failed' ? new Date(now + ahead * MINUTE_MS) : null;
      const createdAt = new Date(now - ahead * MINUTE_MS);
      await storeDelivery(world, {
        webhookId,
        stage,
        status,
        nextAttemptAt,
        abandonedAt,
        failedAt,
        createdAt,
      });
    }
    for (const column of ['detected_at', 'confirmed_at']) {
      const { id } = await openPayment(world, { usd: '20' });
      await service.database.query(`UPDATE payments SET ${column} = now() WHERE id = $1`, [id]);
      service.clock.advance(MINUTE_MS);
    }
    await openPayment(world, { usd: '30' });
  });
  afterAll(async () => service.stop());

  it.each(lists)('sort by every time that an entry of theirs has: $policy.operationId', (list) => {
    expect(timesOf(list).filter((name) => !sortsOf(list.definition).includes(name))).toEqual([]);
  });

  it.each(lists)(
    'are in the order that is asked for, what has no value last: $policy.operationId',
    async (list) => {
      const operationId = list.policy.operationId as OperationId;
      for (const sort of sortsOf(list.definition)) {
        for (const order of ['asc', 'desc']) {
          const asked = { sort, order, ...(operationId === 'search' && { query: 'anything' }) };
          const isGet = list.policy.method === 'GET';
          const answer = await callAs(operationId, world, {
            ...(isGet ? { query: asked } : { body: asked }),
            ...(list.policy.path.includes(':webhook_id') && { params: { webhook_id: webhookId } }),
          });
          expect([sort, order, answer.status]).toEqual([sort, order, 200]);
          const times = entriesOf(answer.body).map((entry) => valueOf(entry, sort));
          const told = times.filter((time) => typeof time === 'string');
          if (timesOf(list).includes(sort)) {
            expect(times).toEqual([
              ...(order === 'asc' ? told.toSorted() : told.toSorted().toReversed()),
              ...times.slice(told.length).map(() => null),
            ]);
          }
        }
      }
    },
  );
});

/** By what a list can be sorted: a parameter, or a field of a body that is no other operation's. */
function sortsOf(definition: JsonObject): string[] {
  const parameters = ((definition.parameters ?? []) as Json[]).map((each) =>
    resolveComponent(published, each),
  );
  const parameter = parameters.find(({ name }) => name === 'sort');
  const schema = at(definition, 'requestBody', 'content', 'application/json', 'schema');
  const body =
    schema === undefined ? undefined : at(resolveComponent(published, schema), 'properties', 'sort');
  return ((at(parameter, 'schema', 'enum') ?? at(body, 'enum') ?? []) as Json[])
    .filter((name) => name !== null)
    .map(String);
}

/** The names of the times of an entry, also of the record that it wraps. */
function timesOf(list: PublishedOperation): string[] {
  const schema = at(responseOf(list, '200'), 'content', 'application/json', 'schema');
  const whole = resolveComponent(published, schema);
  const data =
    at(whole, 'properties', 'data') === undefined ? whole : resolved(at(whole, 'properties', 'data'));
  const array = [data, ...Object.values((data.properties ?? {}) as JsonObject)].map(resolved);
  const entry = resolved(at(array.find(({ type }) => type === 'array') ?? null, 'items'));
  return [...new Set(timesIn(entry))];
}

function timesIn(schema: JsonObject): string[] {
  return Object.entries((schema.properties ?? {}) as JsonObject).flatMap(([name, property]) => {
    const { format, ...inner } = resolved(property);
    const isWrapped = inner.type === 'object' && !OF_OTHERS.has(name);
    return format === 'date-time' ? [name] : isWrapped ? timesIn(inner) : [];
  });
}

function resolved(schema: Json | undefined): JsonObject {
  return resolveComponent(published, schema ?? null);
}

function entriesOf(body: unknown): JsonObject[] {
  const { data = body } = body as { data?: unknown };
  const list = Array.isArray(data) ? data : Object.values(data as object).find(Array.isArray);
  return list as JsonObject[];
}

function valueOf(entry: JsonObject, name: string): Json | undefined {
  const inner = Object.values(entry).filter((value) => typeof value === 'object' && value !== null);
  return name in entry ? entry[name] : inner.map((one) => at(one, name)).find((value) => value !== undefined);
}
