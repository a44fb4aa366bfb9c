import { isEmail } from 'class-validator';
import { ValidationFailed } from '../errors/api-errors';

/** The scripts in wide use (Unicode Standard Annex 31, table 5). All others count as one script. */
const SCRIPTS = (
  'Latin Greek Cyrillic Armenian Georgian Hebrew Arabic Thaana Ethiopic Devanagari Bengali Gurmukhi Gujarati Oriya ' +
  'Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Khmer Han Hiragana Katakana Bopomofo Hangul'
).split(' ');
/** Chinese, Japanese and Korean mix these within a word. */
const WRITTEN_TOGETHER = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Bopomofo'],
  ['Latin', 'Han', 'Hangul'],
];

const inScripts = (scripts: readonly string[]) => scripts.map((script) => `\\p{Script=${script}}`).join('');
/** Common and Inherited characters, such as accents, go with all scripts. */
const WORDS: readonly RegExp[] = [
  ...[...SCRIPTS.map((script) => [script]), ...WRITTEN_TOGETHER].map(
    (scripts) => new RegExp(`^[\\p{Script=Common}\\p{Script=Inherited}${inScripts(scripts)}]*$`, 'u'),
  ),
  new RegExp(`^[^${inScripts(SCRIPTS)}]*$`, 'u'),
];

/** Control, format, private and unassigned characters, separators, and what is drawn as nothing. */
const INVISIBLE = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/u;

/** Characters that are unseen or turn the text around make it look like another. */
export function hasInvisible(text: string): boolean {
  return INVISIBLE.test(text);
}

/** Browsers' rule for showing a domain as written; look-alikes in one script pass. @param text in NFKC */
export function mixesScripts(text: string): boolean {
  const words = text.split(/[^\p{L}\p{M}\p{N}]+/u);
  return words.some((word) => !WORDS.some((letters) => letters.test(word)));
}

const LENGTH_MAX = 254;

/** Postgres' lower() depends on the database. The second NFKC orders accents that lowering set free (İ). */
export function normalEmail(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** A normal form may be invalid or far longer: ＠ becomes @, ﷺ 18 letters. */
export function isNormalEmail(form: string): boolean {
  return form.isWellFormed() && form.length <= LENGTH_MAX && isEmail(form);
}

export function faultOfNewEmail(text: string): string | null {
  const form = normalEmail(text);
  if (hasInvisible(text) || hasInvisible(form)) {
    return 'must have no spaces, control characters or characters that nobody sees';
  }
  if (mixesScripts(form)) {
    return 'must not mix letters of different scripts, such as Latin and Cyrillic, in one word';
  }
  return isNormalEmail(form) ? null : 'must be an e-mail address in its normal form';
}

export function emailOfNewAccount(text: string): string {
  const message = faultOfNewEmail(text);
  if (message !== null) {
    throw new ValidationFailed([{ field: 'email', message }]);
  }
  return normalEmail(text);
}
