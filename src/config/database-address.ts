/**
 * What is wrong with a password that is given beside the address of the database: null where nothing is.
 *
 * @param url DATABASE_URL
 * @param password DATABASE_PASSWORD, which may hold any characters
 */
export function databasePasswordFault(url: string | undefined, password: string | undefined): string | null {
  if (password === undefined) {
    return null;
  }
  if (url === undefined || !URL.canParse(url) || new URL(url).username === '') {
    return 'DATABASE_PASSWORD needs a DATABASE_URL that names a host and a user';
  }
  return new URL(url).password === ''
    ? null
    : 'DATABASE_URL holds a password, so DATABASE_PASSWORD must not be set';
}

/** The address with the password in it. */
export function databaseAddress(url: string | undefined, password: string | undefined): string | null {
  if (url === undefined || password === undefined) {
    return url ?? null;
  }
  const address = new URL(url);
  // The setter leaves some characters alone that have a meaning to those who take the address apart, such as %.
  address.password = encodeURIComponent(password);
  return address.href;
}
