import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectedLanguage, detectLanguage, mayBeEnglish } from './detect-language';

const FIXTURES = join(__dirname, '../../test/fixtures');
const LINE = /^(?<wanted>[a-z]{2}|-)(?<mark>\??) \| (?<text>.+)$/u;

/** The lines of the fixture: whether a language has to be told, may be, or cannot. */
const LINES = readFileSync(join(FIXTURES, 'languages/lines.txt'), 'utf8')
  .split('\n')
  .flatMap((line) => {
    const { wanted, mark, text } = LINE.exec(line)?.groups ?? {};
    return wanted && text
      ? [{ wanted, mayBeOpen: mark === '?' || wanted === '-', text: text.replaceAll('\\n', '\n') }]
      : [];
  });

describe('detectLanguage', () => {
  it('has lines to be tried on, in many languages and in none', () => {
    expect(LINES.length).toBeGreaterThan(120);
    expect(new Set(LINES.map(({ wanted }) => wanted)).size).toBeGreaterThan(25);
  });

  it('says nothing wrong about any line', () => {
    const wrong = LINES.map((line) => ({ ...line, told: detectLanguage(line.text) })).filter(
      ({ told, wanted }) => told !== null && told !== wanted,
    );
    expect(wrong).toEqual([]);
  });

  it('tells the language of every line that has a sentence in one language', () => {
    const untold = LINES.filter(({ text, mayBeOpen }) => !mayBeOpen && detectLanguage(text) === null);
    expect(untold).toEqual([]);
  });

  it.each([
    'advanced/meeting-notes.md',
    'advanced/press-release.txt',
    'advanced/web-page.html',
    'legal/nda-first.txt',
  ])('takes %s for English, for all its names', (path) => {
    expect(detectLanguage(readFileSync(join(FIXTURES, path), 'utf8'))).toBe('en');
  });

  it('reads the beginning of a text, in capitals too', () => {
    const english = 'The rent is paid on the first day of each month. '.repeat(60);
    expect(
      detectLanguage(`${english}${'Und dann war es auch noch nicht das, was wir wollten. '.repeat(60)}`),
    ).toBe('en');
    expect(detectLanguage('DIE MIETE WIRD AM ERSTEN TAG DES MONATS GEZAHLT.')).toBe('de');
  });
});

describe('detectedLanguage', () => {
  it('names the likeliest language first, with what speaks for it', () => {
    const { language, candidates } = detectedLanguage(
      'Der Vertrag beginnt am ersten März und endet nach zwei Jahren.',
    );
    expect([language, candidates[0]?.language]).toEqual(['de', 'de']);
    expect(candidates[0]?.score).toBeGreaterThan(0.2);
    expect(candidates.map(({ score }) => score)).toEqual(
      candidates.map(({ score }) => score).sort((a, b) => b - a),
    );
  });

  it('names the languages of a text that has two, without deciding for one', () => {
    const { language, candidates } = detectedLanguage(
      'Das Meeting ist auf morgen verschoben, please bring your laptop and the printed report with you.',
    );
    expect(language).toBeNull();
    expect(candidates.slice(0, 2).map((each) => each.language)).toEqual(expect.arrayContaining(['de', 'en']));
  });

  it('names none that only letters speak for, where they prove nothing', () => {
    expect(detectedLanguage('REMITTANCE ADVICE INVOICE 2026-11 PAYMENT').candidates).toEqual([]);
    expect(detectedLanguage('Monthly maintenance contract, November 2026').candidates).toEqual([]);
    const { language, candidates } = detectedLanguage(
      'Invoice no. 4711, total EUR 1,200.00, due 30 June 2026',
    );
    expect(language).toBeNull();
    expect(candidates.map((each) => each.language)).toContain('en');
  });

  it('names none for a short text, nor for one without words', () => {
    expect(detectedLanguage('Hallo Welt')).toEqual({ language: null, candidates: [] });
    expect(detectedLanguage('0123 4567 8901 2345 6789 0123 4567 8901 2345 6789')).toEqual({
      language: null,
      candidates: [],
    });
  });
});

describe('mayBeEnglish', () => {
  it.each([
    ['English', 'The parties agree that the rent is paid on the first day of each month.', true],
    ['a text too short to tell', 'Rent is due.', true],
    ['names alone', 'Anna Schmidt, Ada Lovelace', true],
    ['an invoice’s line', 'Invoice no. 4711, total EUR 1,200.00, due 30 June 2026', true],
    ['words that several languages have', 'Consulting services, 10 hours at EUR 120', true],
    ['a heading of nouns', 'Monthly maintenance contract, November 2026', true],
    ['a heading of German nouns', 'Mietvertrag für Wohnung Nr. 5, Miete 1.150 EUR monatlich', false],
    [
      'a language whose linking words are not known',
      'Ugovorne strane su suglasne da kupac plaća cijenu u roku od trideset dana, a prodavatelj predaje robu.',
      false,
    ],
    ['German', 'Die Parteien vereinbaren, dass die Miete am ersten Tag des Monats gezahlt wird.', false],
    ['Dutch', 'De partijen komen overeen dat de huur op de eerste dag van elke maand wordt betaald.', false],
    ['Japanese', '請求書は三十日以内にお支払いください。', false],
    [
      'more German than English',
      'Der Kunde sagt, dass es nicht geht, und er will sein Geld, but not the goods.',
      false,
    ],
  ])('judges %s', (_, text, expected) => {
    expect(mayBeEnglish(text)).toBe(expected);
  });
});
