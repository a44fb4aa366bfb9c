import { UpstreamFailed, UpstreamRefused } from '../../../src/models/errors';
import { newId } from '../../../src/runtime/ids';
import { describeNoModel, describeRace } from '../upstream/answered-operation';
import { scriptModel } from '../upstream/scripted-model';
import { callAs } from './call-as';
import type { DescribeStatus } from './describe-operation';
import type { OperationId } from './service';
import type { World } from './world';
import { toldRefusal } from '../upstream/upstream-refusal';

/** An operation that a model or the embedded engine answers with fields. */
export interface AnsweredOperation {
  readonly operationId: OperationId;
  readonly body: object;
  /** A good answer of a model, where nobody else can give one. */
  readonly told?: object;
  /** An answer of a model that has the form and quotes what the text does not have; null where no answer quotes. */
  readonly invented: object | null;
}

/** What every such operation refuses or does not charge for. */
export function answeredRefusals(status: DescribeStatus, operation: AnsweredOperation): void {
  const { operationId, body, invented } = operation;
  describeRace(status, operation);
  if (operation.told) {
    describeNoModel(status, operation);
  }

  for (const refusal of [404, 413, 422]) {
    status(refusal, "passes on what the model's provider refuses, free of charge", async (world) => {
      const text = '{"error":{"message":"No.","type":"invalid_request_error","param":null,"code":null}}';
      scriptModel(world, [{ fails: new UpstreamRefused('u', refusal, text) }]);
      const before = await world.balanceNanoUsd();
      const answer = await callAs(operationId, world, { body });
      expect([answer.status, answer.body]).toMatchObject([refusal, toldRefusal(text)]);
      expect(await world.balanceNanoUsd()).toBe(before);
    });
  }

  status(502, 'charges nothing for no JSON, a wrong form or a failed upstream', async (world) => {
    const before = await world.balanceNanoUsd();
    for (const broken of [
      { content: 'An answer without JSON.' },
      { content: '{"no": "such form"}' },
      { fails: new UpstreamFailed('u', 'fell') },
    ]) {
      scriptModel(world, [broken]);
      expect((await callAs(operationId, world, { body })).status).toBe(502);
    }
    expect(await world.balanceNanoUsd()).toBe(before);
  });

  if (invented !== null) {
    status(200, 'leaves out and counts what a model invents', async (world) => {
      scriptModel(world, [{ content: JSON.stringify(invented) }]);
      const answer = await callAs(operationId, world, { body });
      const { dropped } = (answer.body as unknown as { data: { dropped: number } }).data;
      expect([answer.status, dropped > 0]).toEqual([200, true]);
    });
  }
}

/** What operations that read one text refuse. */
export function sourceRefusals(status: DescribeStatus, { operationId, body }: AnsweredOperation): void {
  const refused: readonly [number, object, unknown][] = [
    [404, { document_id: newId() }, 'No such document.'],
    [422, {}, 'Give either content or document_id.'],
    [422, { ...body, document_id: newId() }, 'Give either content or document_id.'],
    [422, { content: ' … ' }, expect.stringContaining('no letter')],
  ];
  for (const [code, refusedBody, message] of refused) {
    status(
      code,
      `refuses ${Object.keys(refusedBody).join(' and ') || 'no source'}, free of charge`,
      (world) => expectRefused(operationId, world, code, refusedBody, message),
    );
  }
}

export async function expectRefused(
  operationId: OperationId,
  world: World,
  status: number,
  body: object,
  message: unknown,
): Promise<void> {
  const before = await world.balanceNanoUsd();
  expect(await callAs(operationId, world, { body })).toMatchObject({ status, body: { message } });
  expect(await world.balanceNanoUsd()).toBe(before);
}

/** Makes a call and holds its charge to the price: the base and each token that the answer says it used. */
export async function expectCharged<Id extends OperationId>(
  operationId: Id,
  world: World,
  body: object,
  { baseNanoUsd, tokenNanoUsd }: { baseNanoUsd: bigint; tokenNanoUsd: bigint },
) {
  const before = await world.balanceNanoUsd();
  const answer = await callAs(operationId, world, { body });
  expect(answer.status).toBe(200);
  const { usage } = (answer.body as unknown as { data: { usage: { total_tokens: number } } }).data;
  expect(usage.total_tokens).toBeGreaterThan(0);
  expect(before - (await world.balanceNanoUsd())).toBe(
    baseNanoUsd + tokenNanoUsd * BigInt(usage.total_tokens),
  );
  return answer;
}
