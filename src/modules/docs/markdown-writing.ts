/** A text as code within a line. Its backticks do not end it. */
export function codeSpan(text: string): string {
  const line = text.replace(/\s+/gu, ' ').trim();
  if (!line.includes('`')) {
    return `\`${line === '' ? ' ' : line}\``;
  }
  const longest = Math.max(...(line.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line} ${fence}`;
}

/** A table. No cell can end its row or its column. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cellText).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

/**
 * A text of somebody else's as paragraphs of a section: its headings are made bold, so that they don't change the outline of
 * the page. What stands between fences is kept.
 */
export function embeddedParagraphs(text: string): string {
  let isCode = false;
  const lines = text
    .replaceAll('\r\n', '\n')
    .trim()
    .split('\n')
    .map((line) => {
      if (/^ {0,3}(?:```|~~~)/u.test(line)) {
        isCode = !isCode;
        return line;
      }
      const heading =
        isCode || line.length > 1_000 ? undefined : /^ {0,3}#{1,6}[ \t]+(\S.*)$/u.exec(line)?.[1];
      if (heading !== undefined) {
        return `**${heading.replace(/[ \t]#{1,6}$/u, '')}**`;
      }
      // A line of dashes or equals signs would make the line before it a heading.
      return !isCode && /^ {0,3}(?:=+|-+)[ \t]*$/u.test(line) ? '' : line;
    });
  // A fence that was left open would swallow the rest of the page.
  return (isCode ? [...lines, '```'] : lines).join('\n').trim();
}

/** A text as a heading: one line, which has no marks that end it. */
export function headingText(text: string): string {
  return text
    .replace(/\s+/gu, ' ')
    .replace(/^#+ | #+$/gu, '')
    .trim();
}

function cellText(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().replaceAll(/\\?\|/gu, '\\|');
}
