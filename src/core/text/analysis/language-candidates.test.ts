import { languageCandidates } from './language-candidates';

describe('languageCandidates', () => {
  it('names the likeliest language first', () => {
    const german = languageCandidates('Der Vertrag beginnt am ersten März und endet nach zwei Jahren.');
    expect(german[0]?.language).toBe('de');
    expect(german[0]?.score).toBeGreaterThan(0.2);
    expect(german.map(({ score }) => score)).toEqual(german.map(({ score }) => score).sort((a, b) => b - a));
  });

  it('says nothing of a short text, nor of one without words', () => {
    expect(languageCandidates('Hallo Welt')).toEqual([]);
    expect(languageCandidates('0123 4567 8901 2345 6789 0123 4567 8901 2345 6789')).toEqual([]);
  });
});
