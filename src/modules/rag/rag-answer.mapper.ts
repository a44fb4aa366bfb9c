import type { RagAnswer as RagAnswerBody } from '../../../generated/types';
import type { PreparedAnswer, Quoted, RagAnswer } from '../../core/knowledge/rag/answers/rag-answers';
import type { GeneratedText } from '../../core/models/generation/text-order';
import { toRagChunk } from './rag.mapper';

/** A text of a model, of the embedded engine, or of neither where nothing was retrieved. */
type Written = Omit<GeneratedText<Quoted>, 'model' | 'detail'> & { readonly model: string | null };

export function toRagAnswer(
  { chunks }: PreparedAnswer,
  written: Written,
  { isFound, citations }: RagAnswer,
): RagAnswerBody {
  const { inputTokens, outputTokens } = written.use;
  return {
    results: chunks.map(toRagChunk),
    total: chunks.length,
    answer: written.text,
    found: isFound,
    citations: citations.map(({ documentId, chunkId, ...citation }) => ({
      ...citation,
      document_id: documentId,
      chunk_id: chunkId,
    })),
    model: written.model,
    finish_reason: written.finishReason,
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
    },
  };
}
