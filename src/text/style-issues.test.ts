import { styleIssues, type StyleIssueType } from './style-issues';

const of = (text: string, type: StyleIssueType) =>
  styleIssues(text)
    .filter((issue) => issue.type === type)
    .map(({ before, after }) => [before, after]);

describe('styleIssues', () => {
  it('replaces wordy phrases, with their capital', () => {
    const text = 'In order to win, we utilize it due to\nthe fact that it should be noted that they left.';
    expect(of(text, 'wordy_phrase')).toEqual([
      ['In order to', 'To'],
      ['utilize', 'use'],
      ['due to\nthe fact that', 'because'],
      ['it should be noted that they', 'they'],
    ]);
    expect(
      of('Needless to say, we left. It is, for all intents and purposes, over.', 'wordy_phrase'),
    ).toEqual([
      ['Needless to say, we', 'We'],
      [', for all intents and purposes,', ''],
    ]);
    expect(of('We left, needless to say. It is important to note that', 'wordy_phrase')).toEqual([
      [', needless to say', ''],
    ]);
  });

  it('finds the passive voice, and no adjectives', () => {
    const text =
      'The door was quickly opened. It is not known. They were tired, and he is interested. It was opened.';
    expect(of(text, 'passive_voice').map(([before]) => before)).toEqual([
      'was quickly opened',
      'is not known',
      'was opened',
    ]);
  });

  it('finds repeated words and sentences', () => {
    const text = 'We saw the the house. He had had it in Walla Walla. We saw the the house!';
    expect(of(text, 'repeated_word')).toEqual([
      ['the the', 'the'],
      ['the the', 'the'],
    ]);
    expect(of(text, 'duplicate_sentence')).toEqual([['We saw the the house!', '']]);
  });

  it('finds vague words, worn phrases and adverbs, each once', () => {
    const text =
      'At the end of the day it is a very good plan that they badly need, clearly, for the family.';
    expect(of(text, 'weasel_word')).toEqual([
      ['very', null],
      ['clearly', null],
    ]);
    expect(of(text, 'cliche')).toEqual([['At the end of the day', null]]);
    expect(of(text, 'adverb')).toEqual([['badly', null]]);
  });

  it('finds wide gaps and spaces before marks, but no aligned columns', () => {
    expect(of('One  two , three.\n  indented\na    b', 'spacing')).toEqual([
      ['  ', ' '],
      [' ', ''],
    ]);
  });

  it('finds sentences that are too long', () => {
    const long = `Many ${'word '.repeat(29)}end.`;
    expect(of(`Short one. ${long}`, 'long_sentence')).toEqual([[long, null]]);
    expect(of(`Many ${'word '.repeat(28)}end.`, 'long_sentence')).toEqual([]);
  });

  it('quotes what stands there, in order, and looks for English faults in English only', () => {
    const german =
      'Der Vertrag war in der Regel sehr very lang, und die die Parteien waren nicht zufrieden damit.';
    const issues = styleIssues(german);
    expect(issues.map(({ type }) => type)).toEqual(['repeated_word']);
    for (const { start, end, before } of issues) {
      expect(german.slice(start, end)).toBe(before);
    }
  });
});
