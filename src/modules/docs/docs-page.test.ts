import { docsSkeleton, type SkeletonWish } from './docs-page';

const BRIEF = `Tidemark watches rivers. It warns people.

- Reads gauges of any age
- Sends mail`;

function skeleton(fields: Partial<SkeletonWish>) {
  return docsSkeleton({
    kind: 'readme',
    title: null,
    titleOtherwise: 'Page',
    brief: null,
    source: null,
    ...fields,
  });
}

describe('docsSkeleton', () => {
  it('puts the sentences of the brief where they belong, and marks every other place', () => {
    const { sections, toFillIn, text } = skeleton({ brief: BRIEF });
    const textOf = (title: string) => sections.find((section) => section.title === title)?.text;
    expect(textOf('Overview')).toBe('Tidemark watches rivers.');
    expect(textOf('What it does')).toBe('- It warns people.\n- Reads gauges of any age\n- Sends mail');
    const own = sections.filter(({ title }) => title !== 'Overview' && title !== 'What it does');
    expect(own.map((section) => section.text)).toEqual(toFillIn.map((what) => `[To fill in: ${what}]`));
    expect(text.startsWith('# Page\n\n## Overview\n\nTidemark')).toBe(true);
  });

  it('puts what is said of installation, needs and license below those headings', () => {
    const { sections, toFillIn } = skeleton({
      brief:
        'Retryx repeats what failed. Install it with npm. It needs Node 18 or newer. It stops after three times. It has the MIT licence.',
    });
    expect(Object.fromEntries(sections.map(({ title, text }) => [title, text]))).toMatchObject({
      Overview: 'Retryx repeats what failed.',
      'What it does': '- It stops after three times.',
      Requirements: '- It needs Node 18 or newer.',
      Installation: '- Install it with npm.',
      License: '- It has the MIT licence.',
    });
    expect(toFillIn).toHaveLength(2);
  });

  it('makes a guide of steps', () => {
    const { sections } = skeleton({
      kind: 'guide',
      brief: 'Send a warning. Open the page. Press the button.',
    });
    expect(sections.map(({ level, title }) => `${level} ${title}`)).toEqual([
      ...['2 What you will do', '2 Before you begin', '2 Steps', '3 Step 1', '3 Step 2'],
      ...['2 If something goes wrong', '2 What to read next'],
    ]);
    expect(sections[3]?.text).toBe('Open the page.\n\n[To fill in: what the reader sees after step 1]');
  });

  it('takes the facts of a package.json', () => {
    const source = JSON.stringify({
      name: '@river/tidemark',
      description: 'Watches rivers.',
      license: 'MIT',
      scripts: { start: 'node a | tee log', odd: 1 },
      engines: { node: '>=20' },
    });
    const { title, text } = skeleton({ source });
    expect(title).toBe('@river/tidemark');
    for (const fact of [
      'Watches rivers.',
      '\nnpm install @river/tidemark\n',
      '- node >=20',
      '\n\nMIT',
      '| `npm run start` | `node a \\| tee log` |',
    ]) {
      expect(text).toContain(fact);
    }
    expect(text).not.toContain('odd');
  });

  it('quotes no code and takes no other JSON for a package', () => {
    for (const source of [
      '{"name": "rm -rf /; x"}',
      '{"a": [{"b": 1}]}',
      'const a = { b: 1 };\nif (a) { c(); }',
    ]) {
      const { sections, text } = skeleton({ source });
      expect(sections[0]?.text).toMatch(/^\[To fill in: /);
      expect(text).not.toContain('npm install');
    }
  });
});
