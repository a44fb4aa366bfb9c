import type { JsonObject } from '../runtime/json';
import type { UnpricedRequest } from './errors';
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

describe('a request that makes the provider work beyond its tokens', () => {
  const url = 'https://a.example/a.png';
  const imaged = (fields: object) => ({
    messages: [{ content: [{ type: 'image_url', image_url: { url }, ...fields }] }],
  });
  const compacting = { context_management: { edits: [{ type: 'compact_20260112' }] } };
  const clearing = { context_management: { edits: [{ type: 'clear_tool_uses_20250919' }] } };
  const { model, ...stop } = stopOf('m', {});
  const stops = [{ ...stop, model: { ...model, speaksMessages: true } }] as const;
  const refused = (request: JsonObject, message?: JsonObject): unknown => {
    try {
      pricedRoute({ model, stops }, request, { ...OPTIONS, message });
      return null;
    } catch (error) {
      return (error as UnpricedRequest).options.fields?.details;
    }
  };
  const at = (field: string) => [{ field, message: expect.stringContaining('set no price') }];

  it.each<[string, JsonObject]>([
    ['tools.0', { tools: [{ googleSearch: {} }] }],
    ['tools.0', { tools: [{ type: 'function', googleSearch: {} }] }],
    ['mm_processor_kwargs', { mm_processor_kwargs: { max_pixels: 99_999_999 } }],
    ['media_io_kwargs', { media_io_kwargs: { video: { num_frames: 9_999 } } }],
    ['vl_high_resolution_images', { vl_high_resolution_images: true }],
    ['messages.0.content.0', imaged({ max_pixels: 99_999_999 })],
    ['messages.0.content.0', imaged({ min_pixels: 99_999_999 })],
  ])('is refused where nobody priced %s', (field, request) => {
    expect(refused(request)).toEqual(at(field));
  });

  it('is refused where it has a message compacted, which its use leaves out', () => {
    expect(refused({}, compacting)).toEqual(at('context_management'));
    expect(refused({}, clearing)).toBeNull();
  });

  it('passes with tools that the caller runs, and images of the usual size', () => {
    const tools = [{ function: { name: 'f' } }, { name: 'f' }, { type: 'function', function: { name: 'f' } }];
    expect(refused({ ...imaged({}), tools })).toBeNull();
  });
});

function stopOf(id: string, passFields: Record<string, bigint>): ModelStop {
  const terms = { partTokens: new Map(), passFields: new Map(Object.entries(passFields)) };
  return { model: { id, terms } } as unknown as ModelStop;
}
