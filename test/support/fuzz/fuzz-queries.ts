import { resolveComponent, type Json, type JsonObject } from '../../../scripts/generate/json';
import { published } from '../api/published-document';
import { PARAMETERS, QUERIES } from '../hostile/hostile-requests';
import type { SeededRandom } from '../seeded-random';
import { textAt } from './fuzz-answers';
import type { FuzzedOperation } from './fuzz-operation';
import type { FuzzAccount, FuzzWorld } from './fuzz-world';

/** The query of a request, with its `?`; empty for every other request. */
export function fuzzQuery(
  { queries }: FuzzedOperation,
  world: FuzzWorld,
  caller: FuzzAccount | undefined,
  random: SeededRandom,
): string {
  const chance = random.next();
  if (chance < 0.06) {
    return `?${random.pick(QUERIES)}`;
  }
  if (queries.length === 0 || chance < 0.5) {
    return '';
  }
  const some = queries.filter(() => random.next() < 0.3);
  const pairs = some.map((parameter) => {
    const name = textAt(parameter, 'name');
    const known = name.endsWith('_id') ? world.idOf(name, caller?.id ?? null, random) : undefined;
    const value = known ?? random.pick(valuesOf(parameter));
    return `${name}=${random.next() < 0.9 ? encodeURIComponent(value) : random.pick(PARAMETERS)}`;
  });
  const twice = random.next() < 0.05 ? pairs.slice(0, 1) : [];
  return pairs.length > 0 ? `?${[...pairs, ...twice].join('&')}` : '';
}

/** Values that a query parameter takes, and some that it does not. */
function valuesOf(parameter: JsonObject): string[] {
  const schema = resolveComponent(published, parameter.schema);
  const words = ((schema.enum ?? []) as Json[]).map(String);
  const byType: Record<string, string[]> = {
    integer: ['0', '1', '5', '100', '101', '-1', '1.5', '1e2', '100000', '100001', '', ' 1', '0x10'],
    boolean: ['true', 'false', '1', ''],
    string: [
      '2026-11-21',
      '2026-11-21T09:30:00Z',
      '2026-02-30',
      'a',
      '',
      'x'.repeat(300),
      '\ud83d\ude00',
      '%',
      "'",
    ],
  };
  const type = textAt(schema, 'type') || 'string';
  return words.length > 0 ? [...words, ...words, words[0]?.toUpperCase() ?? '', ''] : (byType[type] ?? ['']);
}
