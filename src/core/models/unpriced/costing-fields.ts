import { isObject, objectsOf } from '../../../infrastructure/json/json-object';

/** A field of a request that may cost more than tokens. */
export interface CostingField {
  /** Its name in `pass_fields`. */
  readonly name: string;
  /** Its path in the request. */
  readonly at: string;
}

/** Of a request, a message, a part or a tool: what is to be kept for later calls costs more than other input (Anthropic). */
const CACHE_CONTROL = 'cache_control';
/**
 * What these fields buy: another class of service (OpenAI, Groq), searches (OpenAI, Perplexity, xAI, Alibaba), plugins,
 * other providers and other models (OpenRouter, LiteLLM), servers and containers for tools (Anthropic), and an answer that
 * has to be fetched later, so that nobody here sees what it used (xAI). Fields that nobody knows pass: servers of the
 * operator's own have some.
 */
const COSTING = [
  ...['service_tier', 'web_search_options', 'search_parameters', 'enable_search', 'plugins', 'provider'],
  ...['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'context_window_fallback_dict'],
  ...['models', 'route', 'mcp_servers', 'container', 'deferred', CACHE_CONTROL],
];
/** In a response this is a prompt that the upstream has stored: nobody here knows its tokens, its tools or its model. */
const STORED_PROMPT = 'prompt';
/** The types of tools that the caller runs. The upstream runs all others, at prices of their own. */
const RUN_BY_CALLER = new Set<unknown>([
  ...[
    undefined,
    null,
    'function',
    'custom',
    'local_shell',
    'apply_patch',
    'computer_use_preview',
    'computer',
  ],
]);

/**
 * The fields of a request that may cost more than tokens; fields that are null count as absent.
 * @param hasStoredPrompts whether `prompt` names a prompt that the upstream has stored
 */
export function costingFields(
  request: Readonly<Record<string, unknown>>,
  hasStoredPrompts: boolean,
): CostingField[] {
  const names = hasStoredPrompts ? [...COSTING, STORED_PROMPT] : COSTING;
  const given = names.filter((name) => isGiven(request[name]));
  const { input } = request;
  const items = Array.isArray(input) ? (input as unknown[]) : [];
  return [
    ...given.map((name) => ({ name, at: name })),
    ...hostedTools(request.tools, 'tools'),
    ...items.flatMap((item, index) =>
      isObject(item) ? hostedTools(item.tools, `input.${index}.tools`) : [],
    ),
    ...['messages', 'input', 'tools'].flatMap((list) => [
      ...cached(request[list], list),
      ...objectsOf(request[list]).flatMap(({ content }, index) =>
        cached(content, `${list}.${index}.content`),
      ),
    ]),
  ];
}

function cached(list: unknown, at: string): CostingField[] {
  return objectsOf(list).flatMap((item, index) =>
    isGiven(item[CACHE_CONTROL]) ? [{ name: CACHE_CONTROL, at: `${at}.${index}.${CACHE_CONTROL}` }] : [],
  );
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

function hostedTools(tools: unknown, at: string): CostingField[] {
  return objectsOf(tools).flatMap(({ type }, index) =>
    RUN_BY_CALLER.has(type) ? [] : [{ name: `tools.${String(type)}`, at: `${at}.${index}` }],
  );
}
