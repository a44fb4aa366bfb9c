import { isEmail } from 'class-validator';

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
