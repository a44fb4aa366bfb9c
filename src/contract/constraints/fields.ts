import 'reflect-metadata';

export interface FieldPolicy {
  /** Whether fields that the class does not declare are accepted and kept; otherwise they are refused. */
  keepsUnknown?: boolean;
  /** How many fields there must be at least, counting unknown and defaulted ones. */
  min?: number;
  max?: number;
}

const POLICY = 'contract:field-policy';

/** What a class says about its fields as a whole. A class without it refuses unknown fields. */
export function Fields(policy: FieldPolicy): ClassDecorator {
  return (target) => Reflect.defineMetadata(POLICY, policy, target);
}

export function fieldPolicyOf(target: object): FieldPolicy {
  return (Reflect.getMetadata(POLICY, target) as FieldPolicy | undefined) ?? {};
}
