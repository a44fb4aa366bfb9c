import { DefaultNamingStrategy, type ColumnOptions } from 'typeorm';
import { snakeCase } from '../runtime/json';

/** In snake case, as the SQL of migrations and repositories writes them. */
export class SnakeCaseNames extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string, embeddedPrefixes: string[]): string {
    return snakeCase([...embeddedPrefixes, customName || propertyName].join('_'));
  }
}

/** Without the transformer it would be a string, as the driver returns it. */
export const bigintColumn: ColumnOptions = {
  type: 'bigint',
  transformer: {
    from: (text: string | null) => (text === null ? null : BigInt(text)),
    to: (value: bigint | null) => value?.toString() ?? value,
  },
};

/** A list of columns for SELECT or RETURNING, each under the name of its property: `webhook_id AS "webhookId"`. */
export function asProperties(columns: string): string {
  const propertyOf = (name: string) => name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
  return columns.replaceAll(/\w+/g, (name) => `${name} AS "${propertyOf(name)}"`);
}
