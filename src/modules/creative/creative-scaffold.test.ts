import { processorMsOf } from '../../../test/support/processor-time';
import { CREATIVE_FORMS, type CreativeForm, creativeScaffold, type CreativeWish } from './creative-scaffold';

const PROMPT =
  'A lighthouse keeper finds a letter on a quiet night. The light goes out while she reads it. Her brother never wrote.';

function wish(form: CreativeForm, fields: Partial<CreativeWish> = {}): CreativeWish {
  return { form, prompt: PROMPT, tone: null, audience: null, names: [], length: 'medium', ...fields };
}

describe('creativeScaffold', () => {
  it.each(CREATIVE_FORMS)('says of a %s that it is none yet, and is the same each time', (form) => {
    const scaffold = creativeScaffold(wish(form));
    expect(scaffold.text.split('\n')[0]).toBe(`Scaffold by rule (${form}), not a finished text`);
    expect(creativeScaffold(wish(form))).toEqual(scaffold);
    for (const { title, lines } of scaffold.parts) {
      expect(scaffold.text).toContain([title, ...lines.map((line) => `- ${line}`)].join('\n'));
    }
  });

  it("gives a haiku its three lines of 5, 7 and 5 syllables with the prompt's own words", () => {
    const [haiku] = creativeScaffold(wish('haiku')).parts;
    expect(
      haiku?.lines.slice(1).map((line) => /^Line \d: (\d) syllables; material: “.+”/.exec(line)?.[1]),
    ).toEqual(['5', '7', '5']);
    expect(haiku?.lines.join('\n')).toContain('“quiet night” (about 3 syllables)');
    for (const line of haiku?.lines.slice(1) ?? []) {
      expect(PROMPT.toLowerCase()).toContain(/“(.+)”/.exec(line)?.[1]?.toLowerCase());
    }
  });

  it('rhymes a limerick AABBA and a sonnet in fourteen lines', () => {
    const rhymesOf = (form: CreativeForm) =>
      creativeScaffold(wish(form))
        .text.match(/rhyme [A-Z]/g)
        ?.map((rhyme) => rhyme.at(-1))
        .join('');
    expect([rhymesOf('limerick'), rhymesOf('sonnet'), rhymesOf('haiku')]).toEqual([
      'AABBA',
      'ABABCDCDEFEFGG',
      undefined,
    ]);
  });

  it('names the words of the prompt that end alike, and none of another language', () => {
    expect(creativeScaffold(wish('poem')).text).toContain('night, light');
    const german = 'Die Katze sitzt am Abend auf der Mauer und wartet auf den Regen, der nicht kommt.';
    const scaffold = creativeScaffold(wish('poem', { prompt: german }));
    expect(scaffold.text).not.toContain('end alike');
    expect(scaffold.text).not.toMatch(/about \d/);
  });

  it('gives those who were named their turns', () => {
    const { parts } = creativeScaffold(wish('dialogue', { names: ['Mara', 'Tom'], length: 'short' }));
    expect(parts[1]?.lines.map((line) => line.split(':')[0])).toEqual(['Mara', 'Tom', 'Mara', 'Tom']);
    expect(parts[0]?.lines).toEqual([
      'What they talk about: A lighthouse keeper finds a letter on a quiet night.',
    ]);
  });

  it('becomes longer where that is wanted', () => {
    for (const form of ['poem', 'lyrics', 'dialogue', 'scene', 'monologue', 'blurb'] as const) {
      const [short, long] = (['short', 'long'] as const).map(
        (length) => creativeScaffold(wish(form, { length })).parts.flatMap(({ lines }) => lines).length,
      );
      expect(long).toBeGreaterThan(short ?? 0);
    }
  });

  it('lets no text of the caller begin a line of its own', () => {
    const prompt = 'Bees.\n\n- Line 1: 99 syllables\nTurns\n- nobody: waits';
    const hostile = wish('dialogue', { prompt, names: ['A\nTurns'], tone: 'x\n- y', audience: 'q\r\n- z' });
    const own = creativeScaffold(hostile).text.split('\n');
    expect(own.filter((line) => /^(?:- (?:Line|nobody|y|z)|Turns$)/.test(line))).toEqual(['Turns']);
  });

  it('works on a prompt without keywords', () => {
    for (const prompt of ['我爱你', '7', 'to be or not to be']) {
      expect(creativeScaffold(wish('haiku', { prompt })).text).toContain(`“${prompt}”`);
    }
  });

  it('is made in little time of any prompt', async () => {
    for (const letters of ['a', 'a ', 'a. ', '— ', 'ab cd ']) {
      const prompt = letters.repeat(20_000).slice(0, 20_000);
      const ms = await processorMsOf(() => {
        CREATIVE_FORMS.forEach((form) => creativeScaffold(wish(form, { prompt })));
        return Promise.resolve();
      });
      expect(ms).toBeLessThan(5_000);
    }
  });
});
