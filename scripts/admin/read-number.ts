import { InvalidArgumentError } from 'commander';

/** A whole number of an option. */
export function whole(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+$/.test(text) || number < least || number > most) {
      throw new InvalidArgumentError(`It is a whole number from ${least} to ${most}.`);
    }
    return number;
  };
}

/** An amount in USD. */
export function amount(text: string): number {
  if (!/^\d+(?:\.\d{1,9})?$/.test(text) || Number(text) === 0) {
    throw new InvalidArgumentError('It is an amount in USD above 0, with at most nine decimals.');
  }
  return Number(text);
}

/** How many calls a rate limit allows; below 1 it is one call in more than one such time. */
export function rate(text: string): number {
  const number = Number(text);
  // Infinity would be sent as null, which means no limit.
  if (!/^\d+(?:\.\d+)?$/.test(text) || number === 0 || number === Infinity) {
    throw new InvalidArgumentError('It is a number above 0.');
  }
  return number;
}
