import type Ajv2020 from 'ajv/dist/2020';
import type { ValidateFunction } from 'ajv/dist/2020';
import { definitions } from '../../generated/schemas';
import { ValidationFailed, type ValidationDetail } from '../core/errors/request-errors';
import { findBadTexts } from './bad-text';
import { answeredFaults, describeFaults, type RequestPart } from './describe-faults';
import { readerAsMeant, type Reader } from './read-as-meant';
import { schemaCompiler } from './schema-compiler';

/**
 * A value of more members than this is judged until its first fault only, so that a request with a million faults costs
 * little more than one with a single fault.
 */
const MEMBERS_MAX = 4_000;

interface Compilers {
  first: Ajv2020;
  every: Ajv2020;
}

const ofJson = compilers({ fromText: false });
const ofTexts = compilers({ fromText: true });

/**
 * Reads one part of an operation's requests. Nearly every request is valid, so it is judged by a validator that stops
 * at the first fault; the one that finds them all is compiled and run when there is one.
 */
export class PartValidator {
  private readonly readAsMeant: Reader | null;
  private readonly accepts: ValidateFunction;
  private judge: ValidateFunction | null = null;

  constructor(
    private readonly part: RequestPart,
    private readonly schema: object,
  ) {
    this.readAsMeant = readerAsMeant(schema, definitions);
    this.accepts = this.compilers.first.compile(schema);
  }

  /** Whether a part without any field is valid. */
  takesNothing(): boolean {
    return this.accepts({});
  }

  /**
   * The value as it was meant, with defaults filled in.
   * @param known what is known to be wrong with the part already
   * @throws ValidationFailed for a part with faults, naming all of them, or the first where it has thousands of members
   */
  read(written: unknown, known: readonly ValidationDetail[] = []): unknown {
    const value = this.readAsMeant ? this.readAsMeant(written) : written;
    const faults = [...known, ...this.faultsOf(value)];
    if (faults.length > 0) {
      throw new ValidationFailed(answeredFaults(faults, this.part));
    }
    return value;
  }

  private faultsOf(value: unknown): ValidationDetail[] {
    if (this.accepts(value)) {
      return findBadTexts(value);
    }
    if (hasManyMembers(value)) {
      return describeFaults(this.accepts.errors ?? [], value, this.part).slice(0, 1);
    }
    this.judge ??= this.compilers.every.compile(this.schema);
    this.judge(value);
    return [...describeFaults(this.judge.errors ?? [], value, this.part), ...findBadTexts(value)];
  }

  private get compilers(): Compilers {
    return this.part === 'body' ? ofJson : ofTexts;
  }
}

function compilers({ fromText }: { fromText: boolean }): Compilers {
  return {
    first: schemaCompiler({ fromText, allErrors: false }),
    every: schemaCompiler({ fromText, allErrors: true }),
  };
}

/** Whether a value has more members, at all depths, than are judged for every fault. */
function hasManyMembers(value: unknown): boolean {
  const open = [value];
  let members = 0;
  while (open.length > 0) {
    const next = open.pop();
    const inner: unknown[] = typeof next === 'object' && next !== null ? Object.values(next) : [];
    members += inner.length;
    if (members > MEMBERS_MAX) {
      return true;
    }
    open.push(...inner);
  }
  return false;
}
