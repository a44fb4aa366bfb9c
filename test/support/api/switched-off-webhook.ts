import type { World } from './world';

/** Switches a webhook off, by the service where there is a reason and by its owner where there is none. */
export async function switchOff({ service }: World, id: string, reason: string | null): Promise<string> {
  await service.database.query(
    `UPDATE webhooks SET is_active = false, disabled_reason = $2, failing_since = $3 WHERE id = $1`,
    [id, reason, reason && service.clock.now()],
  );
  return id;
}
