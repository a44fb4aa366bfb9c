import { Expose, Transform } from 'class-transformer';
import { IsIn, IsInt, Matches, Max, Min, MinLength } from 'class-validator';

/** The environment variable of each property that is read from one. */
export const VARIABLES = new Map<string, string>();

/** Fills the property from the environment variable of that name; faults and docs/configuration.md call it so too. */
export function Variable(name: string) {
  return (target: object, property: string): void => {
    Expose({ name })(target, property);
    VARIABLES.set(property, name);
  };
}

export const Whole = (min: number, max: number) => (target: object, property: string) => {
  const decorators = [Max(max), Min(min), IsInt(), Transform(({ value }) => wholeNumber(value))];
  decorators.forEach((decorate) => decorate(target, property));
};

/** What is no whole number stays as it is, for IsInt to refuse. */
function wholeNumber(value: unknown): unknown {
  return /^\d+$/.test(String(value)) ? Number(value) : value;
}

const FLAGS = new Map<unknown, boolean>([
  ['true', true],
  ['false', false],
]);

export const Flag = () => (target: object, property: string) => {
  IsIn([...FLAGS.values()])(target, property);
  Transform(({ value }) => FLAGS.get(value) ?? (value as unknown))(target, property);
};

export const HttpUrl = () =>
  Matches(/^https?:\/\/[^\s]+$/, { message: 'must be an http:// or https:// URL' });
export const Secret = () => MinLength(32, { message: 'must be at least 32 bytes' });
export const PostgresUrl = () => Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// URL' });
