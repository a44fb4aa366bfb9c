import { textStatistics } from './text-statistics';

describe('textStatistics', () => {
  it('counts words, sentences and paragraphs as a reader does', () => {
    const text = "Dr. Lee doesn't know. It's 3.5 km!\n\nA well-known road.\n \n";
    expect(textStatistics(text)).toMatchObject({
      characters: text.length,
      words: 10,
      sentences: 3,
      paragraphs: 2,
      averageSentenceWords: 3.3,
      readingTimeSeconds: 3,
    });
  });

  it('measures English by Flesch and Kincaid', () => {
    const easy = 'The cat sat on the mat. The dog ran to the big red barn. We all had fun in the sun.';
    // 21 words of one syllable each in 3 sentences.
    expect(textStatistics(easy)).toMatchObject({
      averageWordSyllables: 1,
      fleschReadingEase: 115.1,
      fleschKincaidGrade: -1.1,
      readingLevel: 'very_easy',
    });
    const hard =
      'Notwithstanding any contradictory stipulation, the contractual indemnification obligations enumerated ' +
      'hereinafter constitute independent covenants surviving termination of the underlying agreement.';
    expect(textStatistics(hard).readingLevel).toBe('very_difficult');
  });

  it('does not measure other languages, nor what has no sentence', () => {
    const german =
      'Der Hund läuft schnell über die Straße, und die Katze schläft unter dem alten Baum im Garten.';
    for (const text of [german, '', '... --- ...']) {
      expect(textStatistics(text)).toMatchObject({
        fleschReadingEase: null,
        fleschKincaidGrade: null,
        readingLevel: null,
      });
    }
    expect(textStatistics('').words).toBe(0);
  });
});
