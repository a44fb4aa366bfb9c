import { callAs } from '../api/call-as';
import type { DescribeStatus } from '../api/describe-operation';
import { type ApiAnswer, type OperationId, policyOf } from '../api/service';
import type { World } from '../api/world';
import { scriptModel, type ScriptedAnswer } from './scripted-model';

/** An operation that answers with typed fields, and a body of which it asks a model. */
export interface AnsweredOperation<Id extends OperationId = OperationId> {
  readonly operationId: Id;
  readonly body: object;
}

/** A text that a model quotes and that is not there. */
export function describeInvention(
  status: DescribeStatus,
  { operationId, body, invented }: AnsweredOperation & { readonly invented: object },
): void {
  status(200, 'leaves out and counts what a model invents', async (world) => {
    scriptModel(world, [{ content: JSON.stringify(invented) }]);
    const answer = await callAs(operationId, world, { body });
    const { dropped } = (answer.body as unknown as { data: { dropped: number } }).data;
    expect([answer.status, dropped > 0]).toEqual([200, true]);
  });
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
