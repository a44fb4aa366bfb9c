const PLACE = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g;
/** Braces that remain when all places are taken out: a place that is not written correctly. */
const BROKEN_PLACE = /\{\{|\}\}/;

/**
 * A prompt with places for texts from clients, such as `Summarize {{text}} in {{language}}.` Each text is put at its
 * place between tags that occur in none of the texts, so that a text cannot close its tag and continue as if it were
 * the prompt.
 */
export class PromptTemplate {
  private readonly parts: readonly string[];
  private readonly names: ReadonlySet<string>;

  /** @throws RangeError for braces that are no place: a mistake in this service's own prompt */
  constructor(template: string) {
    // Splitting by a pattern with one group gives the prompt's own text at even indices and the names at odd ones.
    this.parts = template.split(PLACE);
    this.names = new Set(this.parts.filter((_, index) => index % 2 === 1));
    if (this.parts.some((part, index) => index % 2 === 0 && BROKEN_PLACE.test(part))) {
      throw new RangeError('a place of a prompt is written {{name}}');
    }
  }

  /**
   * The prompt with every text at its place. Texts are never read as templates, whatever braces or tags they hold.
   * @throws RangeError when a name of the template has no text, or a text no name in the template
   */
  fill(texts: Readonly<Record<string, string>>): string {
    const given = Object.keys(texts);
    const faults = [
      ...[...this.names].filter((name) => !Object.hasOwn(texts, name)).map((name) => `${name} is missing`),
      ...given.filter((name) => !this.names.has(name)).map((name) => `${name} has no place`),
    ];
    if (faults.length > 0) {
      throw new RangeError(`the prompt cannot be filled: ${faults.join(', ')}`);
    }
    const suffix = unusedSuffix(Object.values(texts));
    return this.parts
      .map((part, index) => (index % 2 === 0 ? part : delimit(`${part}${suffix}`, texts[part] ?? '')))
      .join('');
  }
}

function delimit(tag: string, text: string): string {
  return `<${tag}>\n${text}\n</${tag}>`;
}

/**
 * A suffix for tags that makes them occur in no text: the empty one, or a hyphen and the first number that no tag in
 * the texts has. A text has fewer numbers than characters, so the search ends.
 */
function unusedSuffix(texts: readonly string[]): string {
  const used = new Set(
    texts.flatMap((text) => text.match(/<\/?[a-z][a-z0-9_]*(?:-\d+)?/gi) ?? []).map(suffixOf),
  );
  if (!used.has('')) {
    return '';
  }
  for (let number = 1; ; number += 1) {
    if (!used.has(`-${number}`)) {
      return `-${number}`;
    }
  }
}

function suffixOf(tag: string): string {
  return /-\d+$/.exec(tag)?.[0] ?? '';
}

/** A template with the texts for its places. */
interface Prompt {
  readonly template: PromptTemplate;
  readonly variables: Readonly<Record<string, string>>;
}

/**
 * A prompt of parts, which follow each other without a space. A part is left out if the text for its place is null.
 * @throws RangeError as PromptTemplate does
 */
export function promptOf(parts: readonly string[], texts: Readonly<Record<string, string | null>>): Prompt {
  const given = Object.entries(texts).filter((entry): entry is [string, string] => entry[1] !== null);
  const kept = parts.filter((part) =>
    [...part.matchAll(PLACE)].every(([, name = '']) => texts[name] !== null),
  );
  return { template: new PromptTemplate(kept.join('')), variables: Object.fromEntries(given) };
}
