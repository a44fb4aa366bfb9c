import { inSnakeCase } from './json';

describe('inSnakeCase', () => {
  it('gives the named properties alone, with times as text', () => {
    const createdAt = new Date('2026-03-01T12:00:00.000Z');
    const row = {
      id: 'a',
      createdAt,
      lastUsedAt: null as Date | null,
      p50Ms: 3,
      metadata: { aB: 1 },
      secret: 's',
    };
    expect(inSnakeCase(row, 'id', 'createdAt', 'lastUsedAt', 'p50Ms', 'metadata')).toEqual({
      id: 'a',
      created_at: '2026-03-01T12:00:00.000Z',
      last_used_at: null,
      p50_ms: 3,
      metadata: { aB: 1 },
    });
  });
});
