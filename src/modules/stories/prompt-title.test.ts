import { titleOfPrompt } from './stories';

describe('titleOfPrompt', () => {
  it.each([
    ['A lighthouse keeper finds a letter.', 'A lighthouse keeper finds a letter'],
    ['\n## One two three four five six seven eight nine ten', 'One two three four five six seven'],
    ['灯台守が手紙を見つける。', '灯台守が手紙を見つける'],
    ['🙂'.repeat(100), 'Untitled'],
    [`a${'🙂'.repeat(100)}`, `a${'🙂'.repeat(59)}`],
    ['x'.repeat(20_000), 'x'.repeat(60)],
    [' \n…', 'Untitled'],
  ])('makes of %j the title %j', (prompt, title) => {
    expect(titleOfPrompt(prompt)).toBe(title);
  });
});
