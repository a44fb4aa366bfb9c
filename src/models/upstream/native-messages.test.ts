import type { UpstreamSettings } from '../../config/upstream-settings';
import { asSigned, forMessages } from './upstream-provider';

const SETTINGS = { name: 'u', apiKey: 'k' } as UpstreamSettings;
const BETAS = 'context-1m-2025-08-07,  a-2025-01-01,fast-mode-2026-02-01,';

describe('what an upstream sees that speaks messages', () => {
  it.each([
    ['x-api-key', { 'x-api-key': 'k', authorization: null }],
    ['bearer', {}],
  ] as const)('is the key as %s, and a version where the caller names none', (messagesKey, key) => {
    expect(forMessages({ ...SETTINGS, messagesKey }, {}).sentHeaders).toEqual({
      'anthropic-version': '2023-06-01',
      'anthropic-beta': null,
      ...key,
    });
  });

  it.each([
    [new Map<string, string>(), 'a-2025-01-01'],
    [new Map([['anthropic-beta', '0']]), 'context-1m-2025-08-07,a-2025-01-01,fast-mode-2026-02-01'],
  ])('is no beta that costs more, unless it is priced', (passFields, passed) => {
    const options = forMessages({ ...SETTINGS, passFields }, { headers: { 'anthropic-beta': BETAS } });
    expect(options.sentHeaders?.['anthropic-beta']).toBe(passed);
  });

  it('is no thought without a signature', () => {
    const signed = { type: 'thinking', thinking: 'a', signature: 's' };
    const content = [signed, { type: 'thinking', thinking: 'b', signature: '' }];
    const messages = [
      { role: 'assistant' as const, content },
      { role: 'user' as const, content: 'x' },
    ];
    expect(asSigned({ model: 'm', max_tokens: 1, messages }).messages).toEqual([
      { role: 'assistant', content: [signed] },
      { role: 'user', content: 'x' },
    ]);
  });
});
