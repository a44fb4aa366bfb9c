import { isGiven, isObject, type JsonObject } from '../../../runtime/json';
import { ChainUnavailable } from '../payment-chain';

/** All bitcoins that there will ever be, in satoshis. */
const SUPPLY_BASE = 2_100_000_000_000_000;
const OBJECTS_MAX = 250_000;
const HEX_64 = /^[0-9a-f]{64}$/;
/** 2106-02-07, the last time that a block's header can hold. */
const UNIX_SECONDS_MAX = 2 ** 32 - 1;
const HEIGHT_MAX = 2 ** 31 - 1;

export class AnswerFields {
  private readonly fields: JsonObject;

  constructor(
    value: unknown,
    private readonly of: string,
  ) {
    if (!isObject(value)) {
      throw new ChainUnavailable(`${of}: the node answered no object`);
    }
    this.fields = value;
  }

  object(name: string): AnswerFields {
    return new AnswerFields(this.fields[name], `${this.of}.${name}`);
  }

  objects(name: string): AnswerFields[] {
    return answerObjects(this.fields[name], `${this.of}.${name}`);
  }

  optional<Value>(name: string, read: (fields: AnswerFields) => Value): Value | undefined {
    return isGiven(this.fields[name]) ? read(this) : undefined;
  }

  raw(name: string): unknown {
    return this.fields[name];
  }

  text(name: string): string {
    const value = this.fields[name];
    return typeof value === 'string' ? value : this.refuse(name);
  }

  hash(name: string): string {
    const value = this.text(name);
    return HEX_64.test(value) ? value : this.refuse(name);
  }

  texts(name: string): string[] {
    const value = this.fields[name] ?? [];
    if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string')) {
      return this.refuse(name);
    }
    return value;
  }

  flag(name: string): boolean {
    const value = this.fields[name];
    return typeof value === 'boolean' ? value : this.refuse(name);
  }

  integer(name: string, min: number, max: number): number {
    const value = this.fields[name];
    const isFitting = typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
    return isFitting ? value : this.refuse(name);
  }

  height(name: string): number {
    return this.integer(name, 0, HEIGHT_MAX);
  }

  time(name: string): Date {
    return new Date(this.integer(name, 0, UNIX_SECONDS_MAX) * 1_000);
  }

  satoshis(name: string): bigint {
    return BigInt(this.integer(name, 0, SUPPLY_BASE));
  }

  /** A double is exact to the satoshi for every possible amount. */
  bitcoins(name: string): bigint {
    const value = this.fields[name];
    const base = typeof value === 'number' ? Math.round(value * 1e8) : NaN;
    return base >= 0 && base <= SUPPLY_BASE ? BigInt(base) : this.refuse(name);
  }

  refuse(name: string): never {
    throw new ChainUnavailable(`${this.of}: the node answered nonsense as ${name}`);
  }
}

export function answerObjects(value: unknown, of: string): AnswerFields[] {
  if (!Array.isArray(value)) {
    throw new ChainUnavailable(`${of}: the node answered no list`);
  }
  if (value.length > OBJECTS_MAX) {
    throw new ChainUnavailable(`${of}: the node answered too long a list`);
  }
  return value.map((entry) => new AnswerFields(entry, of));
}
