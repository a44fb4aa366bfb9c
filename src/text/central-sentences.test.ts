import { centralSentences } from './summary';

describe('centralSentences', () => {
  it('picks the sentences that share most with the others, in the order of the text', () => {
    const sentences = [
      ['sun'],
      ['bee', 'honey', 'hive'],
      ['rain'],
      ['bee', 'hive', 'honey', 'queen'],
      ['queen', 'egg'],
    ];
    expect(centralSentences(sentences, 2)).toEqual([1, 3]);
  });

  it('finds the centre of a text of many blocks', () => {
    const sentences = Array.from({ length: 3_000 }, (_, index) => [`w${index}`, `w${index % 50}`]);
    sentences[1_700] = Array.from({ length: 50 }, (_, index) => `w${index}`);
    expect(centralSentences(sentences, 1)).toEqual([1_700]);
  });

  it('prefers the earlier of equals and gives no more than there are', () => {
    expect(centralSentences([['a'], ['b'], ['c']], 2)).toEqual([0, 1]);
    expect(centralSentences([['a']], 5)).toEqual([0]);
    expect(centralSentences([], 3)).toEqual([]);
  });
});
