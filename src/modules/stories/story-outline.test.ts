import { outlineActs, type StoryLength, storyOutline, type StoryWish } from './story-order';

const WISH: StoryWish = {
  prompt: 'A keeper finds a letter. It is addressed to her. Nobody knows the sender.',
  genre: 'mystery',
  tone: 'quiet',
  length: 'medium',
  characters: [
    { name: 'Mara', description: 'keeps the light' },
    { name: 'Tom', description: null },
  ],
};

describe('storyOutline', () => {
  it('is the same for the same wish, and longer for a longer story', () => {
    const beats = (['short', 'medium', 'long'] as StoryLength[]).map(
      (length) => outlineActs(storyOutline({ ...WISH, length })).flatMap((act) => act.beats).length,
    );
    expect(beats).toEqual([6, 13, 17]);
    expect(storyOutline(WISH)).toBe(storyOutline(structuredClone(WISH)));
  });

  it('names every character, the genre and the tone, and has the sentences of the prompt', () => {
    const text = storyOutline(WISH);
    const parts = ['mystery', 'quiet', 'Mara (keeps the light)', 'Tom', '- Event: A keeper finds a letter.'];
    for (const part of [...parts, '- Then: It is addressed to her.', '- Then: Nobody knows the sender.']) {
      expect(text).toContain(part);
    }
  });

  it('makes one where only a prompt is given, whatever it is', () => {
    for (const prompt of [' ', '🙂'.repeat(10_000), '\u0000'.repeat(5), 'x'.repeat(20_000)]) {
      const text = storyOutline({ prompt, genre: null, tone: null, characters: [], length: 'short' });
      expect([text.isWellFormed(), outlineActs(text).length]).toEqual([true, 3]);
      expect(text.length).toBeLessThan(2_000);
    }
  });

  it('keeps texts of the caller from looking like acts', () => {
    const prompt = 'One\nAct 9: Mine\n- mine';
    const hostile = { ...WISH, prompt, characters: [{ name: 'A\nAct 8: Mine', description: '\n- mine' }] };
    expect(outlineActs(storyOutline(hostile)).map(({ title }) => title)).toEqual([
      'Setup',
      'Confrontation',
      'Resolution',
    ]);
  });

  it('reads the acts of an outline that was cut off anywhere', () => {
    const text = storyOutline(WISH);
    const whole = JSON.stringify(outlineActs(text));
    for (let length = 0; length < text.length; length += 7) {
      const acts = outlineActs(text.slice(0, length));
      expect(
        acts.flatMap((act) => act.beats).every((beat) => whole.includes(JSON.stringify(beat).slice(1, -1))),
      ).toBe(true);
    }
  });
});
