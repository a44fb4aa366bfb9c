import { Client } from 'pg';
import { timedId } from './timed-id';

const MOMENTS = ['1970-01-01T00:00:00.000Z', '2026-02-28T23:59:59.999Z', '2026-03-01T00:00:00.001Z'];

describe('timedId', () => {
  const client = new Client({ connectionString: process.env.TEST_POSTGRES_URL });

  beforeAll(() => client.connect());
  afterAll(() => client.end());

  it('makes UUIDs of version 7 that carry the moment and sort by it', async () => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT ${timedId('moment')} AS id FROM unnest($1::timestamptz[]) AS moment`,
      [MOMENTS],
    );
    const ids = rows.map(({ id }) => id);
    expect(ids.map((id) => new Date(parseInt(id.replace('-', '').slice(0, 12), 16)).toISOString())).toEqual(
      MOMENTS,
    );
    expect(
      ids.every((id) => /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(id)),
    ).toBe(true);
    expect([...ids].sort()).toEqual(ids);
  });

  it('makes another id of the same moment each time', async () => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT ${timedId("'2026-01-01'::timestamptz")} AS id FROM generate_series(1, 100)`,
    );
    expect(new Set(rows.map(({ id }) => id)).size).toBe(100);
  });
});
