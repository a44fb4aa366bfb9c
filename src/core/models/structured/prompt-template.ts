const PLACE = /\{\{\s*([a-z][a-z0-9_]*)\s*\}\}/g;
/** What is left of a place that was not written as one. */
const BROKEN_PLACE = /\{\{|\}\}/;

/**
 * A prompt with places for texts of others: `Summarize {{text}} in {{language}}.` Each text stands at its place between
 * tags that occur in none of the texts, so that it cannot end its own place and go on as if it were the prompt.
 */
export class PromptTemplate {
  private readonly parts: readonly string[];
  private readonly names: ReadonlySet<string>;

  /** @throws RangeError for braces that are no place, which is a fault of ours */
  constructor(template: string) {
    // Splitting by a pattern with one group leaves the prompt's own text at even places and the names at odd ones.
    this.parts = template.split(PLACE);
    this.names = new Set(this.parts.filter((_, index) => index % 2 === 1));
    if (this.parts.some((part, index) => index % 2 === 0 && BROKEN_PLACE.test(part))) {
      throw new RangeError('a place of a prompt is written {{name}}');
    }
  }

  /**
   * The prompt with every text at its place. Texts are never read as templates, whatever braces or tags they hold.
   * @throws RangeError when a name is missing or not in the template
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
 * What makes the tags ones that no text contains: nothing, or the first number that stands in none of them behind a
 * hyphen. A text of any length can't hold more numbers than it has characters, so the search ends.
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
