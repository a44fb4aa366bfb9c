import Ajv2020 from 'ajv/dist/2020';
import { definitions } from '../../generated/schemas';
import { formats } from './formats';

export interface CompilerOptions {
  /** Whether every value arrives as text and has to be read as the type that its schema names. */
  fromText: boolean;
  /** Whether to go on after the first fault. The verdict is the same either way. */
  allErrors: boolean;
}

/** An Ajv with the document's schemas as `contract#/$defs/Name`; it fills in defaults. */
export function schemaCompiler({ fromText, allErrors }: CompilerOptions): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors,
    coerceTypes: fromText,
    useDefaults: true,
    // What describeFaults needs of the schema; it costs a valid value nothing.
    verbose: true,
    strict: false,
    // JSON.parse reads 1e400 as Infinity, which strict numbers refuse. For values read from text they are off: with
    // them Ajv would not compare an infinite number with the bounds, and there it is the bounds that refuse it.
    strictNumbers: !fromText,
    formats,
  });
  ajv.addSchema({ $id: 'contract', $defs: definitions });
  return ajv;
}
