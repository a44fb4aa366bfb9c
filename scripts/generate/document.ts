import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import {
  bundle,
  createConfig,
  getLineColLocation,
  lint,
  type Config,
  type NormalizedProblem,
} from '@redocly/openapi-core';
import { parse } from 'yaml';
import type { JsonObject } from './json';
import contractPlugin from './redocly/plugin';
import { addErrorsOfV1 } from './v1-errors';

/** A document that nothing may be generated from; each of `places` is `file:line` and the reason. */
export class RefusedDocument extends Error {
  constructor(readonly places: string[]) {
    super(`The document is refused:\n${places.map((place) => `  ${place}`).join('\n')}`);
  }
}

/**
 * Bundles the split files into one document and holds it to the rules of redocly.yaml, which lies beside their folder.
 * @throws RefusedDocument
 */
export async function readDocument(root: string): Promise<JsonObject> {
  const document = await readBundled(root);
  addErrorsOfV1(document);
  const components = document.components as JsonObject;
  for (const [kind, members] of Object.entries(components)) {
    const sorted = Object.entries(members as JsonObject).sort(([a], [b]) => (a < b ? -1 : 1));
    components[kind] = Object.fromEntries(sorted);
  }
  return document;
}

/** Bundles the split files of one document, of OpenAPI or AsyncAPI. @throws RefusedDocument */
export async function readBundled(root: string): Promise<JsonObject> {
  const ref = resolve(root);
  const project = dirname(dirname(ref));
  const config = await readConfig(project);
  refuse(project, await lint({ ref, config }));
  const { bundle: bundled, problems } = await bundle({ ref, config, componentRenamingConflicts: 'error' });
  refuse(project, problems);
  return structuredClone(bundled.parsed) as JsonObject;
}

/** redocly.yaml names the compiled plugin for `npm run lint:document`; this code imports the plugin directly. */
function readConfig(project: string): Promise<Config> {
  const configPath = join(project, 'redocly.yaml');
  const written = parse(readFileSync(configPath, 'utf8')) as object;
  return createConfig({ ...written, plugins: [contractPlugin()] }, { configPath });
}

function refuse(project: string, problems: NormalizedProblem[]): void {
  const places = problems
    .filter(({ severity }) => severity === 'error')
    .map(({ location, message }) => {
      const [first] = location;
      const file = first ? relative(project, first.source.absoluteRef) : '';
      return `${file}:${first ? getLineColLocation(first).start.line : 1} ${message.replaceAll(`${project}/`, '')}`;
    });
  if (places.length > 0) {
    throw new RefusedDocument([...new Set(places)]);
  }
}
