import { SCAMPER_QUESTIONS, SCAMPER_TECHNIQUES, scamperPrompts } from './creative.jobs';

const TOPIC = 'A repair café for bicycles in a small town: volunteers mend bicycles, and visitors learn how.';

describe('scamperPrompts', () => {
  it('asks with each technique before it asks with one again', () => {
    expect(scamperPrompts(TOPIC, 7).map(({ technique }) => technique)).toEqual([...SCAMPER_TECHNIQUES]);
  });

  it("asks about the topic's own keywords only, several of them", () => {
    const quoted = scamperPrompts(TOPIC, 14).map(({ angle }) => /“(.+)”/.exec(angle)?.[1] ?? '');
    expect(quoted.every((subject) => TOPIC.includes(subject))).toBe(true);
    expect(new Set(quoted).size).toBeGreaterThan(2);
  });

  it.each([TOPIC, 'bees', 'of the', '蜜蜂'])(
    'never repeats itself on %p, and is the same each time',
    (topic) => {
      const prompts = scamperPrompts(topic, 28);
      expect(new Set(prompts.map(({ title }) => title)).size).toBe(28);
      expect(new Set(prompts.map(({ angle }) => angle)).size).toBe(28);
      expect(scamperPrompts(topic, 28)).toEqual(prompts);
      expect(scamperPrompts(topic, 5)).toEqual(prompts.slice(0, 5));
    },
  );

  it('has a place for the subject in each question, and no more questions than it says', () => {
    const questions = Object.values(SCAMPER_QUESTIONS).flat();
    expect(
      questions.filter(([title, angle]) => title.split('…').length !== 2 || angle.split('…').length !== 2),
    ).toEqual([]);
    expect(questions).toHaveLength(28);
    expect(() => scamperPrompts('bees', 29)).toThrow(RangeError);
  });

  it('takes a topic as it is, whatever it holds', () => {
    expect(scamperPrompts('$& … $1', 1)[0]?.title).toContain('“$& … $1”');
  });
});
