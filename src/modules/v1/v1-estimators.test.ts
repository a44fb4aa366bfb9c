import { cappedRequest } from './v1-estimators';

const DEFAULT = 50;

describe('cappedRequest', () => {
  it.each<[string, { max_tokens?: number | null; max_completion_tokens?: number | null }, object]>([
    ['no cap', {}, { max_tokens: 50 }],
    ['null', { max_tokens: null }, { max_tokens: 50 }],
    ['max_tokens', { max_tokens: 60 }, { max_tokens: 60 }],
    ['max_completion_tokens', { max_completion_tokens: 60 }, { max_completion_tokens: 60 }],
    ['both', { max_tokens: 7, max_completion_tokens: 60 }, { max_tokens: 7, max_completion_tokens: 60 }],
    ['both', { max_tokens: 90, max_completion_tokens: 3 }, { max_tokens: 3, max_completion_tokens: 3 }],
  ])('holds each choice to what was reserved for it where the client sent %s', (_, sent, capped) => {
    expect(cappedRequest({ ...sent, temperature: 1 }, DEFAULT)).toEqual({ ...capped, temperature: 1 });
  });
});
