import { Unprocessable } from '../../core/errors/request-errors';

const PLACE = /\{\{\s*([a-z][a-z0-9_]{0,63})\s*\}\}/g;
const INPUT_PLACE = /^input_([1-9][0-9]?)$/;
/** Of a prompt whose places are filled, in UTF-16 units. */
const FILLED_LENGTH_MAX = 400_000;

/** A caller's prompt with places such as `{{name}}`. */
export class PromptPlaces {
  /** The names of its places, each once. */
  readonly names: ReadonlySet<string>;

  constructor(private readonly prompt: string) {
    this.names = new Set([...prompt.matchAll(PLACE)].map(([, name]) => name ?? ''));
  }

  /**
   * Puts a value into every place.
   * @throws Unprocessable where the result would be too long
   */
  fill(values: ReadonlyMap<string, string>): string {
    const longer = [...this.prompt.matchAll(PLACE)].reduce(
      (sum, [place, name = '']) => sum + (values.get(name) ?? '').length - place.length,
      this.prompt.length,
    );
    if (longer > FILLED_LENGTH_MAX) {
      throw new Unprocessable(
        `The prompt with its places filled has more than ${FILLED_LENGTH_MAX} characters.`,
      );
    }
    return this.prompt.replace(PLACE, (_, name: string) => values.get(name) ?? '');
  }

  /** The index of the input that a place is for; null for one that takes a variable. */
  static inputOf(name: string): number | null {
    const match = INPUT_PLACE.exec(name);
    return match ? Number(match[1]) - 1 : null;
  }
}
