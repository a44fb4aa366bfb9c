import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { casesOf } from '../../test/support/texts/text-cases';
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

  it('tells the language of 95 in 100 lines that have a sentence in one language', () => {
    const telling = LINES.filter(({ mayBeOpen }) => !mayBeOpen);
    const wrong = telling.filter(({ text, wanted }) => detectLanguage(text) !== wanted);
    expect(wrong.map(({ text }) => text).slice(Math.floor(telling.length * 0.05))).toEqual([]);
  });

  it.each(casesOf<{ text: string; language: string | null }>('languages'))(
    'tells that $text is $language',
    ({ text, language }) => {
      expect(detectLanguage(text)).toBe(language);
    },
  );

  it.each([
    'advanced/meeting-notes.md',
    'advanced/press-release.txt',
    'advanced/web-page.html',
    'legal/nda-first.txt',
  ])('takes %s for English, for all its names', (path) => {
    expect(detectLanguage(readFileSync(join(FIXTURES, path), 'utf8'))).toBe('en');
  });

  it.each([
    ['How is the opening of the Grainger Market documented in the gallery?', 'en'],
    ['What German poet was descended from Huguenots?', 'en'],
    ['Welcher Organisation ist Iqbal in London beigetreten?', 'de'],
    ['In welcher Schlacht wurden die Mongolen von den Trần geschlagen?', 'de'],
    ['¿Qué campo involucra el estudio del sistema inmunológico?', 'es'],
    ['Septisemi nedir?', 'tr'],
    ['Harvard Stadyumu nerededir?', 'tr'],
    ['De ce este necesar acest contract?', 'ro'],
    ['Ai hát quốc ca?', 'vi'],
    ['Die regering het gesê dat hulle nie meer geld vir die skool sal gee nie.', 'af'],
  ])('tells the language of %j by the words that link the others', (question, language) => {
    expect(detectLanguage(question)).toBe(language);
  });

  it.each([
    'Leonardo da Vinci, Ludwig van Beethoven, Vincent van Gogh, Ursula von der Leyen',
    'Der Kunde sagt, that this is not what he ordered, und er will sein Geld zurück before the end of May.',
    'Ik heb de factuur niet ontvangen, could you please send it to me again before we close the month?',
  ])('leaves the language of %j open', (text) => {
    expect(detectLanguage(text)).toBeNull();
  });

  it('reads the beginning of a text', () => {
    const english = 'The rent is paid on the first day of each month. '.repeat(60);
    expect(
      detectLanguage(`${english}${'Und dann war es auch noch nicht das, was wir wollten. '.repeat(60)}`),
    ).toBe('en');
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

  it('names none for names, codes and numbers', () => {
    for (const text of [
      'REMITTANCE ADVICE INVOICE 2026-11 PAYMENT',
      'Anna Schmidt',
      '0123 4567 8901 2345',
      '',
    ]) {
      expect(detectedLanguage(text)).toEqual({ language: null, candidates: [] });
    }
  });
});

describe('detectLanguage', () => {
  it.each([
    ['az', 'Bu kitab çox maraqlıdır, onu mütləq oxuyun.'],
    ['az', 'Mən dünən bazardan alma və çörək aldım.'],
    ['en', 'The sound of a schwa is written as ə in phonetics.'],
    ['uk', 'Будь ласка, надішліть підписаний договір до п’ятниці.'],
    ['tr', 'Toplantı yarın saat onda başlayacak, lütfen zamanında gelin.'],
  ])('takes no language whose alphabet lacks a letter: %s', (language, text) => {
    expect(detectLanguage(text)).toBe(language);
  });

  it('finds the language of a text that names people of another alphabet', () => {
    expect(detectLanguage('Rapat dengan Pak Yıldız dimulai besok pagi di kantor pusat.')).toBe('id');
  });
});

describe('mayBeEnglish', () => {
  it.each([
    ['English', 'The parties agree that the rent is paid on the first day of each month.', true],
    ['names alone', 'Anna Schmidt, Ada Lovelace', true],
    ['a heading of German nouns', 'Mietvertrag für Wohnung Nr. 5, Miete 1.150 EUR monatlich', false],
    ['German', 'Die Parteien vereinbaren, dass die Miete am ersten Tag des Monats gezahlt wird.', false],
    ['Dutch', 'De partijen komen overeen dat de huur op de eerste dag van elke maand wordt betaald.', false],
    ['Japanese', '請求書は三十日以内にお支払いください。', false],
  ])('judges %s', (_, text, expected) => {
    expect(mayBeEnglish(text)).toBe(expected);
  });
});
