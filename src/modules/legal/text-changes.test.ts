import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeededRandom } from '../../../test/support/seeded-random';
import { textChanges } from './text-changes';

const FIXTURES = join(__dirname, '../../../test/fixtures/legal');
const first = readFileSync(join(FIXTURES, 'nda-first.txt'), 'utf8');
const second = readFileSync(join(FIXTURES, 'nda-second.txt'), 'utf8');

describe('textChanges', () => {
  it('names exactly the sentences in which two versions of a contract differ', () => {
    const { similarity, changes } = textChanges(first, second);
    expect(changes.map(({ kind, before, after }) => [kind, before, after])).toEqual([
      [
        'changed',
        'The receiving party shall return or destroy the Confidential Information within 10 days after a written request.',
        'The receiving party shall return or destroy the Confidential Information within 30 days after a written request.',
      ],
      ['added', null, 'The receiving party shall pay a penalty of USD 250,000 for each breach.'],
      [
        'changed',
        'The duty of confidence survives for three years after the end of this Agreement.',
        'The duty of confidence survives without limit in time.',
      ],
      ['removed', '6. No License.', null],
      [
        'removed',
        'No license or other right in the Confidential Information is granted by this Agreement.',
        null,
      ],
      ['changed', '7. Governing Law.', '6. Governing Law.'],
      [
        'changed',
        'This Agreement shall be governed by the laws of the State of Delaware, without regard to its conflict of laws principles.',
        'This Agreement shall be governed by the laws of the State of Texas, without regard to its conflict of laws principles.',
      ],
      ['changed', '8. Entire Agreement.', '7. Entire Agreement.'],
    ]);
    expect(similarity).toBeGreaterThan(0.8);
    expect(similarity).toBeLessThan(0.95);
  });

  it('pairs each clause with itself where an inserted one numbers a hundred others anew', () => {
    const clauses = Array.from(
      { length: 100 },
      (_, index) => `The tenant cleans room ${index} every month at own cost.`,
    );
    const numbered = (list: readonly string[]) =>
      list.map((clause, index) => `${index + 1}. ${clause}`).join('\n');
    const inserted = 'The tenant cleans no car every month at own cost.';
    const { changes } = textChanges(numbered(clauses), numbered([inserted, ...clauses]));
    const bare = (written: string | null) => written?.replace(/^\d+\. /, '');
    expect(changes[0]).toMatchObject({ kind: 'added', after: `1. ${inserted}` });
    expect(changes.slice(1).filter(({ before, after }) => bare(before) !== bare(after))).toEqual([]);
  });

  it('gives the place of every change in both texts', () => {
    for (const change of textChanges(first, second).changes) {
      expect(first.slice(change.before_start, change.before_end)).toBe(change.before ?? '');
      expect(second.slice(change.after_start, change.after_end)).toBe(change.after ?? '');
    }
  });

  it('finds no change where only white space differs, and one where only a mark or a case does', () => {
    const wrapped = first.replaceAll('. The', '.\n   The').replaceAll('\n\n', '\n\n\n');
    expect(textChanges(first, wrapped)).toEqual({ similarity: 1, changes: [] });
    const marked = textChanges('The fee is due. Pay it.', 'The fee is due! Pay it.');
    expect(marked.changes).toMatchObject([
      { kind: 'changed', before: 'The fee is due.', after: 'The fee is due!' },
    ]);
    expect(marked.similarity).toBe(0.9999);
  });

  it('compares texts that have nothing in common, or nothing at all', () => {
    expect(textChanges('Alpha beta gamma.', 'Delta epsilon zeta.')).toMatchObject({
      similarity: 0,
      changes: [{ kind: 'removed' }, { kind: 'added' }],
    });
    expect(textChanges('', '')).toEqual({ similarity: 1, changes: [] });
    expect(textChanges('', 'New.').changes).toMatchObject([
      { kind: 'added', before_start: 0, before_end: 0 },
    ]);
  });

  it('turns one text into the other by its changes, whatever they are', () => {
    const random = new SeededRandom();
    const words = 'alpha beta gamma delta epsilon zeta'.split(' ');
    const sentence = () => `${random.pick(words)} ${random.pick(words)} ${random.pick(words)}.`;
    for (let round = 0; round < 200; round += 1) {
      const lines = Array.from({ length: random.between(0, 30) }, sentence);
      const edited = lines.flatMap((line) =>
        random.pick([[line], [line], [], [sentence()], [line, sentence()]]),
      );
      const [before, after] = [lines.join('\n\n'), edited.join('\n\n')];
      expect([random.seed, rebuilt(before, after)]).toEqual([random.seed, edited]);
    }
  });

  it('finds a bounded difference in time, however large the texts and however little they share', () => {
    const random = new SeededRandom(14);
    const noise = () =>
      Array.from({ length: 100_000 }, () => `${random.pick([...'abcdefgh'])}.`).join('\n\n');
    const [before, after] = [noise(), noise()];
    const started = process.cpuUsage();
    const { changes } = textChanges(before, after);
    const { user } = process.cpuUsage(started);
    expect(changes.length).toBeGreaterThan(1_000);
    expect(user / 1_000).toBeLessThan(9_000);
    expect(textChanges('x'.repeat(400_000), 'y'.repeat(400_000)).similarity).toBe(0);
    expect(textChanges('“ '.repeat(200_000), '” '.repeat(200_000)).similarity).toBe(0);
  });
});

/** The sentences of `after`, from those of `before` and the changes alone. */
function rebuilt(before: string, after: string): string[] {
  const sentences: string[] = [];
  let from = 0;
  for (const { before: was, after: is, before_start: beforeStart, before_end: beforeEnd } of textChanges(
    before,
    after,
  ).changes) {
    sentences.push(before.slice(from, was === null ? beforeEnd : beforeStart), is ?? '');
    from = beforeEnd;
  }
  sentences.push(before.slice(from));
  return sentences.flatMap((part) => part.split('\n\n')).filter((part) => part.trim() !== '');
}
