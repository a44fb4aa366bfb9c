import type { ProcessingParameters, ProcessingType } from '../../../../generated/types';
import { Unprocessable } from '../../../core/errors/request-errors';

type Field = keyof ProcessingParameters;

const FIELDS: Readonly<Record<ProcessingType, readonly Field[]>> = {
  summarize: ['sentences'],
  keywords: ['keywords_max'],
  entities: ['entity_types'],
  classify: ['labels'],
  sentiment: [],
  language: [],
  readability: [],
  statistics: [],
  outline: ['level_max'],
  tables: [],
  key_values: [],
  translate: ['target_language', 'source_language'],
  rewrite: ['style', 'length', 'instruction'],
};

/**
 * Refuses parameters that the type does not have, because who sends them expects something of them, and a type without those
 * that it needs.
 * @throws Unprocessable
 */
export function checkParameters(type: ProcessingType, parameters: ProcessingParameters): void {
  const given = (Object.keys(parameters) as Field[]).filter((field) => (parameters[field] ?? null) !== null);
  const foreign = given.filter((field) => !FIELDS[type].includes(field));
  if (foreign.length > 0) {
    throw new Unprocessable(`parameters of ${type} have no ${foreign.join(', ')}.`);
  }
  if (type === 'classify') {
    const names = (parameters.labels ?? []).map(({ name }) => name);
    if (names.length === 0 || new Set(names).size < names.length) {
      throw new Unprocessable('classify needs parameters.labels, each name once.');
    }
  }
  if (type === 'translate' && !given.includes('target_language')) {
    throw new Unprocessable('translate needs parameters.target_language.');
  }
  if (type === 'rewrite' && given.length === 0) {
    throw new Unprocessable('rewrite needs at least one of parameters.style, length and instruction.');
  }
}
