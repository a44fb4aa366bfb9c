import { keptText } from './delivery-attempts.repository';

describe('the text that is kept of an answer', () => {
  it.each([
    ['all of a short one', Buffer.from('ok'), 'ok'],
    ['no character whose end is cut off', Buffer.from('1234567é'), '1234567'],
    ['U+FFFD for NUL', Buffer.from('a\0b'), 'a\uFFFDb'],
    ['not more bytes than allowed where invalid ones grow', Buffer.alloc(8, 0xff), '\uFFFD\uFFFD'],
    ['nothing of nothing', Buffer.alloc(0), ''],
    ['no half of a pair', Buffer.from('12345😀'), '12345'],
  ])('is %s', (_, bytes, text) => {
    expect(keptText(bytes, 8)).toBe(text);
  });
});
