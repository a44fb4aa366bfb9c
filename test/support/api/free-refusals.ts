import { callAs } from './call-as';
import type { OperationId } from './service';
import type { World } from './world';

/**
 * Makes a call with each of the bodies, which its name explains; a text is sent as it is. All have to be answered with
 * 400 and details, and the owner's balance has to stay as it is.
 */
export async function expectFreeRefusals(
  operationId: OperationId,
  world: World,
  bodies: Record<string, unknown>,
): Promise<void> {
  const before = await world.balanceNanoUsd();
  const verdicts: Record<string, unknown> = {};
  for (const [name, body] of Object.entries(bodies)) {
    const headers = { 'content-type': 'application/json' };
    const answer = await callAs(operationId, world, { body, headers });
    const isRefused = answer.body.error === 'Validation error' && answer.body.details.length > 0;
    verdicts[name] = isRefused ? answer.status : answer.body;
  }
  expect(verdicts).toEqual(Object.fromEntries(Object.keys(bodies).map((name) => [name, 400])));
  expect(await world.balanceNanoUsd()).toBe(before);
}
