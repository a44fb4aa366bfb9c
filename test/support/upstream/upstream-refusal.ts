import { callAs } from '../api/call-as';
import { RawUpstream } from './raw-upstream';
import type { OperationId } from '../api/service';
import { ServiceWithUpstreams } from './service-with-upstreams';
import { errorReaction } from './upstream-answers';
import { World } from '../api/world';

const MODEL = 'm';

/** Expects that what a model's provider refuses with a status is refused with it, in its words and free of charge. */
export async function expectPassedOnRefusal(
  operationId: OperationId,
  status: number,
  body: object,
): Promise<void> {
  const upstream = await RawUpstream.start(() => errorReaction(status, 'Not like that.'));
  const entry = { name: 'raw', base_url: upstream.baseUrl, models: [{ id: MODEL }] };
  const { service } = await ServiceWithUpstreams.start([entry]);
  try {
    const world = await World.create(service);
    const before = await world.balanceNanoUsd();
    const answer = await callAs(operationId, world, { body: { ...body, model: MODEL } });
    const message = expect.stringContaining('Not like that.') as string;
    expect([answer.status, answer.body]).toMatchObject([status, { error: 'Upstream refused', message }]);
    expect(upstream.calls).toHaveLength(1);
    expect(await world.balanceNanoUsd()).toBe(before);
  } finally {
    await service.stop();
    await upstream.stop();
  }
}

/** What a refusal becomes outside /v1, given its body: the error body of this service, with what the provider said. */
export function refusalAnswer(body: string): object {
  const { error } = JSON.parse(body) as { error: { message: string } };
  const message = `The model's provider refused the request: ${error.message}`;
  return {
    error: 'Upstream refused',
    message,
    request_id: expect.any(String),
    timestamp: expect.any(String),
  };
}
