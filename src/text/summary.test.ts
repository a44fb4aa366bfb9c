import { summaryOf } from './summary';

const TEXT = `Annual report

The bridge across the river carries most of the town's traffic. Lunch was good.
The bridge was inspected in May, and the inspection of the bridge found rust in the river piers.
Repairs of the bridge piers will close the river crossing to traffic for two weeks. It rained.
Lunch was good.`;

describe('summaryOf', () => {
  it('quotes the most central sentences verbatim, in the order of the text', () => {
    const { sentences, text } = summaryOf(TEXT, { sentencesMax: 2 });
    expect(sentences).toHaveLength(2);
    for (const sentence of sentences) {
      expect(TEXT.slice(sentence.start, sentence.end)).toBe(sentence.text);
      expect(sentence.text).toMatch(/bridge/);
    }
    expect(sentences[0]?.start).toBeLessThan(sentences[1]?.start ?? 0);
    expect(text).toBe(sentences.map((each) => each.text).join(' '));
  });

  it('says a repeated sentence once, and leaves out headings', () => {
    const { text } = summaryOf(TEXT, { sentencesMax: 100 });
    expect(text).not.toMatch(/Annual report|Lunch/);
    expect(text.match(/The bridge/g)).toHaveLength(2);
  });

  it.each([
    'Renewal of the harbour bridge in Ardle',
    '## Renewal of the harbour bridge in Ardle',
    'From: Anna Lee\nSubject: Renewal of the harbour bridge in Ardle by 2027',
  ])('leaves out %j, which has the words of what stands below', (head) => {
    const text = `${head}\n\nThe harbour bridge in Ardle is closed in May. Workers renew the piers of the bridge. It rained.`;
    expect(summaryOf(text, { sentencesMax: 9 }).text).not.toContain('Renewal');
  });

  it('leaves marks of lists out of its text', () => {
    const text = '- The bridge crosses the river.\n2. The river bridge carries the traffic.';
    expect(summaryOf(text, { sentencesMax: 2 }).text).toBe(
      'The bridge crosses the river. The river bridge carries the traffic.',
    );
    const ordinals =
      '3. Mai war der Tag der Gründung von Acme.\n1. FC Nord gewann das Spiel.\n4. April 2024 war der Tag des Umzugs.';
    expect(summaryOf(ordinals, { sentencesMax: 3 }).text).toBe(ordinals.replaceAll('\n', ' '));
  });

  it('returns what there is where no sentence tells much, and nothing for nothing', () => {
    expect(summaryOf('Go on. Stop.', { sentencesMax: 1 }).sentences).toHaveLength(1);
    expect(summaryOf(' \n ', { sentencesMax: 3 })).toEqual({ sentences: [], text: '' });
  });
});
