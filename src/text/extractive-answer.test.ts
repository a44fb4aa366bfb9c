import { CANNOT_ANSWER, CANNOT_COMPOSE, extractiveAnswer } from './extractive-answer';

const lease =
  'The rental agreement starts on 1 March 2024. The monthly rent is 950 EUR, due on the third working day. ' +
  'A deposit of three monthly rents has to be paid before moving in. The tenant, Ms. Anna Keller, may keep one cat. ' +
  "Either party may end the agreement with three months' notice. The landlord pays for repairs above 100 EUR.";

const bees =
  'Honey bees live in colonies of up to sixty thousand bees. A queen lays all eggs of the colony. Worker bees collect ' +
  'nectar and turn it into honey for the colony. Beekeepers harvest honey in July. The weather was fine yesterday. ' +
  'Bees of the colony tell each other by dancing where nectar is.';

function answer(...messages: [role: string, text: string][]) {
  return extractiveAnswer(messages.map(([role, text]) => ({ role, text })));
}

describe('extractiveAnswer', () => {
  it.each([
    ['When is the monthly rent due?', 'The monthly rent is 950 EUR, due on the third working day.'],
    ['How large is the deposit?', 'A deposit of three monthly rents has to be paid before moving in.'],
    ['May the tenant keep a cat or a dog?', 'The tenant, Ms. Anna Keller, may keep one cat.'],
    ['What notice ends the agreement?', "Either party may end the agreement with three months' notice."],
    ['Tell me who pays for repairs.', 'The landlord pays for repairs above 100 EUR.'],
    ['When does the agreement start?', 'The rental agreement starts on 1 March 2024.'],
  ])('finds the sentence that answers "%s"', (question, expected) => {
    const found = { text: expect.stringContaining(expected) as string, method: 'bm25' };
    expect(answer(['system', lease], ['user', question])).toEqual(found);
    expect(answer(['user', `${question} ${lease}`])).toEqual(found);
    expect(answer(['user', `Answer the question.\n\nContext: ${lease}\n\nQuestion: ${question}`])).toEqual(
      found,
    );
  });

  const lighthouse = 'The lighthouse was built in 1874. It stands on the northern cape.';

  it.each(['How tall is the red mountain?', 'Who is the keeper of the harbour in Bergen?'])(
    'says that the text does not tell "%s"',
    (question) => {
      expect(answer(['system', lighthouse], ['user', question])).toEqual({
        text: CANNOT_ANSWER,
        method: 'refusal',
      });
    },
  );

  it.each([
    ['When was the lighthouse built?', lighthouse, 'The lighthouse was built in 1874.'],
    ['Where does it stand on the cape?', lighthouse, 'It stands on the northern cape.'],
    ['Where is the parcel?', 'The parcel is in Graz. It weighs 3 kg.', 'The parcel is in Graz.'],
    ['Who built it?', 'It was built by Ann Lee in 1874.', 'It was built by Ann Lee in 1874.'],
    ['Who leads the team?', 'Anna leads the team. Bo left it.', 'Anna leads the team.'],
    ['When does it open?', 'It opens at nine. It is large.', 'It opens at nine.'],
    ['Wann öffnet das Rathaus?', 'Das Rathaus öffnet um acht.', 'Das Rathaus öffnet um acht.'],
  ])('quotes what tells "%s"', (question, text, expected) => {
    expect(answer(['system', text], ['user', question])).toEqual({ text: expected, method: 'bm25' });
  });

  const FAQ = 'Is parking free? Only on weekends. Can I bring a bicycle? Yes, in the last carriage.';

  it.each([
    ['May a bicycle be brought?', 'Yes, in the last carriage.'],
    ['When is parking free?', 'Only on weekends.'],
  ])('answers "%s" from a text that asks and answers', (question, expected) => {
    const found = { text: expected, method: 'bm25' };
    expect(answer(['system', FAQ], ['user', question])).toEqual(found);
    expect(answer(['user', `${FAQ}\n\n${question}`])).toEqual(found);
  });

  it('quotes no question in a summary', () => {
    expect(answer(['system', FAQ], ['user', 'Summarize it.']).text).not.toContain('?');
  });

  it('finds an answer in what was said before, even by a tool after the question', () => {
    const question: [string, string] = ['user', 'Where is the parcel?'];
    const found = { text: 'The parcel is in Graz.', method: 'bm25' };
    expect(answer(['user', 'Hi.'], ['assistant', 'The parcel is in Graz.'], question)).toEqual(found);
    expect(answer(question, ['assistant', ''], ['tool', 'The parcel is in Graz.'])).toEqual(found);
  });

  it('summarises with central sentences, leaves asides out, and keeps to the number asked for', () => {
    const { text, method } = answer(['user', `Summarize in two sentences: ${bees}`]);
    expect(method).toBe('textrank');
    expect(text).toBe(
      'Honey bees live in colonies of up to sixty thousand bees. ' +
        'Worker bees collect nectar and turn it into honey for the colony.',
    );
    expect(answer(['system', bees], ['user', 'What is this text about?']).text).not.toContain('weather');
    expect(answer(['user', `${bees}\n\nTL;DR, in one sentence`]).text.match(/\./g)).toHaveLength(1);
  });

  it.each([
    ['nothing was given', [['user', 'Who won the world cup in 1998?']]],
    [
      'the text is silent',
      [
        ['system', lease],
        ['user', 'Who won the world cup in 1998?'],
      ],
    ],
    [
      'only a chance word matches',
      [
        ['system', lease],
        ['user', 'Which party won the election in Austria?'],
      ],
    ],
    [
      'the only match is the question itself',
      [
        ['user', 'How deep is Lake Garda?'],
        ['user', 'How deep is Lake Garda?'],
      ],
    ],
    [
      'the only match is an earlier refusal',
      [
        ['assistant', CANNOT_ANSWER],
        ['user', 'What is an extractive engine?'],
      ],
    ],
    [
      'it is only greeted',
      [
        ['system', 'You are a helpful assistant.'],
        ['user', 'Hello'],
      ],
    ],
    ['there is nothing to summarise', [['user', 'Summarize the text.']]],
    ['everything is empty', [['user', '']]],
    ['there are no messages', []],
  ] as [string, [string, string][]][])('says that it cannot when %s', (_, messages) => {
    expect(answer(...messages)).toEqual({ text: CANNOT_ANSWER, method: 'refusal' });
  });

  it.each([
    'Write a poem about the rent.',
    'Please translate the agreement.',
    'Could you rewrite the lease?',
  ])('says that it writes no new text: "%s"', (request) => {
    expect(answer(['system', lease], ['user', request])).toEqual({ text: CANNOT_COMPOSE, method: 'refusal' });
  });

  it('says what it is when it cannot', () => {
    for (const text of [CANNOT_ANSWER, CANNOT_COMPOSE]) {
      expect(text).toContain('embedded-extractive-1, an extractive engine without an upstream model');
    }
  });
});
