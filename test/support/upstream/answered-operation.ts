import { UpstreamFailed, UpstreamRefused } from '../../../src/models/errors';
import { newId } from '../../../src/runtime/ids';
import { callAs } from '../api/call-as';
import type { DescribeStatus } from '../api/describe-operation';
import { type ApiAnswer, type OperationId, policyOf } from '../api/service';
import type { World } from '../api/world';
import { scriptJson, scriptModel, type ScriptedAnswer } from './scripted-model';
import { toldRefusal } from './upstream-refusal';

/** An operation that answers with typed fields, and a body of which it asks a model. */
export interface AnsweredOperation<Id extends OperationId = OperationId> {
  readonly operationId: Id;
  readonly body: object;
  /** A good answer of a model, where nobody else can give one. */
  readonly told?: object;
}

/** What a call must refuse free of charge, whatever model answers: an answer that is none, and what the provider refuses. */
export function describeBrokenModels(status: DescribeStatus, operation: AnsweredOperation): void {
  const refusals = [404, 413, 422];
  for (const refusal of refusals) {
    status(refusal, "passes on what the model's provider refuses, free of charge", async (world) => {
      const body = '{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}';
      scriptModel(world, [{ fails: new UpstreamRefused('u', refusal, body) }]);
      const before = await world.balanceNanoUsd();
      const answer = await callAs(operation.operationId, world, { body: operation.body });
      expect([answer.status, answer.body]).toMatchObject([refusal, toldRefusal(body)]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });
  }
  status(502, 'charges nothing for no JSON, a wrong shape or a failed upstream', async (world) => {
    for (const broken of [
      { content: 'Here it is, without any JSON.' },
      { content: '{"unexpected": 1}' },
      { fails: new UpstreamFailed('u', 'fell') },
    ]) {
      await expectFault(world, operation, broken);
    }
  });
  describeRace(status, operation);
  if (operation.told) {
    describeNoModel(status, operation);
  }
}

/** Two calls of one Idempotency-Key at a time. */
export function describeRace(status: DescribeStatus, { operationId, body, told }: AnsweredOperation): void {
  status(409, 'runs one call of an Idempotency-Key at a time', async (world) => {
    if (told) {
      scriptJson(world, told);
    }
    const headers = { 'idempotency-key': newId() };
    const calls = await Promise.all([1, 2].map(() => callAs(operationId, world, { headers, body })));
    const statuses = calls.map(({ status: each }) => each).sort();
    expect([
      [200, 200],
      [200, 409],
    ]).toContainEqual(statuses);
  });
}

/** What is refused where no model can be asked. */
export function describeNoModel(status: DescribeStatus, operation: AnsweredOperation): void {
  status(
    503,
    'refuses what only a model can write where no upstream is configured, free of charge',
    (world) => expectNoModel(world, operation),
  );
}

export async function expectNoModel(
  world: World,
  { operationId, body }: AnsweredOperation,
  message: unknown = expect.stringContaining('none is configured'),
): Promise<void> {
  const before = await world.balanceNanoUsd();
  const error = 'Model upstream not configured';
  expect(await callAs(operationId, world, { body })).toMatchObject({ status: 503, body: { error, message } });
  expect(await world.balanceNanoUsd()).toBe(before);
}

/** What a call on a text must refuse free of charge: no text, two texts, a text that says nothing, an unknown document. */
export function describeSourceRefusals(
  status: DescribeStatus,
  { operationId, body }: AnsweredOperation,
): void {
  const without = { ...body, content: undefined };
  status(404, 'refuses a document that is not there, free of charge', async (world) => {
    await expectRefused(
      world,
      { operationId, body: { ...without, document_id: newId() } },
      404,
      'No such document.',
    );
  });
  status(422, 'refuses no text, two texts and a text that says nothing, free of charge', async (world) => {
    const either = 'Give either content or document_id.';
    await expectRefused(world, { operationId, body: without }, 422, either);
    await expectRefused(world, { operationId, body: { ...body, document_id: newId() } }, 422, either);
    const nothing = { ...without, content: ' … ' };
    await expectRefused(world, { operationId, body: nothing }, 422, expect.stringContaining('no letter'));
  });
}

/** A call that is refused and costs nothing. */
export async function expectRefused(
  world: World,
  { operationId, body }: AnsweredOperation,
  status: number,
  message: unknown,
): Promise<void> {
  const before = await world.balanceNanoUsd();
  expect(await callAs(operationId, world, { body })).toMatchObject({ status, body: { message } });
  expect(await world.balanceNanoUsd()).toBe(before);
}

/** An answer of a model that is a fault, also after the model was asked to mend it: 502, and nothing is charged. */
export async function expectFault(
  world: World,
  { operationId, body }: AnsweredOperation,
  answer: ScriptedAnswer,
): Promise<void> {
  scriptModel(world, [answer]);
  const before = await world.balanceNanoUsd();
  expect((await callAs(operationId, world, { body })).status).toBe(502);
  expect(await world.balanceNanoUsd()).toBe(before);
}

/** A call that is answered, names its model as its operation declares it, and costs its base and its tokens. */
export async function expectCharged<Id extends OperationId>(
  world: World,
  { operationId, body }: AnsweredOperation<Id>,
  price: { readonly baseNanoUsd: bigint; readonly tokenNanoUsd: bigint },
): Promise<ApiAnswer<Id>> {
  const before = await world.balanceNanoUsd();
  const answer = await callAs(operationId, world, { body });
  expect([answer.status, answer.text]).toEqual([200, answer.text]);
  const { model, usage } = (answer.body as unknown as AnswerWithUse).data;
  expect(answer.headers['x-model-used']).toBe(policyOf(operationId).model === null ? undefined : model);
  expect(before - (await world.balanceNanoUsd())).toBe(
    price.baseNanoUsd + price.tokenNanoUsd * BigInt(usage.total_tokens),
  );
  return answer;
}

interface AnswerWithUse {
  readonly data: { readonly model: string; readonly usage: { readonly total_tokens: number } };
}

/** Base 0.0030 and 0.00002 a token, as for creative services and product docs. */
export const WRITING_PRICE = { baseNanoUsd: 3_000_000n, tokenNanoUsd: 20_000n };
