import { processorMsOf } from '../../test/support/processor-time';
import { casesOf } from '../../test/support/texts/text-cases';
import { type Passage, quotedAnswer } from './quoted-answer';

interface Asked {
  readonly question: string;
  /** Stands in a quoted sentence; null where the passages do not tell. */
  readonly answer: string | null;
}

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
  const answers = (question: string, passages: readonly Passage[] = ALL) =>
    quotedAnswer(question, passages).map(({ text }) => text);

  it.each([
    'What is the capital of France?',
    'Who painted the Mona Lisa?',
    'How many planets orbit the sun?',
    'Which bus goes to the airport?',
    'Wie heißt die Hauptstadt von Frankreich?',
    '図書館はどこですか',
    'What is it?',
    'Does the library have computers?',
    'Is there a pool in the library?',
    'Are there lockers for residents?',
    'When did version 4.7.0 of the library open?',
    '???',
  ])('finds nothing for %j', (question) => {
    expect(answers(question)).toEqual([]);
  });

  it.each([
    ['When does the library open?', 'The library opens at nine on weekdays.'],
    ['What time does the library open on weekdays?', 'The library opens at nine on weekdays.'],
    ['Where is soup served in the cafe?', 'The café in the library serves soup at noon.'],
    ['Who gets a free library card?', 'A library card is free for residents.'],
    ['Is there soup in the library?', 'The café in the library serves soup at noon.'],
    ['What happens to lost cards?', 'Lost cards are replaced for two euros.'],
    ['Are dogs allowed to come along?', 'Only guide dogs.'],
    ['When can I go to the library on weekdays?', 'The library opens at nine on weekdays.'],
  ])('answers %j', (question, sentence) => {
    expect(answers(question)).toContain(sentence);
  });

  const STAFF = {
    heading: null,
    text: 'Thomas Weber works in accounting. Anna Schmidt leads the sales team. The office in Berlin has forty desks. The cafeteria serves lunch from noon. The CEO is Dr. Maria Lopez.',
  };

  it.each([
    'How many desks does the office in Munich have?',
    'Who is the keeper of the lighthouse at Rosenau?',
    'What was decided in 2019?',
  ])('finds nothing for %j, whose name or number no passage has', (question) => {
    expect(answers(question, [STAFF])).toEqual([]);
  });

  it.each([
    'Who is the CEO of Meridian Hospital Group?',
    'When was Meridian Hospital Group founded?',
    'How many clinics does Meridian Hospital Group run?',
  ])('finds nothing for %j in what only names it', (question) => {
    const text =
      'Invoice number: 17\n\nBill to: Meridian Hospital Group\n4 High Street, Boston\n\nTotal due: USD 12,000.00';
    expect(answers(question, [{ heading: null, text }])).toEqual([]);
    const told =
      'Meridian Hospital Group runs nine clinics. It was founded in 1983. The CEO of the group is Jane Doe.';
    expect(answers(question, [{ heading: null, text: told }])).not.toEqual([]);
  });

  it.each([
    ['Where does Thomas Weber work?', 'Thomas Weber works in accounting.'],
    ['How many desks does the office in Berlin have?', 'The office in Berlin has forty desks.'],
    ['When does the cafeteria serve lunch?', 'The cafeteria serves lunch from noon.'],
    ['Who is the CEO?', 'The CEO is Dr. Maria Lopez.'],
  ])('answers %j', (question, sentence) => {
    expect(answers(question, [STAFF])).toContain(sentence);
  });

  it.each([
    [
      'When may visitors park behind the house?',
      'Parking behind the house for visitors\n\nPlease read this first. Visitors park behind it after noon.',
      ['Visitors park behind it after noon.'],
    ],
    [
      'What does the return of goods cost?',
      '1. Return of goods\nOur team is friendly. A return costs four euros.',
      ['A return costs four euros.'],
    ],
    ['図書館の開館時間は？', '図書館の開館時間\n\n開館は九時です。', ['開館は九時です。']],
  ])('answers %j from below a title, without the title', (question, text, expected) => {
    expect(answers(question, [{ text, heading: null }])).toEqual(expected);
  });

  it.each([
    ['Where is the parcel?', 'The parcel is in Graz\n\nIt weighs 3 kg.', 'The parcel is in Graz'],
    ['What does the ticket cost?', 'Ticket: nine euros\nDogs travel free.', 'Ticket: nine euros'],
  ])('answers %j from a line without a full stop', (question, text, expected) => {
    expect(answers(question, [{ text, heading: null }])).toContain(expected);
  });

  it.each([
    ['Which cities are served?', 'The city of Graz has two stops.'],
    ['When do you ship?', 'Shipping happens on Monday.'],
    ['Who tested it?', 'The test was run by Bo.'],
    ['Can I rent it?', 'Renting needs a card.'],
  ])('answers %j, which inflects a short word of English otherwise', (question, sentence) => {
    expect(answers(question, [{ heading: null, text: `${sentence} The day was hot.` }])).toEqual([sentence]);
  });

  const ACME =
    'Acme is a maker of robots in Graz. It is led by Jane Doe, and its owner is Bo Lee. The robots work in hospitals.';

  it.each([
    ['Who leads Acme?', 'It is led by Jane Doe, and its owner is Bo Lee.'],
    ['Who is the leader of Acme?', 'It is led by Jane Doe, and its owner is Bo Lee.'],
    ['Who owns Acme?', 'It is led by Jane Doe, and its owner is Bo Lee.'],
  ])('answers %j from another form of its verb', (question, sentence) => {
    expect(answers(question, [{ heading: null, text: ACME }])).toContain(sentence);
  });

  it.each(['Who leads Borealis?', 'Who founded Acme?', 'Who is the CEO of Acme?'])(
    'finds nothing for %j, of which the text on Acme is silent',
    (question) => {
      expect(answers(question, [{ heading: null, text: ACME }])).toEqual([]);
    },
  );

  it.each([
    [
      'How long does it keep?',
      'Bake it at noon. It keeps for three days. Eat it cold.',
      'It keeps for three days.',
    ],
    [
      'How long does shipping take to Graz?',
      'Deliveries to Graz take five days. Others take two.',
      'Deliveries to Graz take five days.',
    ],
  ])('answers %j by a verb that is common in all texts', (question, text, sentence) => {
    expect(answers(question, [{ heading: null, text }])).toContain(sentence);
  });

  it('answers what happened to somebody who is named', () => {
    const text = 'Anna fell off a ladder. Bo called for help.';
    expect(answers('What happened to Anna?', [{ heading: null, text }])).toEqual(['Anna fell off a ladder.']);
  });

  it('leaves out what has only linking words in common', () => {
    const text =
      'The monthly fee is due in May. This agreement is governed by the laws of Ireland. It lasts two years.';
    expect(answers('What is the fee?', [{ heading: null, text }])).toEqual([
      'The monthly fee is due in May.',
    ]);
  });

  it.each([
    ['What is the invoice number?', 'Invoices are due within 30 days. Each invoice names the order.', []],
    ['What is the phone number?', 'Invoice number: INV-17\n\nTotal: 9 EUR', []],
    ['What is the invoice number?', 'INVOICE\n\nInvoice No. INV-17\nDate: 3 May', ['Invoice No. INV-17']],
    ['What is the invoice number?', 'Invoice number: INV-17\n\nTotal: 9 EUR', ['Invoice number: INV-17']],
    [
      'What is the flight number?',
      'Your flight LH 123 leaves at nine.',
      ['Your flight LH 123 leaves at nine.'],
    ],
    [
      'What is the order number?',
      '**Order number:** a1b2/3\n\n**Total:** 9 EUR',
      ['**Order number:** a1b2/3'],
    ],
    [
      'What is the phone number?',
      'You reach us by phone at +49 30 12.',
      ['You reach us by phone at +49 30 12.'],
    ],
    ['What is the number to call?', 'Call 555-1234 in an emergency.', ['Call 555-1234 in an emergency.']],
    ['Which number is on the door?', 'On the door stands 17.', ['On the door stands 17.']],
    [
      'Where do I find the serial number?',
      'The serial number stands on the back.',
      ['The serial number stands on the back.'],
    ],
    [
      'What was built in the port on 12.05.2024?',
      'On 12 May 2024 the hall was built in the port.',
      ['On 12 May 2024 the hall was built in the port.'],
    ],
    ['What is the sum?', 'In summer we open at nine.', []],
    ['Where can I take a shower?', 'The show begins at nine.', []],
    ['What is the number of employees?', 'Acme has forty employees.', ['Acme has forty employees.']],
  ])('answers %j from %j with what it names alone', (question, text, expected) => {
    expect(answers(question, [{ heading: null, text }])).toEqual(expected);
  });

  it('looks on where the sentence that matches best lacks too many words of the question', () => {
    const text =
      '§ 1 Mietsache\nVermietet wird die Wohnung im Gartenweg.\n\n§ 2 Mietzeit\nDie Mietzeit beginnt im August.\n\n' +
      '§ 3 Miete\nDie monatliche Miete beträgt 820,00 Euro zuzüglich 150 Euro Nebenkosten. Sie ist am dritten Tag zu ' +
      'zahlen.\n\n§ 4 Kaution\nDer Mieter zahlt eine Kaution.\n\n§ 5 Kündigung\nDie Frist beträgt drei Monate.';
    expect(answers('Wie hoch ist die Miete?', [{ heading: null, text }])).toEqual([
      'Die monatliche Miete beträgt 820,00 Euro zuzüglich 150 Euro Nebenkosten.',
    ]);
  });

  it.each([
    [
      'When was the plant opened?',
      'The plant was opened by Bo. The plant was opened with music.',
      'The second plant, far from the river, was opened in May 1999.',
    ],
    [
      'When was the plant opened?',
      'The plant was opened by Bo. The plant was opened with music.',
      'The second plant, far from the river, was opened on 3 May.',
    ],
    [
      'Wann wird das Bad geöffnet?',
      'Das Bad wird vom Amt geöffnet. Das Bad wird mit Musik geöffnet.',
      'Das große Bad am Fluss wird wieder am Montag geöffnet.',
    ],
    [
      '¿Cuándo se abre la piscina?',
      'La piscina se abre con Ana. La piscina se abre con música.',
      'La piscina grande, junto al río, se abre a las 17:30.',
    ],
  ])('prefers a sentence with a time for %j', (question, others, sentence) => {
    expect(answers(question, [{ heading: null, text: `${others} ${sentence}` }])).toContain(sentence);
  });

  const CONTRACT =
    'This Agreement is made between Oakfield Foods Ltd, a company of England ("Client"), and Lena Brandt (the "Service Provider"). ' +
    'The Client shall give access to its premises. The client is responsible for insurance. The Service Provider may ' +
    'refuse. The Service Provider is not liable. The guarantor shall pay. The guarantor must be informed. Either party may leave.';
  const [PREAMBLE] = CONTRACT.split(' The Client shall');

  it.each([
    ['Who is the client?', CONTRACT, [PREAMBLE]],
    ['Who is the Service Provider in this agreement?', CONTRACT, [PREAMBLE]],
    ['Who is the guarantor?', CONTRACT, []],
    ['Who are the parties?', CONTRACT, []],
    [
      'Who is the tenant?',
      'It is a flat. Water is free. The tenant may keep a cat. The landlord, Bo Lee, lets the flat to the tenant, Ann Fox, from May.',
      ['The landlord, Bo Lee, lets the flat to the tenant, Ann Fox, from May.'],
    ],
    [
      'Wer ist der Verkäufer?',
      'Der Verkäufer haftet nicht. Zwischen der Nordwind Boote GmbH in Kiel (nachfolgend „Verkäufer“) und Bo Lee (Käufer) gilt dies.',
      ['Zwischen der Nordwind Boote GmbH in Kiel (nachfolgend „Verkäufer“) und Bo Lee (Käufer) gilt dies.'],
    ],
  ])('tells %j by what names the party, and by none of its duties', (question, text, expected) => {
    expect(answers(question, [{ heading: null, text }])).toEqual(expected);
  });

  it.each([
    [
      'Who is the treasurer?',
      'The treasurer shall be Bo Lee. The treasurer shall pay.',
      'The treasurer shall be Bo Lee.',
    ],
    [
      'Who is the chair?',
      'Ann Fox shall act as chair of the board.',
      'Ann Fox shall act as chair of the board.',
    ],
    ['Who is the buyer?', 'The deposit is paid to the buyer.', undefined],
    ['Who is the owner?', 'The owner is a group of farmers.', 'The owner is a group of farmers.'],
    ['Wann ist die Rechnung fällig?', 'Rechnungsdatum: 3. Mai 2026', undefined],
    ['What is the price of the boat?', 'The boat is white. The price of delivery is £300.', undefined],
    ['How much is the boat?', 'The boat has two cabins. The boat can be had from 3 May.', undefined],
    ['What does the boat cost?', 'It is white. The boat costs £300 in May.', 'The boat costs £300 in May.'],
    ['What does the boat cost?', 'The boat is 12 metres long. It was built in 1998.', undefined],
    ['What does the boat cost?', 'The boat is white. Delivery to your harbour costs £300.', undefined],
    [
      'What does the boat cost?',
      'It is white. For members of the club it costs £300.',
      'For members of the club it costs £300.',
    ],
    ['What does a visit cost?', 'A visit is charged at 80.', 'A visit is charged at 80.'],
    ['What does a visit cost?', 'For a visit 80 is charged.', 'For a visit 80 is charged.'],
    [
      'Who are the parties?',
      'Acme Ltd (the "First Party") sells. The parties meet.',
      'Acme Ltd (the "First Party") sells.',
    ],
    ['How much is the dose?', 'The dose is 20 mg. It is taken at once.', 'The dose is 20 mg.'],
    ['What is the price of peace?', 'The price of peace is patience.', 'The price of peace is patience.'],
  ])('answers %j over %j by what it asks for, or not', (question, text, expected) => {
    expect(answers(question, [{ heading: null, text }])).toEqual(expected === undefined ? [] : [expected]);
  });

  it('quotes of an invoice the date and the sum that are asked for, and a header with its row alone', () => {
    const header = '| Item | Price | Total |';
    const rope = '| Rope | £2.00 | £20.00 |';
    const dates = 'Invoice number: INV-2026-42\nInvoice date: 12 May 2026\nDue date: 14 June 2026';
    const text = `${dates}\n\n${header}\n| --- | --- | --- |\n${rope}\n\nTotal: £20.00`;
    const told = (question: string) => answers(question, [{ heading: null, text }]);
    expect(told('When is the invoice due?')).toEqual(['Due date: 14 June 2026']);
    expect(told('What is the total?')).toEqual(['Total: £20.00']);
    expect(told('What is the price of the rope?')).toEqual([header, rope]);
    expect(told('What is the price of the boat?')).toEqual([]);
  });

  it('quotes no heading in capitals', () => {
    const text = 'EXPERIENCE\nEleven years of experience at Banktree\n\nLANGUAGES\nPolish and German';
    expect(answers('experience', [{ heading: null, text }])).toEqual([
      'Eleven years of experience at Banktree',
    ]);
  });

  it('quotes no heading of a German clause', () => {
    const text = '§ 3 Dauer\nDer Vertrag endet im Mai.\n\n§ 4 Kaution\nEr zahlt eine Kaution von 900 EUR.';
    expect(answers('Wie hoch ist die Kaution?', [{ heading: null, text }])).toEqual([
      'Er zahlt eine Kaution von 900 EUR.',
    ]);
  });

  it('quotes no heading and no question, each sentence once, and two at most in the order of the passages', () => {
    expect(answers('opening hours')).not.toContain('# Opening hours');
    const same = { heading: null, text: 'Bees dance. Bees dance. Bees sing. Bees dream. Bees hum.' };
    const quotes = quotedAnswer('bees', [same, same]);
    expect(quotes.map(({ text, passage }) => [passage, text])).toEqual([
      [0, 'Bees dance.'],
      [0, 'Bees sing.'],
    ]);
  });

  const asked = casesOf<{ passages: string[]; language: string; questions: Asked[] }>('passages').flatMap(
    ({ passages, language, questions }) =>
      questions.map(({ question, answer }) => ({ passages, language, question, answer })),
  );
  const said = ({ question, passages }: (typeof asked)[number]) =>
    answers(
      question,
      passages.map((text) => ({ text, heading: null })),
    ).join(' ');

  it('answers at least 26 of 29 questions of nine languages from their passages', () => {
    const missed = asked.filter((each) => each.answer !== null && !said(each).includes(each.answer));
    expect(asked.filter(({ answer }) => answer !== null)).toHaveLength(29);
    expect(missed.map(({ question }) => question).slice(3)).toEqual([]);
  });

  it.each(asked.filter(({ answer }) => answer === null))('is silent for $question', (each) => {
    expect(said(each)).toBe('');
  });

  it.each(['a', '.', 'é\u0301', '語', 'bees dance. ', '# ', 'Title\n', '?', 'Bees 7!\n\n'])(
    'stays linear on endless %j',
    async (unit) => {
      const needed = (length: number) =>
        processorMsOf(() =>
          quotedAnswer('When do bees dance 語?', [
            { heading: null, text: unit.repeat(length / unit.length) },
          ]),
        );
      await needed(10_000);
      expect(await needed(160_000)).toBeLessThan(100 * Math.max(1, await needed(10_000)));
    },
  );
});
