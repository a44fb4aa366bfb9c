import { isObject, parsedJson } from '../../runtime/json';

export interface LocalPlace {
  readonly name: string;
  readonly port: number;
}

export const LOCAL_PLACES: readonly LocalPlace[] = [
  { name: 'ollama', port: 11434 },
  { name: 'lm-studio', port: 1234 },
  { name: 'llama.cpp', port: 8080 },
  { name: 'vllm', port: 8000 },
];

const ANSWER_MS_MAX = 2_000;

interface LocalServers {
  /** With what was found in UPSTREAMS, in the order of the places. */
  readonly environment: NodeJS.ProcessEnv;
  /** A line each; null where UPSTREAMS does not ask for it. */
  readonly found: readonly string[] | null;
  readonly warning: string | null;
}

/** Where UPSTREAMS is `local`, each place is asked once, all at the same time, and for two seconds at most. */
export async function withLocalServers(
  environment: NodeJS.ProcessEnv,
  places = LOCAL_PLACES,
): Promise<LocalServers> {
  if (environment.UPSTREAMS?.trim().toLowerCase() !== 'local') {
    return { environment, found: null, warning: null };
  }
  const asked = await Promise.all(places.map(async (place) => ({ ...place, ...(await modelsAt(place)) })));
  const servers = asked.filter(({ models }) => models > 0);
  // No proxy leads back to this machine.
  const entries = servers.map((place) => ({
    name: place.name,
    base_url: addressOf(place),
    proxy_url: 'none',
  }));
  const lines = asked.map((place) => `${place.name} at ${addressOf(place)}: ${place.said}`);
  return {
    environment: { ...environment, UPSTREAMS: servers.length > 0 ? JSON.stringify(entries) : '' },
    found: lines.filter((_, index) => (asked[index]?.models ?? 0) > 0),
    warning:
      servers.length > 0
        ? null
        : `UPSTREAMS=local finds no server of models (${lines.join('; ')}). Start one, and then the service again.`,
  };
}

function addressOf({ port }: LocalPlace): string {
  return `http://127.0.0.1:${port}/v1`;
}

async function modelsAt(place: LocalPlace): Promise<{ models: number; said: string }> {
  try {
    const answer = await fetch(`${addressOf(place)}/models`, {
      redirect: 'error',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const list = parsedJson(await answer.text());
    const models = answer.ok && isObject(list) && Array.isArray(list.data) ? list.data.length : 0;
    const said = answer.ok ? 'answers, but lists no models' : `answers ${answer.status}`;
    return { models, said: models > 0 ? `${models} ${models === 1 ? 'model' : 'models'}` : said };
  } catch {
    return { models: 0, said: 'no answer' };
  }
}
