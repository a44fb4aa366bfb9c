import { StoryReader } from './stories';

function read(answer: string, pieceLength: number): [title: string | null, text: string] {
  const reader = new StoryReader();
  let text = '';
  for (let start = 0; start < answer.length; start += pieceLength) {
    text += reader.push(answer.slice(start, start + pieceLength));
  }
  text += reader.end();
  return [reader.title, text];
}

describe('StoryReader', () => {
  it.each([
    ['The Letter\n\nMara read it.', 'The Letter', 'Mara read it.'],
    ['\n# The Letter\nMara read it.', 'The Letter', 'Mara read it.'],
    ['**"The Letter"**\r\n\r\nMara.', 'The Letter', 'Mara.'],
    ['Title: *The Letter*\n\nMara.\n', 'The Letter', 'Mara.\n'],
    ['## Titel: „Der Brief“\nMara.', 'Der Brief', 'Mara.'],
    ['灯台守\n\n手紙。', '灯台守', '手紙。'],
    ['The Letter\n', 'The Letter', ''],
    ['Mara read it. Once.', null, 'Mara read it. Once.'],
    ['---\nMara.', null, '---\nMara.'],
    [`${'Long '.repeat(60)}\nMara.`, null, `${'Long '.repeat(60)}\nMara.`],
    ['', null, ''],
    [' \n ', null, ''],
  ])('reads %j, however it comes', (answer, title, text) => {
    for (const pieceLength of [1, 3, 1000]) {
      expect(read(answer, pieceLength)).toEqual([title, text]);
    }
  });
});
