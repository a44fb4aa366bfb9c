import type { TestPostgresGlobal } from './global-setup';

/** Stops the Postgres of the run and removes its files. */
export default async function globalTeardown(): Promise<void> {
  await (globalThis as TestPostgresGlobal).stopTestPostgres?.();
}
