import { cappedRequest } from './capped-request';

const METER = { outputTokensMax: 100, choices: 2 };

describe('cappedRequest', () => {
  it.each([
    ['no cap', { temperature: 1 }, { temperature: 1, max_tokens: 50 }],
    ['null', { max_tokens: null }, { max_tokens: 50 }],
    ['max_tokens', { max_tokens: 60 }, { max_tokens: 50 }],
    ['max_completion_tokens', { max_completion_tokens: 50 }, { max_completion_tokens: 50 }],
    ['both', { max_tokens: 7, max_completion_tokens: 60 }, { max_tokens: 7, max_completion_tokens: 50 }],
  ])('holds each choice to its share of the reservation where the client sent %s', (_, sent, capped) => {
    expect(cappedRequest(sent, METER)).toEqual(capped);
  });
});
