import { processorMsOf } from '../../test/support/processor-time';
import { quotedAnswer } from './quoted-answer';

const HOURS = {
  heading: 'Opening hours',
  text: '# Opening hours\nThe library opens at nine on weekdays. On Sundays it stays closed. The café in the library serves soup at noon.',
};
const CARDS = {
  heading: 'Cards',
  text: 'A library card is free for residents. Children under twelve need a signature of a parent. Lost cards are replaced for two euros.',
};
const FAQ = { heading: null, text: 'May dogs come along? Only guide dogs. How loud may visitors be?' };
const ALL = [HOURS, CARDS, FAQ];

describe('quotedAnswer', () => {
  const answers = (question: string, passages = ALL) =>
    quotedAnswer(question, passages).map(({ text }) => text);

  it.each([
    'What is the capital of France?',
    'When does the museum open?',
    'Who painted the Mona Lisa?',
    'How many planets orbit the sun?',
    'How much does a parking permit for trucks cost?',
    'Which bus goes to the airport?',
    'Does the museum in Berlin close on Sundays in winter?',
    'Wie heißt die Hauptstadt von Frankreich?',
    '図書館はどこですか',
    'What is it?',
    '???',
  ])('finds nothing for %j', (question) => {
    expect(answers(question)).toEqual([]);
  });

  it.each([
    ['When does the library open?', 'The library opens at nine on weekdays.'],
    ['What time does the library open on weekdays?', 'The library opens at nine on weekdays.'],
    ['Where is soup served in the cafe?', 'The café in the library serves soup at noon.'],
    ['Who gets a free library card?', 'A library card is free for residents.'],
    ['What happens to lost cards?', 'Lost cards are replaced for two euros.'],
    ['Are dogs allowed to come along?', 'Only guide dogs.'],
  ])('answers %j', (question, sentence) => {
    expect(answers(question)[0] ?? null).toBe(sentence);
  });

  const STAFF = {
    heading: null,
    text: 'Thomas Weber works in accounting. Anna Schmidt leads the sales team. The office in Berlin has forty desks. The cafeteria serves lunch from noon. The CEO is Dr. Maria Lopez.',
  };

  it.each([
    'How old is Thomas Weber?',
    'How many desks does the office in Munich have?',
    'Who leads the marketing team?',
    'When does the cafeteria serve breakfast?',
    'When did Maria Lopez die?',
  ])('finds nothing for %j, though all but one of its words are there', (question) => {
    expect(answers(question, [STAFF])).toEqual([]);
  });

  it.each([
    ['Where does Thomas Weber work?', 'Thomas Weber works in accounting.'],
    ['How many desks does the office in Berlin have?', 'The office in Berlin has forty desks.'],
    ['When does the cafeteria serve lunch?', 'The cafeteria serves lunch from noon.'],
    ['Who is the CEO?', 'The CEO is Dr. Maria Lopez.'],
  ])('answers %j', (question, sentence) => {
    expect(answers(question, [STAFF])).toEqual([sentence]);
  });

  it('finds nothing where another thing is said in another language', () => {
    const train = { heading: null, text: 'Поезд отправляется из Казани в 20 часов. Он идёт ночью.' };
    expect(answers('Когда поезд прибывает в Казань?', [train])).toEqual([]);
    const hall = { heading: null, text: 'Das Rathaus öffnet um acht. Es liegt am Markt.' };
    expect(answers('Wann öffnet das Rathaus?', [hall])).toEqual(['Das Rathaus öffnet um acht.']);
  });

  it('quotes no heading and no question, each sentence once, and three at most in the order of the passages', () => {
    expect(answers('opening hours')).not.toContain('# Opening hours');
    const same = { heading: null, text: 'Bees dance. Bees dance. Bees sing. Bees dream. Bees hum.' };
    const quotes = quotedAnswer('bees', [same, same]);
    expect(quotes.map(({ text, passage }) => [passage, text])).toEqual([
      [0, 'Bees dance.'],
      [0, 'Bees sing.'],
      [0, 'Bees dream.'],
    ]);
  });

  it.each([
    [
      'Wann öffnet die Bibliothek?',
      'Die Bibliothek öffnet um neun. Am Sonntag bleibt sie geschlossen.',
      'Die Bibliothek öffnet um neun.',
    ],
    ['图书馆几点开门？', '图书馆九点开门。咖啡馆在二楼。', '图书馆九点开门。'],
    [
      'Когда открывается библиотека?',
      'Библиотека открывается в девять. Кафе закрыто.',
      'Библиотека открывается в девять.',
    ],
  ])('answers %j in its language', (question, text, sentence) => {
    expect(answers(question, [{ heading: null, text }])).toEqual([sentence]);
  });

  it.each(['a', '.', 'é\u0301', '語', 'bees dance. ', '# ', '?'])(
    'stays linear on endless %j',
    async (unit) => {
      const needed = (length: number) =>
        processorMsOf(() =>
          quotedAnswer('bees dance 語', [{ heading: null, text: unit.repeat(length / unit.length) }]),
        );
      await needed(10_000);
      expect(await needed(160_000)).toBeLessThan(100 * Math.max(1, await needed(10_000)));
    },
  );
});
