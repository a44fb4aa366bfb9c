import fc from 'fast-check';
import { processorMsBelow, processorMsOf } from '../../test/support/processor-time';
import { casesOf } from '../../test/support/texts/text-cases';
import { splitSentences, titlesIn } from './split-sentences';

describe('splitSentences', () => {
  const texts = (source: string) => splitSentences(source).map(({ text }) => text);

  it.each(casesOf<{ language: string; text: string; count: number }>('sentences'))(
    'counts those of $language',
    ({ text, count }) => {
      expect(texts(text)).toHaveLength(count);
    },
  );

  it.each([
    ['ends at full stops, question and exclamation marks', 'One. Two? Three!', ['One.', 'Two?', 'Three!']],
    ['keeps closing quotes with their sentence', '"Go." He went.', ['"Go."', 'He went.']],
    [
      'keeps titles and initials',
      'Dr. J. Smith met Mr. Lee. They left.',
      ['Dr. J. Smith met Mr. Lee.', 'They left.'],
    ],
    [
      'keeps numbers and labels',
      'See No. 5 at 3.5 km. No. That is far.',
      ['See No. 5 at 3.5 km.', 'No.', 'That is far.'],
    ],
    [
      'keeps abbreviations before lower case',
      'Use e.g. a pen etc. and ink. Done.',
      ['Use e.g. a pen etc. and ink.', 'Done.'],
    ],
    ['needs no space after full-width stops', '今日は晴れ。明日は雨。', ['今日は晴れ。', '明日は雨。']],
    [
      'keeps the number of an item with it',
      'To do:\n1. Call Ana.\n2. Send 12. Then go.',
      ['To do:', '1. Call Ana.', '2. Send 12.', 'Then go.'],
    ],
    ['splits headings and list items', 'Rules\n- Be kind\n- Be fair', ['Rules', '- Be kind', '- Be fair']],
    [
      'joins a wrapped line',
      'The rent is due on\nthe third day. Pay it.',
      ['The rent is due on\nthe third day.', 'Pay it.'],
    ],
    [
      'ends after an ordinal number',
      'He came on the 1st. Then he left.',
      ['He came on the 1st.', 'Then he left.'],
    ],
    ['ends at Armenian and Ethiopic stops', 'Պարզ է։ Այո։ ይህ ነው። አዎ።', ['Պարզ է։', 'Այո։', 'ይህ ነው።', 'አዎ።']],
    ['ends at Burmese and Khmer stops', 'မင်္ဂလာပါ။ ဟုတ်ကဲ့။ នេះ។ បាទ។', ['မင်္ဂလာပါ။', 'ဟုတ်ကဲ့။', 'នេះ។', 'បាទ។']],
    ['finds nothing in white space', ' \n\t ', []],
  ])('%s', (_, source, expected) => {
    expect(texts(source)).toEqual(expected);
  });

  it.each([
    'Der Vertrag endet am 1. März 2027.',
    'It follows Smith et al. 2019, and more.',
    'Ο κ. Παπαδόπουλος ήρθε.',
    'Die Miete ist ab dem 15. August 2026 zu zahlen, spätestens am 3. Werktag.',
    'Die Frist läuft vom 1. April bis 30. September 2027.',
    'Im 19. Jahrhundert wurde der 2. Band gedruckt.',
    'Der 2. Weltkrieg endete im Mai.',
    'Die Zahlung ist am 24. Dez. 2026 fällig und wird am 2. Januar gebucht.',
    'Das berichtet Prof. Dr. med. Andreas Vogt mit Dr. rer. nat. Eva Lang und Prof. Dr. Dr. h. c. Ulla Kern.',
    'Er kauft Obst, z. B. Äpfel, d. h. Boskop, bzw. Birnen von Dr. Weiß in St. Gallen.',
    'Die Fa. Holm zahlt, il sig. Rossi e l’avv. Bianchi no.',
    'Nach Art. 5 Abs. 1 Nr. 3 und gem. § 7 sind ca. 20 Euro zu zahlen.',
    'Das Büro liegt im 3. OG und das Lager im 1. UG.',
    'Wohnung links, 3. OG, frei ab Mai.',
    'Møtet er den 1. Mai 2027 i Oslo.',
    'Kokous pidetään 1. maaliskuuta 2027.',
    'M. Dupont et Mme. Curie signent, p. ex. Paris, selon art. 5.',
    'El Sr. García y la Sra. López viven en EE. UU. desde 1990, según el art. 7.',
    'Il Sig. Rossi e il Dott. Bianchi firmano secondo art. 12.',
    'Sie zahlt 12,3 Mio. € und 4 Mrd. Dollar an die Holz GmbH & Co. KG, Industriestr. 4.',
    'It is made between Acme Inc. (the "Buyer") and Weather Co. ("Seller").',
    'PORTLAND, Ore. — The council voted.',
    'See Delgado v. Marsh Paving Co., decided in May.',
    '"Are you sure?" she asked.',
    '“Run!” he cried.',
    '“Run!” Dr. Lee cried, and ran.',
    '"We won!" Captain Jones told reporters on Monday.',
    '"I am tired." Said Mary.',
    '„Wo bist du?“ Fragte Anna.',
    'Approx. 20 men met Gen. Lee, Col. Gray, Lt. Hay, Capt. Orr, Sgt. Poe, Maj. Ives, Sen. Ash, Gov. Bell and Rev. Fry.',
    'The Dept. Head and Hon. Judge Ray read eqs. 3 and 4 and refs. 5 to 7.',
  ])('keeps ordinals and abbreviations of other languages: %j', (source) => {
    expect(texts(source)).toEqual([source]);
  });

  it.each([
    ['It has vitamin C. It helps.', 'It has vitamin C.'],
    ['They went to plan B. The plan failed.', 'They went to plan B.'],
    ['It is the value of κ. This means more.', 'It is the value of κ.'],
    ['He asked "Why?" Nobody spoke.', 'He asked "Why?"'],
    ['Heat it to 180 °C. Mix the flour.', 'Heat it to 180 °C.'],
    ['The rent is due. (b) The tenant pays it.', 'The rent is due.'],
    ['Wir gehen.\n— Nein, wir bleiben.', 'Wir gehen.'],
    ['"Is it safe?" Engineers say so.', '"Is it safe?"'],
    ['"What is it?" They asked again.', '"What is it?"'],
    ['„Ich bin müde.“ Anna ging ins Bett.', '„Ich bin müde.“'],
    ['He was born in 1874. It stands on the cape.', 'He was born in 1874.'],
    ['There were 12. Then they left.', 'There were 12.'],
    ['There were 12. April was cold.', 'There were 12.'],
    ['I am 12. March is my month.', 'I am 12.'],
    ['I am 12. Anna is ten.', 'I am 12.'],
    ['Wir treffen uns am 12. Bitte kommen Sie.', 'Wir treffen uns am 12.'],
    ['Sie ist 12. Er ist zehn.', 'Sie ist 12.'],
    ['Ils partent le 12. Les autres restent ici.', 'Ils partent le 12.'],
    ['Vi ses den 12. Han kommer ikke til mødet.', 'Vi ses den 12.'],
    ['He moved to Los Angeles, CA. There he works.', 'He moved to Los Angeles, CA.'],
    ['It was Martin King Sr. He spoke.', 'It was Martin King Sr.'],
    ['Es gibt Äpfel, Birnen usw. Wir essen sie.', 'Es gibt Äpfel, Birnen usw.'],
    ['Vive en EE. UU. El contrato termina hoy.', 'Vive en EE. UU.'],
  ])('ends a sentence at a number or an abbreviation: %j', (source, first) => {
    expect(texts(source)).toEqual([first, source.slice(first.length + 1)]);
  });

  it('quotes verbatim, in order, leaving out only white space, at most 1,000 characters each', () => {
    const character = fc.constantFrom(
      'a',
      'B',
      '.',
      '!',
      '?',
      '。',
      ' ',
      '\n',
      '"',
      '-',
      '7',
      '😀',
      '\ud800',
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 3_000, size: 'max' }), (characters) => {
        const source = characters.join('');
        let end = 0;
        // One `expect` for all sentences, because a call of it takes longer than checking a sentence.
        const wrong = splitSentences(source).filter((sentence) => {
          const isVerbatim = source.slice(sentence.start, sentence.end) === sentence.text;
          const isNext = source.slice(end, sentence.start).trim() === '';
          end = sentence.end;
          return !isVerbatim || !isNext || sentence.text.length > 1_000;
        });
        expect([wrong, source.slice(end).trim()]).toEqual([[], '']);
      }),
    );
  });

  it.each(['a', '.', ' ', '\n', '. ', '!"', 'A.', '.\u200b', 'am 1. Tag ', 'z. B. '])(
    'stays linear on a megabyte of %j',
    async (unit) => {
      const source = unit.repeat(1_048_576 / unit.length);
      const part = source.slice(0, 65_536);
      splitSentences(part);
      // 16 times the text: quadratic work would be 256 times as much.
      const limitMs = 100 * Math.max(1, await processorMsOf(() => splitSentences(part)));
      expect(await processorMsBelow(limitMs, () => splitSentences(source))).toBeLessThan(limitMs);
    },
  );
});

describe('splitSentences', () => {
  it.each([
    ['Τι ώρα είναι; Είναι τρεις.', 2],
    ['Πού; Πώς; Γιατί.', 3],
    ['Дог. № 5 підписано. Далі йде текст.', 2],
    ['for α; It is β; it', 1],
    ['We came; It rained.', 1],
    ['Prof. dr hab. Nowak mieszka przy ul. Długiej 5. Ma psa.', 2],
    ['Spotkanie odbędzie się ok. godz. 10. Prosimy o potwierdzenie.', 2],
  ])('reads %s', (text, count) => {
    expect(splitSentences(text)).toHaveLength(count);
  });
});

describe('titlesIn', () => {
  it('takes time in proportion to a line of capitals', () => {
    const lines = [`${'A'.repeat(1_000_000)}a`, 'The end.'].map((text) => ({
      text,
      start: 0,
      end: text.length,
    }));
    expect(titlesIn(lines).size).toBe(0);
  });
});
