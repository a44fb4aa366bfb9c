import { readFileSync } from 'node:fs';
import { plainToInstance } from 'class-transformer';
import { isObject, validateSync, type ValidationError } from 'class-validator';
import { UpstreamEntry, UpstreamModelEntry } from './upstream-entry';
import type { UpstreamModel, UpstreamSettings } from './upstream-settings';
import { faultsOfTerms, toPartTokens, toPassFields } from './upstream-terms';

const UPSTREAMS_MAX = 32;

export interface ReadUpstreams {
  upstreams: readonly UpstreamSettings[];
  /**
   * Each names its place in UPSTREAMS. None repeats a value: any value may be an API key written in the wrong place.
   */
  faults: string[];
}

/** Reads the value of UPSTREAMS, which is JSON text or the path of a JSON file. */
export function readUpstreams(variable: string | undefined): ReadUpstreams {
  if (variable === undefined) {
    return { upstreams: [], faults: [] };
  }
  const { list, fault } = parsed(variable.trim());
  if (fault !== undefined || !Array.isArray(list)) {
    return refused([fault ?? 'UPSTREAMS must be an array']);
  }
  if (list.length > UPSTREAMS_MAX) {
    return refused([`UPSTREAMS must name at most ${UPSTREAMS_MAX} upstreams`]);
  }
  const formFaults = list.flatMap((value, index) => faultsOfForm(value, `UPSTREAMS[${index}]`));
  if (formFaults.length > 0) {
    return refused(formFaults);
  }
  const entries = list.map(toEntry);
  const faults = [
    ...entries.flatMap((entry, index) => faultsOfMeaning(entry, `UPSTREAMS[${index}]`)),
    ...repeated(entries.map(({ name }) => name)).map((index) => `UPSTREAMS[${index}].name is used before`),
  ];
  return faults.length > 0 ? refused(faults) : { upstreams: entries.map(toSettings), faults };
}

function refused(faults: string[]): ReadUpstreams {
  return { upstreams: [], faults };
}

/** Leaves out the messages of the errors that it catches: they quote the value, which may hold API keys. */
function parsed(text: string): { list?: unknown; fault?: string } {
  let json = text;
  if (!/^[[{"]/.test(text)) {
    try {
      json = readFileSync(text, 'utf8');
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown fault';
      return { fault: `UPSTREAMS must be JSON or the path of a JSON file; as a path it gives ${code}` };
    }
  }
  try {
    return { list: JSON.parse(json) as unknown };
  } catch {
    return { fault: 'UPSTREAMS is not valid JSON' };
  }
}

function toEntry(value: unknown): UpstreamEntry {
  return plainToInstance(UpstreamEntry, value, { exposeDefaultValues: true });
}

function faultsOfForm(value: unknown, place: string): string[] {
  if (!isObject<Record<string, unknown>>(value)) {
    return [`${place} must be an object`];
  }
  const models: unknown[] = Array.isArray(value.models) ? value.models : [];
  const odd = models.flatMap((model, index) => (isObject(model) ? [] : [`${place}.models[${index}]`]));
  if (odd.length > 0) {
    return odd.map((model) => `${model} must be an object`);
  }
  const options = { whitelist: true, forbidNonWhitelisted: true };
  return validateSync(toEntry(value), options).flatMap((error) => flattened(error, place));
}

function flattened({ property, constraints, children }: ValidationError, place: string): string[] {
  const inner = /^\d+$/.test(property) ? `${place}[${property}]` : `${place}.${property}`;
  const own = Object.values(constraints ?? {}).map(
    (message) => `${inner} ${message.replace(`property ${property} `, '').replace(`${property} `, '')}`,
  );
  return [...own, ...(children ?? []).flatMap((child) => flattened(child, inner))];
}

/** Faults that need several fields to be seen, or more than a pattern to be recognised. */
function faultsOfMeaning(entry: UpstreamEntry, place: string): string[] {
  const models = entry.models ?? [];
  const names = models.map(({ id, aliases }) => [...new Set([id, ...(aliases ?? [])])]);
  const owners = names.flatMap((own, index) => own.map(() => index));
  return [
    ...(isPlainUrl(entry.base_url)
      ? []
      : [`${place}.base_url must be an http or https URL without credentials, query and fragment`]),
    ...models.flatMap((model, index) =>
      isPriced(model.input_price_per_token_usd) === isPriced(model.output_price_per_token_usd)
        ? []
        : [`${place}.models[${index}] must have both prices or none`],
    ),
    ...faultsOfTerms(entry, place),
    ...models.flatMap((model, index) => faultsOfTerms(model, `${place}.models[${index}]`)),
    ...repeated(names.flat()).map(
      (index) => `${place}.models[${owners[index]}] has a name that another model of this upstream has`,
    ),
  ];
}

function isPriced(price: string | null | undefined): boolean {
  return typeof price === 'string';
}

function isPlainUrl(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' && !/[?#\s\\]/.test(text);
}

/** The indexes of the values that the list has already had at an earlier index. */
function repeated(values: string[]): number[] {
  const seen = new Set<string>();
  return values.flatMap((value, index) => {
    const isRepeated = seen.has(value);
    seen.add(value);
    return isRepeated ? [index] : [];
  });
}

function toSettings(entry: UpstreamEntry): UpstreamSettings {
  return {
    name: entry.name,
    baseUrl: entry.base_url.replace(/\/+$/, ''),
    apiKey: entry.api_key ?? null,
    models: entry.models?.map((model) => toModel(model, entry)) ?? null,
    partTokens: toPartTokens(entry.part_tokens),
    passFields: toPassFields(entry.pass_fields),
    connectTimeoutMs: entry.connect_timeout_ms,
    firstByteTimeoutMs: entry.first_byte_timeout_ms,
    totalTimeoutMs: entry.total_timeout_ms,
  };
}

/** What a model says of a kind of parts takes the place of what its upstream says. */
function toModel(model: UpstreamModelEntry, entry: UpstreamEntry): UpstreamModel {
  return {
    id: model.id,
    aliases: model.aliases ?? [],
    inputPricePerTokenUsd: model.input_price_per_token_usd ?? null,
    outputPricePerTokenUsd: model.output_price_per_token_usd ?? null,
    partTokens: toPartTokens(entry.part_tokens, model.part_tokens),
  };
}
