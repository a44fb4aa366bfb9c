import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { changelogOf, hasClassifiedCommits } from './changelog';

const COMMITS = readFileSync(join(__dirname, '../../../test/fixtures/docs/commits.txt'), 'utf8');

function sectionsOf(source: string): Record<string, string[]> {
  const { sections } = changelogOf({ source, version: null });
  return Object.fromEntries(
    sections.slice(1).map(({ title, text }) => [title, text.split('\n').map((line) => line.slice(2))]),
  );
}

describe('changelogOf', () => {
  it('groups commits by their types, each once, with scopes, hashes and what breaks', () => {
    expect(sectionsOf(COMMITS)).toEqual({
      Added: [
        '**Breaking:** **api:** name levels in metres, not in feet (b7d0a11)',
        '**gauge:** read gauges that speak Modbus (#41) (9f31c2e)',
      ],
      Changed: ['**store:** keep a day of readings in memory'],
      Deprecated: ['**cli:** the option --feet'],
      Removed: ['Removed the siren'],
      Fixed: [
        '**Breaking:** **mail:** send to more than 50 people — MAIL_TO is a list now',
        'warn only once per flood',
      ],
      Security: ['refuse tokens in addresses (8c4e9aa)'],
      'Not classified': ['wip'],
    });
  });

  it('counts a merge whose line begins with its hash', () => {
    const source = "a1b2c3d feat: new board\nfedcba9 Merge branch 'x'\n- Merge pull request #3 from x/y";
    expect(sectionsOf(source)).toEqual({ Added: ['new board (a1b2c3d)'] });
    expect(changelogOf({ source, version: null }).omitted).toEqual(['2 merges.']);
  });

  it('says what it leaves out, and that a release has no date yet', () => {
    const page = changelogOf({ source: COMMITS, version: '2.3.0' });
    expect(page.omitted).toEqual([
      '1 commit of type chore.',
      '1 commit of type docs.',
      '1 commit of type ci.',
      '1 merge.',
    ]);
    expect(page.text).toMatch(/^# Changelog\n\n## \[2\.3\.0\]\n\n\[To fill in: the date/);
    expect(changelogOf({ source: COMMITS, version: null }).toFillIn).toEqual([]);
  });

  it('reads a log as git prints it: subjects, and footers that say what breaks', () => {
    const log = `commit 9f31c2e0aa1122334455667788990011223344aa (HEAD -> main)
Author: Mara <mara@river.example>
Date:   Mon Nov 2 10:00:00 2026 +0100

    feat: read old gauges

    They are slow. fix: this is no subject.

    BREAKING CHANGE: they need a key

commit b7d0a1100aa1122334455667788990011223344a
Merge: 1 2
Author: Tom <tom@river.example>
Date:   Mon Nov 2 09:00:00 2026 +0100

    Merge branch 'main'
`;
    expect(sectionsOf(log)).toEqual({ Added: ['**Breaking:** read old gauges — they need a key (9f31c2e)'] });
    expect(changelogOf({ source: log, version: null }).omitted).toEqual(['1 merge.']);
  });

  it('goes by the first word where there is no type, and by nothing else', () => {
    const words = [
      'Add a map',
      'fixes the clock',
      'Dropped feet',
      'renames it',
      'Improved speed',
      'Adder: a snake',
      'note: x',
    ];
    expect(sectionsOf(words.join('\n'))).toEqual({
      Added: ['Add a map'],
      Changed: ['renames it', 'Improved speed'],
      Removed: ['Dropped feet'],
      Fixed: ['fixes the clock'],
      'Not classified': ['Adder: a snake', 'note: x'],
    });
  });

  it('tells a removal whatever its type, but keeps a fix a fix', () => {
    expect(sectionsOf('feat!: remove the old API\nrefactor: drop feet\nfix: remove a leak')).toEqual({
      Removed: ['**Breaking:** remove the old API', 'drop feet'],
      Fixed: ['remove a leak'],
    });
  });

  it('says that a change is reverted, and leaves both out where both are listed', () => {
    const log = 'Revert "feat: add a map"\nRevert: fix: the clock\nfeat: add a map\nfix: it';
    expect(sectionsOf(log)).toEqual({ Changed: ['Reverted: the clock'], Fixed: ['it'] });
    expect(changelogOf({ source: log, version: null }).omitted).toEqual(['1 reverted commit.']);
  });

  it('keeps a breaking change of a type that is left out otherwise', () => {
    expect(sectionsOf('chore!: drop Node 18')).toEqual({ Changed: ['**Breaking:** drop Node 18'] });
  });

  it('takes a word of hexadecimal letters for no hash', () => {
    expect(sectionsOf('defaced walls are washed\n1234567 fix: it')).toEqual({
      Fixed: ['it (1234567)'],
      'Not classified': ['defaced walls are washed'],
    });
  });

  it('has at most 2000 entries, and counts the others', () => {
    const source = Array.from({ length: 2_100 }, (_, n) => `feat: number ${n}`).join('\n');
    const page = changelogOf({ source, version: null });
    expect(page.sections[1]?.text.split('\n')).toHaveLength(2_000);
    expect(page.omitted).toEqual(['100 commits, because the page would be too long.']);
  });
});

describe('hasClassifiedCommits', () => {
  it('knows commits by a type or a first word, of which one is enough', () => {
    expect(hasClassifiedCommits(COMMITS)).toBe(true);
    expect(hasClassifiedCommits('wip\nfixed the build\n')).toBe(true);
    expect(hasClassifiedCommits('wip\nchore: renew the lock file')).toBe(true);
    expect(hasClassifiedCommits('/**\n * Adds one.\n */\nconst add = (n) => { return n + 1; };\n')).toBe(
      false,
    );
    expect(hasClassifiedCommits('There is a siren now, which everybody likes.')).toBe(false);
  });

  it('reads no more of a text than its beginning', () => {
    expect(hasClassifiedCommits(`${'wip\n'.repeat(2_000)}fix: the build`)).toBe(false);
  });
});
