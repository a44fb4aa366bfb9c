import { pricedRoute } from './extra-costs';
import type { ModelStop } from './models';

const OPTIONS = { imageTokensMax: 1_000 };

describe('the surcharge of a route', () => {
  it('is the most that any of its stops costs, whichever is asked first', () => {
    const stops = [stopOf('cheap', { service_tier: 0n }), stopOf('dear', { service_tier: 5n })] as const;
    const request = { service_tier: 'priority' };
    for (const [first, other] of [stops, [stops[1], stops[0]]] as const) {
      const { surcharge } = pricedRoute({ model: first.model, stops: [first, other] }, request, OPTIONS);
      expect(surcharge).toEqual({ nanoUsd: 5n, fields: ['service_tier'] });
    }
  });

  it('leaves out the stops that have no price for a field', () => {
    const stops = [stopOf('cheap', { service_tier: 1n }), stopOf('unpriced', {})] as const;
    const route = { model: stops[0].model, stops };
    const priced = pricedRoute(route, { service_tier: 'priority' }, OPTIONS);
    expect(priced.route.stops.map(({ model }) => model.id)).toEqual(['cheap']);
    expect(priced.surcharge?.nanoUsd).toBe(1n);
  });
});

function stopOf(id: string, passFields: Record<string, bigint>): ModelStop {
  const terms = { partTokens: new Map(), passFields: new Map(Object.entries(passFields)) };
  return { model: { id, terms } } as unknown as ModelStop;
}
