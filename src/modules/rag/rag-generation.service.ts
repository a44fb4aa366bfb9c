import { Injectable } from '@nestjs/common';
import type { RagAnswer, RagRetrieval } from '../../../generated/types';
import type { CallContext, Meter } from '../../contract/call';
import { NOT_FOUND } from '../../core/knowledge/rag/answers/answer-reader';
import {
  RagAnswers,
  type PreparedAnswer,
  type RagQuestion,
} from '../../core/knowledge/rag/answers/rag-answers';
import { StoredStream } from '../../core/models/generation/stored-stream';
import { TextGeneration } from '../../core/models/generation/text-generation';
import { TypedStream } from '../../core/models/generation/typed-stream';
import type { StreamedAnswer } from '../../core/models/streams/streamed-answer';
import { toRagAnswer } from './rag-answer.mapper';
import { toRagChunk } from './rag.mapper';

type RagCall = Pick<CallContext, 'signal' | 'setHeader' | 'setEngine'> & {
  account: { readonly id: string };
  meter: Meter;
};

const NOTHING_USED = { inputTokens: 0, outputTokens: 0 };
const UNASKED = { text: NOT_FOUND, model: null, finishReason: 'stop', use: NOTHING_USED };

/** Answers questions from an account's documents. */
@Injectable()
export class RagGeneration {
  constructor(
    private readonly answers: RagAnswers,
    private readonly generation: TextGeneration,
  ) {}

  /** Throws what RagAnswers.prepare and TextGeneration.write throw. */
  async generate(
    question: RagQuestion,
    call: RagCall,
    streams: boolean,
  ): Promise<RagAnswer | StreamedAnswer> {
    const prepared = await this.answers.prepare(call.account.id, question, call);
    const { order, engine } = prepared;
    if (order === null) {
      call.setEngine(engine);
      call.meter.report(NOTHING_USED);
      return streams ? unaskedStream(prepared) : unasked(prepared);
    }
    if (streams) {
      const text = await this.generation.stream(order, call);
      return new TypedStream({
        text,
        start: startOf(prepared),
        finish: async (written) =>
          toRagAnswer(prepared, written, await prepared.answerOf(written, call.signal)),
      });
    }
    const written = await this.generation.write(order, call);
    return toRagAnswer(prepared, written, await prepared.answerOf(written, call.signal));
  }
}

function unasked(prepared: PreparedAnswer): RagAnswer {
  return toRagAnswer(prepared, UNASKED, { isFound: false, citations: [] });
}

function unaskedStream(prepared: PreparedAnswer): StreamedAnswer {
  const text = new StoredStream({ ...UNASKED, model: '' });
  return new TypedStream({ text, start: startOf(prepared), finish: () => unasked(prepared) });
}

function startOf({ chunks }: PreparedAnswer): RagRetrieval {
  return { results: chunks.map(toRagChunk), total: chunks.length };
}
