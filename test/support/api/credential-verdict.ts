import type { World } from './world';

/** What becomes of a free call made with a secret: `accepted`, or the error that refuses it. */
export async function keyVerdict(world: World, secret: string, service = world.service): Promise<string> {
  const answer = await service.call('listModels', { credential: secret, ip: world.ip });
  return answer.status === 200 ? 'accepted' : answer.body.error;
}

/** What becomes of a call made with an account token: `accepted`, or the error that refuses it. */
export async function tokenVerdict(world: World, token: string, service = world.service): Promise<string> {
  const answer = await service.call('getCurrentUser', { credential: token, ip: world.ip });
  return answer.status === 200 ? 'accepted' : answer.body.error;
}
