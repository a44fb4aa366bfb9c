import type { RagRetrieval } from '../../knowledge/rag/rag-retrieval';
import { ToolFault, type AgentTool, type AgentToolCall } from './agent-tool';

const RESULTS_DEFAULT = 5;
/** A chunk is short, so that this bounds the text whose tokens are counted; the result is cut to a number of them. */
const RESULTS_MAX = 20;

/** Finds what answers a query in the account's indexed documents. */
export class RagRetrieveTool implements AgentTool {
  readonly name = 'rag.retrieve';
  readonly description = 'Finds the parts of the indexed documents that answer a query; the best first.';
  readonly parameters = {
    type: 'object',
    additionalProperties: false,
    required: ['query'],
    properties: {
      query: { type: 'string', minLength: 1, maxLength: 10_000, description: 'What is to be found.' },
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
    },
  };

  constructor(private readonly retrieval: RagRetrieval) {}

  async run({ accountId, parameters, allowDegraded, signal }: AgentToolCall): Promise<string> {
    const { query, collection, limit } = parameters as {
      query: string;
      collection?: string;
      limit?: number;
    };
    if (collection?.includes('\0')) {
      throw new ToolFault('No collection has a NUL character in its name.');
    }
    const order = {
      query,
      topK: limit ?? RESULTS_DEFAULT,
      collection: collection ?? null,
      filter: null,
      minScore: null,
      allowDegraded,
    };
    const { chunks } = await this.retrieval.retrieve(accountId, order, signal);
    return JSON.stringify(
      chunks.map(({ documentId, text, score }) => ({ document_id: documentId, text, score: rounded(score) })),
    );
  }
}

/** Further digits would cost the model tokens and tell it nothing. */
function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}
