import { isEqual, shortly } from './schema-changes';

/** What an operation needs: one of the ways of `security`, each with the scopes of its credentials, and a role. */
export interface Guarded {
  security?: Record<string, string[]>[];
  'x-role'?: string;
}

/** A credential as `components.securitySchemes` describes it. */
type Scheme = Record<string, unknown>;

/**
 * What of the credentials themselves breaks those who show them, such as another name of their header. One that nothing takes
 * any more is complained about by each operation that took it.
 */
export function credentialChanges(old: Record<string, Scheme>, now: Record<string, Scheme>): string[] {
  return Object.entries(old).flatMap(([name, scheme]) => {
    const successor = now[name] ?? scheme;
    return [...new Set([...Object.keys(scheme), ...Object.keys(successor)])]
      .filter((word) => word !== 'description' && !word.startsWith('x-'))
      .filter((word) => !isEqual(scheme[word], successor[word]))
      .map(
        (word) =>
          `the credential ${name}: ${word} changed from ${shortly(scheme[word])} to ${shortly(successor[word])}`,
      );
  });
}

/** What an operation needs now that it did not need before, a sentence each. */
export function guardChanges(old: Guarded, now: Guarded): string[] {
  const [role, roleNow] = [old['x-role'], now['x-role']];
  const isNarrower = roleNow !== undefined && roleNow !== role;
  return [...wayChanges(old, now), ...(isNarrower ? [`is for the role ${roleNow} alone now`] : [])];
}

function wayChanges(old: Guarded, now: Guarded): string[] {
  const after = new Map(waysOf(now).map((way) => [nameOf(way), way]));
  return waysOf(old).flatMap((way) => {
    const name = nameOf(way);
    const successor = after.get(name);
    if (!successor) {
      return [`no longer takes ${name === '' ? 'calls without a credential' : name}`];
    }
    return Object.entries(successor).flatMap(([credential, scopes]) =>
      scopes
        .filter((scope) => !way[credential]?.includes(scope))
        .map((scope) => `${credential} needs the scope ${scope} now`),
    );
  });
}

/** No list and an empty one mean the same: that nothing is asked for. */
function waysOf({ security = [] }: Guarded): Record<string, string[]>[] {
  return security.length === 0 ? [{}] : security;
}

function nameOf(way: Record<string, string[]>): string {
  return Object.keys(way).sort().join(' and ');
}
