import { toneOf } from './tone';

describe('toneOf', () => {
  it.each([
    ['The support was excellent, the app is fast and reliable, and I love it.', 'positive'],
    ['The app crashed twice, the support was rude, and it is a waste of money.', 'negative'],
    ['The app is not good, not reliable and never helpful to anyone in the office.', 'negative'],
    ['The meeting is in room five, and it begins after lunch on the second floor.', 'neutral'],
  ])('reads the sentiment of %j', (text, sentiment) => {
    const tone = toneOf(text);
    expect(tone.sentiment).toBe(sentiment);
    expect(Math.abs(tone.sentimentScore)).toBeLessThanOrEqual(1);
  });

  it.each([
    ['Harbour Trust Ltd', 'neutral', 0],
    [
      'The lease is with Harbour Trust Ltd. Harbour Trust pays the rent to the owner on Monday.',
      'neutral',
      0,
    ],
    ['We met at the Happy Bar, and then went to the station by bus.', 'neutral', 0],
    ['The minutes were taken by Grace Love on Monday.', 'neutral', 0],
    ['We trust Harbour Trust Ltd with the rent of the house.', 'positive', 0.33],
    ['An Excellent Day: Reliable And Happy People', 'positive', 0.6],
    ['It was GREAT to be there with all of them.', 'positive', 0.33],
  ])('takes no word of a name for one of sentiment: %j', (text, sentiment, sentimentScore) => {
    expect(toneOf(text)).toMatchObject({ sentiment, sentimentScore });
  });

  it.each([
    ["Hey guys, it's gonna be super cool, we'll have lots of fun!!!", 'informal'],
    ['The parties hereby agree, pursuant to Section 4, that the obligations herein shall survive.', 'formal'],
    ['The meeting is in room five, and it begins after lunch on the second floor.', 'neutral'],
  ])('reads the formality of %j', (text, formality) => {
    expect(toneOf(text).formality).toBe(formality);
  });

  it('says what it read it from', () => {
    expect(toneOf("It's not reliable! The support was excellent and very helpful to us.").signals).toEqual([
      'Contractions: 1.',
      'Exclamation marks: 1.',
      'Positive words: helpful, excellent.',
      'Negative words: not reliable.',
    ]);
  });

  it('measures nothing in other languages', () => {
    const german =
      'Der Kundendienst war schlecht, das Produkt ist kaputt und ich bin sehr enttäuscht, so ein bad fail.';
    expect(toneOf(german)).toMatchObject({ sentiment: 'neutral', sentimentScore: 0, formality: 'neutral' });
  });
});
