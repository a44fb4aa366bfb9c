import { isEmail } from 'class-validator';
import { ValidationFailed } from '../../errors/request-errors';
import { hasInvisible, mixesScripts } from './look-alikes';

const LENGTH_MAX = 254;

/**
 * The one form in which an e-mail address is stored, looked up and counted: Unicode NFKC in lower case. JavaScript's
 * lower case knows no locale, and nothing but this function decides which spellings are one address: Postgres' lower()
 * depends on the database, and where the two differed, a spelling reached an account whose failed logins were counted
 * under another. The second NFKC puts accents in order that lower case has set free (İ with a dot below).
 */
export function normalEmail(text: string): string {
  return text.normalize('NFKC').toLowerCase().normalize('NFKC');
}

/** Whether a normal form is an address. That of an address may be none, or far longer: ＠ becomes @, ﷺ 18 letters. */
export function isNormalEmail(form: string): boolean {
  return form.isWellFormed() && form.length <= LENGTH_MAX && isEmail(form);
}

/**
 * What is wrong with an address for a new account, for whoever chose it; null where it may have one. Older accounts may
 * have addresses that are refused here, and log in with them.
 */
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

/**
 * The normal form of an address for a new account.
 * @throws ValidationFailed where it may have none
 */
export function emailOfNewAccount(text: string): string {
  const message = faultOfNewEmail(text);
  if (message !== null) {
    throw new ValidationFailed([{ field: 'email', message }]);
  }
  return normalEmail(text);
}
