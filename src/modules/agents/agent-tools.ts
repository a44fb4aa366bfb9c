import { Injectable } from '@nestjs/common';
import { Ajv, type ValidateFunction } from 'ajv';
import type { MemoriesRepository } from '../../retrieval/memories.repository';
import type { ChunkRetrieval } from '../../retrieval/rag-retrieval';
import type { Clock } from '../../runtime/clock';

export interface AgentTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The result for the model, cut at its end: the most useful part first. Errors but ToolFault fail the call. */
  run(call: AgentToolCall): Promise<string> | string;
}

export interface AgentToolCall {
  /** A tool must not read what other accounts own. */
  readonly accountId: string;
  readonly namespace: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly allowDegraded: boolean;
  readonly signal: AbortSignal;
}

export class ToolFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = new.target.name;
  }
}

const ARGUMENTS_LENGTH_MAX = 20_000;

export interface ToolResult {
  text: string;
  isError: boolean;
}

const ajv = new Ajv();

interface RegisteredTool {
  tool: AgentTool;
  validate: ValidateFunction;
}

@Injectable()
export class AgentTools {
  private readonly tools = new Map<string, RegisteredTool>();

  register(tool: AgentTool): void {
    if (this.tools.has(functionName(tool.name))) {
      throw new Error(`there are two tools ${tool.name}`);
    }
    this.tools.set(functionName(tool.name), { tool, validate: ajv.compile(tool.parameters) });
  }

  has(name: string): boolean {
    return this.tools.get(functionName(name))?.tool.name === name;
  }

  /** Source: OpenAI's guide, "Function calling". */
  definitions(names: readonly string[]) {
    return names
      .filter((name) => this.has(name))
      .map((name) => {
        const called = functionName(name);
        const { description, parameters } = (this.tools.get(called) as RegisteredTool).tool;
        return { type: 'function', function: { name: called, description, parameters } };
      });
  }

  async run(
    offered: readonly string[],
    asked: { name: string; arguments: string },
    call: Omit<AgentToolCall, 'parameters'>,
  ): Promise<ToolResult> {
    call.signal.throwIfAborted();
    const registered = this.tools.get(asked.name);
    if (!registered || !offered.includes(registered.tool.name)) {
      return refused('There is no such tool.');
    }
    try {
      const parameters = readArguments(asked.arguments);
      if (!registered.validate(parameters)) {
        return refused(ajv.errorsText(registered.validate.errors, { dataVar: 'arguments' }));
      }
      const text = await registered.tool.run({ ...call, parameters });
      return { text, isError: false };
    } catch (error) {
      if (error instanceof ToolFault) {
        return refused(error.message);
      }
      throw error;
    }
  }
}

function functionName(name: string): string {
  return name.replaceAll('.', '_');
}

function readArguments(text: string): Record<string, unknown> {
  if (text.length > ARGUMENTS_LENGTH_MAX) {
    throw new ToolFault(`The arguments are longer than ${ARGUMENTS_LENGTH_MAX} characters.`);
  }
  try {
    // Some models write an empty text for a function without arguments.
    return JSON.parse(text.trim() === '' ? '{}' : text) as Record<string, unknown>;
  } catch {
    throw new ToolFault('The arguments are not JSON.');
  }
}

function refused(message: string): ToolResult {
  return { text: `Error: ${message}`, isError: true };
}

export function currentTimeTool(clock: Clock): AgentTool {
  return {
    name: 'time',
    description: 'The present date and time, ISO 8601, and the day of the week.',
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        timezone: {
          type: 'string',
          maxLength: 100,
          description: 'IANA name such as Europe/Berlin; UTC when absent.',
        },
      },
    },
    run: ({ parameters }) => inZone(clock.now(), (parameters.timezone as string | undefined) ?? 'UTC'),
  };
}

/** Such as `2026-07-22T00:05:06+02:00 (Wednesday, Europe/Berlin)`. Throws ToolFault for an unknown time zone. */
function inZone(now: Date, timeZone: string): string {
  const shown = (locale: string, options: Intl.DateTimeFormatOptions) =>
    now.toLocaleString(locale, { ...options, timeZone });
  try {
    // Swedish dates and times are ISO 8601 without the T.
    const time = shown('sv-SE', { dateStyle: 'short', timeStyle: 'medium' }).replace(' ', 'T');
    const offset = shown('en-US', { timeZoneName: 'longOffset' }).split('GMT')[1] || '+00:00';
    return `${time}${offset} (${shown('en-US', { weekday: 'long' })}, ${timeZone})`;
  } catch {
    throw new ToolFault('There is no such time zone; it has to be an IANA name.');
  }
}

const MEMORIES_DEFAULT = 5;
/** In UTF-16 units. Bounds the text whose tokens are counted before the result is cut. */
const VALUE_LENGTH_MAX = 4_000;

function queryParameters(query: string, others: Record<string, object>) {
  const properties = {
    query: { type: 'string', minLength: 1, maxLength: 10_000, description: query },
    ...others,
  };
  return { type: 'object', additionalProperties: false, required: ['query'], properties };
}

export function memorySearchTool(memories: MemoriesRepository, clock: Clock): AgentTool {
  return {
    name: 'memory.search',
    description: 'Searches what was stored in earlier conversations, by its words; the best first.',
    parameters: queryParameters('The words to look for.', {
      limit: { type: 'integer', minimum: 1, maximum: 20, description: 'How many at most; 5 when absent.' },
    }),
    async run({ accountId, namespace, parameters }) {
      const { query, limit = MEMORIES_DEFAULT } = parameters as { query: string; limit?: number };
      const search = { query, limit, now: clock.now() };
      const { items: found } = await memories.search(accountId, { namespace, metadata: null }, search);
      return JSON.stringify(
        found.map(({ memory: { key, value } }) => ({ key, value: value.slice(0, VALUE_LENGTH_MAX) })),
      );
    },
  };
}

const CHUNKS_DEFAULT = 5;
const RESULTS_MAX = 20;

export function ragRetrieveTool(retrieval: ChunkRetrieval): AgentTool {
  return {
    name: 'rag.retrieve',
    description: 'Finds the parts of the indexed documents that answer a query; the best first.',
    parameters: queryParameters('What is to be found.', {
      collection: {
        type: 'string',
        minLength: 1,
        maxLength: 100,
        description: 'Only documents of this collection; all when absent.',
      },
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: RESULTS_MAX,
        description: 'How many parts at most; 5 when absent.',
      },
    }),
    async run({ accountId, parameters, allowDegraded, signal }) {
      const asked = parameters as { query: string; collection?: string; limit?: number };
      const { query, collection = null, limit: topK = CHUNKS_DEFAULT } = asked;
      if (collection?.includes('\0')) {
        throw new ToolFault('No collection has a NUL character in its name.');
      }
      const order = { query, topK, collection, filter: null, minScore: null, allowDegraded };
      const { chunks } = await retrieval.retrieve(accountId, order, signal);
      return JSON.stringify(
        chunks.map(({ documentId, text, score }) => ({
          document_id: documentId,
          text,
          // Further digits would only cost the model tokens.
          score: Math.round(score * 1000) / 1000,
        })),
      );
    },
  };
}
