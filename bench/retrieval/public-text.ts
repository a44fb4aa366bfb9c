import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** A text that anybody has after `npm ci`: what packages write of themselves, as prose. */
export interface PublicText {
  /** Its path below node_modules. */
  name: string;
  /** Without headings and without code. */
  content: string;
  sections: PublicSection[];
}

/** The stretch of a text that stood below a heading: `content.slice(start, end)`, in UTF-16 units. */
export interface PublicSection {
  heading: string;
  start: number;
  end: number;
}

const ROOT = 'node_modules';
/** Shorter ones are mostly badges and a licence. */
const LENGTH_MIN = 500;
const LENGTH_MAX = 390_000;
/** Lists of changes and of names are no prose. */
const NO_PROSE = /change|licen|history|notice|ecosystem/i;

/**
 * The manuals and READMEs of the packages that the lock file names and that are installed on every system, in the order of
 * their names. The same lock file gives the same texts.
 */
export function publicTexts(): PublicText[] {
  const files = packages().flatMap((folder) => markdownFiles(folder));
  const texts = files.map((file) => proseOf(relative(ROOT, file), readFileSync(file, 'utf8')));
  const distinct = new Map(texts.map((text) => [text.content, text]));
  return [...distinct.values()].filter(
    ({ content }) => content.length >= LENGTH_MIN && content.length <= LENGTH_MAX,
  );
}

interface LockFile {
  packages: Record<string, { optional?: boolean; link?: boolean }>;
}

/** The folders of all packages but those that only some systems install. */
function packages(): string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
  return Object.entries(lock.packages)
    .filter(([path, { optional }]) => path.startsWith(`${ROOT}/`) && !optional)
    .map(([path]) => path)
    .sort();
}

function markdownFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        return entry.name === 'node_modules' || NO_PROSE.test(entry.name) ? [] : markdownFiles(path);
      }
      return /\.md$/i.test(entry.name) && !NO_PROSE.test(entry.name) ? [path] : [];
    });
}

function proseOf(name: string, markdown: string): PublicText {
  const sections: PublicSection[] = [];
  let content = '';
  for (const part of markdown.replaceAll(/^ *(```+|~~~+)[^]*?^ *\1/gm, '').split(/^#{1,6} /m)) {
    const [first = '', ...rest] = part.split('\n');
    const heading = sections.length === 0 && content === '' && !markdown.startsWith('#') ? '' : first;
    const body = plainProse((heading === '' ? [first, ...rest] : rest).join('\n'));
    if (body !== '') {
      sections.push({
        heading: plainProse(heading),
        start: content.length,
        end: content.length + body.length,
      });
      content += `${body}\n\n`;
    }
  }
  return { name, content, sections };
}

/** Without marks, addresses, HTML and tables. */
function plainProse(markdown: string): string {
  return markdown
    .replaceAll(/<!--[^]*?-->|<[^<>]{0,500}>/g, ' ')
    .replaceAll(/!\[[^\]]*\]\([^)]*\)|!\[[^\]]*\]\[[^\]]*\]/g, ' ')
    .replaceAll(/\[([^[\]]*)\](?:\([^)]*\)|\[[^\]]*\])/g, '$1')
    .replaceAll(/^\s*\|.*$|^\[[^\]]*\]:.*$|https?:\/\/\S+/gm, '')
    .replaceAll(/[`*#]|^\s*[-+>] /gm, '')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n ?(?:\n ?)+/g, '\n\n')
    .trim();
}
