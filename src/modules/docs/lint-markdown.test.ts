import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintMarkdown } from './docs.jobs';

const README = readFileSync(join(__dirname, '../../../test/fixtures/docs/readme.md'), 'utf8');

/** The rules that a page breaks, each with the words of the place. */
function broken(page: string): string[] {
  return lintMarkdown(page).lint.map(({ rule, start, end }) => `${rule}: ${page.slice(start, end)}`);
}

describe('lintMarkdown', () => {
  it('finds the faults of a README, each in its line', () => {
    const { lint, more } = lintMarkdown(README);
    expect(more).toBe(0);
    expect(lint.map(({ rule, line }) => `${line} ${rule}`)).toEqual([
      '6 missing_alt_text',
      '10 broken_anchor',
      '12 heading_level_skipped',
      '14 fence_without_language',
      '18 bare_url',
      '19 trailing_spaces',
      '25 list_number_skipped',
      '25 bare_url',
      '28 list_markers_differ',
      '36 unfinished',
      '45 empty_link',
    ]);
  });

  it('finds nothing wrong with a page that is well', () => {
    const page = `---
title: "# no heading  "
---

# Notes

See [use](#use), [it](https://notes.example/a_(b)), <https://notes.example>, [\`code\`](#how-code-works) and [x][ref].
![a gauge](gauge.png) <img src="x.png" alt=""> <a id="old"></a> [old](#old)

1. One
1. Two

- a
  - b
    continued

  A paragraph of the item.
- c

* * *

## Use

\`\`\`\`md
# inside  
\`\`\`
http://inside.example
\`\`\`\`

## How \`code\` works

1. First
2. Second

<!-- ${'TO' + 'DO'}: said to nobody
http://comment.example
-->

| Address |
| --- |
| \`http://table.example\` |

[ref]: https://notes.example/ref
`;
    expect(broken(page)).toEqual([]);
  });

  it('wants one title, no level left out and no name twice under one heading', () => {
    const page =
      '# A\n\n## B\n\n### Added\n\n## C\n\n### Added\n\n#### D\n\n## b\n\n# E\n\n### F\n\nG\n---\n';
    expect(broken(page)).toEqual([
      'duplicate_heading: ## b',
      'several_titles: # E',
      'heading_level_skipped: ### F',
    ]);
  });

  it('knows the anchors of repeated headings, of other scripts and of HTML', () => {
    const page =
      '# Ü ber\n\n## A\n\n## A\n\n<a name="here"></a>\n\n[1](#a-1) [2](#%C3%BC-ber) [3](#here) [4](#a-2) [5](#top)\n';
    expect(broken(page).filter((each) => each.startsWith('broken'))).toEqual(['broken_anchor: #a-2']);
  });

  it('tells fences that are open from those that are closed', () => {
    expect(broken('```sh\nx\n~~~\n``\n')).toEqual(['fence_not_closed: ```sh']);
    expect(broken('~~~sh\n```\n~~~~\n')).toEqual([]);
    expect(broken('- item\n\n  ```\n  x\n  ```\n')).toEqual(['fence_without_language:   ```']);
  });

  it('finds spaces at the end of lines, but no line breaks and none in code', () => {
    expect(broken('a  \nb \nc   \n \n```sh\nd \n```\n')).toEqual([
      'trailing_spaces:  ',
      'trailing_spaces:    ',
      'trailing_spaces:  ',
    ]);
  });

  it('finds what is too long', () => {
    const sentence = `${'word '.repeat(41).trim()}.`;
    expect(broken(`# T\n\n${sentence}\n`)).toEqual([`long_sentence: ${sentence}`]);
    expect(broken(`${'Short ones. '.repeat(50).trim()}\n`)[0]).toMatch(/^long_line: /);
    expect(broken(`\`\`\`sh\n${sentence.repeat(9)}\n\`\`\`\n`)).toEqual([]);
  });

  it('finds lists that change their mark or leave a number out, but not other lists', () => {
    expect(broken('- a\n* b\n')).toEqual(['list_markers_differ: * b']);
    expect(broken('- a\n  * b\n- c\n\nText.\n\n* d\n')).toEqual([]);
    expect(broken('1. a\n2. b\n5. c\n')).toEqual(['list_number_skipped: 5. c']);
    expect(broken('1. a\n1. b\n1. c\n\n## H\n\n3. d\n4. e\n')).toEqual([]);
    expect(broken('1. a\n   - x\n2. b\n')).toEqual([]);
  });

  it('keeps the places right in a page with CRLF and characters of two units', () => {
    const page = '# 🐝\r\n\r\nSee http://bees.example.\r\n\r\n### C \r\n';
    expect(broken(page)).toEqual([
      'bare_url: http://bees.example',
      'heading_level_skipped: ### C',
      'trailing_spaces:  ',
    ]);
  });

  it('names the first 500 faults and counts the others', () => {
    const { lint, more } = lintMarkdown('Bees. \n'.repeat(700));
    expect([lint.length, more, lint[499]?.line]).toEqual([500, 200, 500]);
  });
});
