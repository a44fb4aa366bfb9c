import type { ColumnOptions } from 'typeorm';

/** A bigint column as a bigint: the driver hands it over as a string. */
export const bigintColumn: ColumnOptions = {
  type: 'bigint',
  transformer: {
    from: (text: string | null) => (text === null ? null : BigInt(text)),
    to: (value: bigint | null) => value?.toString() ?? value,
  },
};
