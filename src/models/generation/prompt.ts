import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { detectLanguage } from '../../text/detect-language';
import type { ChatMessage, ContentPart } from '../model-provider';

const FOLDER = join(__dirname, 'prompts');
const HEAD = /^---\nversion: (\d+)\n---\n/;
const PLACE = /\{\{([a-z_]+)\}\}/g;
const CHOICE = /^[\p{L}\p{N} ,.():;_'-]{1,1000}$/u;
const BLOCK_NAME = /^[a-z][a-z0-9_]*$/;

function read(name: string): { readonly version: number; readonly text: string } {
  const file = readFileSync(join(FOLDER, `${name}.md`), 'utf8');
  const [head = '', version] = HEAD.exec(file) ?? [];
  if (version === undefined) {
    throw new Error(`the prompt ${name} does not begin with its version`);
  }
  return { version: Number(version), text: file.slice(head.length).trim() };
}

const MATERIAL_RULES = read('rules-of-material').text;
const JSON_RULES = read('rules-of-json').text;

/** Functions run only when a model is asked: most calls of an installation without models ask none. */
export type Choices = Readonly<Record<string, string | number | (() => string)>>;

interface PromptParts {
  readonly choices?: Choices;
  readonly material: Readonly<Record<string, string | null>>;
}

export class PromptFile {
  private readonly version: number;
  private readonly text: string;

  constructor(private readonly name: string) {
    ({ version: this.version, text: this.text } = read(name));
  }

  /** @throws RangeError where places and choices do not match, or a choice may be a caller's text */
  fill({ choices = {}, material }: PromptParts): Prompt {
    const places = new Set([...this.text.matchAll(PLACE)].map(([, place = '']) => place));
    const faults = [
      ...[...places].filter((place) => !Object.hasOwn(choices, place)).map((place) => `${place} is missing`),
      ...Object.keys(choices)
        .filter((name) => !places.has(name))
        .map((name) => `${name} has no place`),
      ...Object.entries(choices)
        .filter(([, choice]) => typeof choice !== 'function' && !CHOICE.test(String(choice)))
        .map(([name]) => `${name} is no choice`),
      ...Object.keys(material)
        .filter((name) => !BLOCK_NAME.test(name))
        .map((name) => `${name} is no name of material`),
    ];
    if (faults.length > 0) {
      throw new RangeError(`the prompt ${this.name} cannot be filled: ${faults.join(', ')}`);
    }
    const given = Object.entries(material).filter((entry): entry is [string, string] => entry[1] !== null);
    return new Prompt(`${this.name}/${this.version}`, () => this.taskWith(choices), given);
  }

  private taskWith(choices: Choices): string {
    return this.text.replace(PLACE, (_, place: string) => {
      const choice = choices[place];
      return String(typeof choice === 'function' ? choice() : choice);
    });
  }
}

export interface Correction {
  readonly note: string;
  /** May hold words of the caller's text, as a faulty answer does. */
  readonly material: Readonly<Record<string, string>>;
}

/** Material stands between two tags with a code drawn per call, so that no text can end its tag and give orders. */
export class Prompt {
  private made: { readonly task: string; readonly code: string } | null = null;

  constructor(
    readonly id: string,
    private readonly taskOf: () => string,
    private readonly material: readonly (readonly [name: string, text: string])[],
  ) {}

  messages(
    answer: 'json' | 'text',
    { media = [], second }: { readonly media?: readonly ContentPart[]; readonly second?: Correction } = {},
  ): ChatMessage[] {
    const { task, code } = (this.made ??= this.make());
    const rules = MATERIAL_RULES.replaceAll('{{code}}', code);
    const instructions = [
      task,
      ...(answer === 'json' ? [JSON_RULES] : []),
      rules,
      ...(second ? [second.note] : []),
    ];
    const blocks = [...Object.entries(second?.material ?? {}), ...this.material];
    const text = blocks.map(([name, block]) => fenced(name, block, code)).join('\n');
    return [
      { role: 'system', content: instructions.join('\n\n') },
      { role: 'user', content: media.length === 0 ? text : [{ type: 'text', text }, ...media] },
    ];
  }

  private make() {
    const task = this.taskOf();
    return { task, code: unusedCode([task, ...this.material.map(([, text]) => text)]) };
  }
}

function fenced(name: string, text: string, code: string): string {
  const tag = `${name}-${code}`;
  // A faulty answer may have repeated the code.
  return `<${tag}>\n${text.replaceAll(code, '')}\n</${tag}>`;
}

/** 18 digits cannot be guessed, but texts are searched all the same. Digits always cost the same tokens. */
function unusedCode(texts: readonly string[]): string {
  for (;;) {
    const code = [randomInt(1e9), randomInt(1e9)].map((part) => String(part).padStart(9, '0')).join('');
    if (!texts.some((text) => text.includes(code))) {
      return code;
    }
  }
}

const NAMES = new Intl.DisplayNames('en', { type: 'language' });

/** In words for a prompt, such as `German (de)`. */
export function languageOf(text: string, otherwise = 'the language of the material'): () => string {
  return () => {
    const code = detectLanguage(text);
    return code === null ? otherwise : `${NAMES.of(code) ?? code} (${code})`;
  };
}
