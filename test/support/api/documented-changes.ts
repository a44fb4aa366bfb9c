/** What the service has to tell in an answer; amounts are decimal texts. */
export interface Told {
  readonly costUsd: string;
  readonly balanceUsd: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** The JSON answer that has to leave for one that came: `usage` is put in where it lacks. Bytes are latin1 texts. */
export function changedJson(came: string, told: Told): string {
  const body = JSON.parse(came) as Record<string, unknown>;
  return body.usage
    ? came
    : withMember(came, 'usage', JSON.stringify(usageOf(told)), { ...body, usage: usageOf(told) });
}

/** The stream that has to leave for one that came, by the document: four changes and no other byte. */
export function changedStream(came: string, told: Told, asksUsage: boolean): string {
  const events = (came.match(/[\s\S]*?(?:\r\n\r\n|\n\n)/g) ?? []).map(withoutState);
  const done = events.findIndex((event) => dataOf(event) === '[DONE]');
  const { costUsd, balanceUsd, inputTokens, outputTokens } = told;
  const comment = `: cost=${costUsd} tokens=${inputTokens + outputTokens} balance=${balanceUsd}\n\n`;
  const last = events.findLastIndex((event) => usageIn(event) !== null);
  const leaving = events.slice(0, done).flatMap((event, index) => {
    if (!asksUsage) {
      return isUsageAlone(event) ? [] : [event];
    }
    return [index === last ? withCost(event, costUsd) : event];
  });
  const own = asksUsage && last === -1 ? [ownUsageEvent(events, told)] : [];
  return [...leaving, ...own, comment, ...events.slice(done)].join('');
}

/** Ids of events and times to connect anew are the upstream's own; nothing is left of an event that has no other line. */
function withoutState(event: string): string {
  const left = event.replace(/^(?:id|retry):.*\r?\n/gm, '');
  return left.trim() === '' && left !== event ? '' : left;
}

function withCost(event: string, costUsd: string): string {
  const body = JSON.parse(dataOf(event)) as { usage: Record<string, unknown> };
  const own = /"cost":[\d.e-]+/;
  if ('cost' in body.usage) {
    return event.replace(own, `"cost":${costUsd}`);
  }
  const usage = { ...body.usage, cost: Number(costUsd) };
  return event.replace(dataOf(event), (data) => withMember(data, 'cost', costUsd, { ...body, usage }));
}

/** Tries every closing brace, because only one of them makes the object that is asked for. */
function withMember(json: string, name: string, value: string, expected: unknown): string {
  for (let at = json.indexOf('}'); at !== -1; at = json.indexOf('}', at + 1)) {
    const changed = `${json.slice(0, at)},"${name}":${value}${json.slice(at)}`;
    if (sameJson(changed, expected)) {
      return changed;
    }
  }
  throw new Error(`${name} cannot be put into ${json}`);
}

function sameJson(json: string, expected: unknown): boolean {
  try {
    return JSON.stringify(JSON.parse(json)) === JSON.stringify(expected);
  } catch {
    return false;
  }
}

/** For a client that asks for usage of an upstream that sends none. */
function ownUsageEvent(events: readonly string[], told: Told): string {
  const first = events.map(dataOf).find((data) => data.startsWith('{')) ?? '{}';
  const { id, object, created, model } = JSON.parse(first) as Record<string, unknown>;
  const usage = { ...usageOf(told), cost: Number(told.costUsd) };
  return `data: ${JSON.stringify({ id, object, created, model, choices: [], usage })}\n\n`;
}

function usageOf({ inputTokens, outputTokens }: Told): Record<string, number> {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
  };
}

function isUsageAlone(event: string): boolean {
  return (
    usageIn(event) !== null && (JSON.parse(dataOf(event)) as { choices: unknown[] }).choices.length === 0
  );
}

function usageIn(event: string): unknown {
  const data = dataOf(event);
  return data.startsWith('{') ? ((JSON.parse(data) as { usage?: unknown }).usage ?? null) : null;
}

/** All recorded events have one line of data at most. */
function dataOf(event: string): string {
  return /^data: ?(.*?)\s*$/m.exec(event)?.[1] ?? '';
}
