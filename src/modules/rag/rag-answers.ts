import { Injectable } from '@nestjs/common';
import type { Call } from '../../../generated/contract';
import type { RagAnswer, RagCitation, RagRetrieval } from '../../../generated/types';
import { languageOf, PromptFile } from '../../models/generation/prompt';
import { TextGeneration } from '../../models/generation/text-generation';
import type {
  GeneratedText,
  PieceReader,
  TextBound,
  TextCall,
  TextOrder,
  TextTerms,
} from '../../models/generation/text-order';
import { usageFields } from '../../ledger/money';
import { StoredStream, TypedStream } from '../../models/generation/text-streams';
import type { ChatMessage, Engine } from '../../models/model-provider';
import type { StreamedAnswer } from '../../models/streamed-answer';
import {
  ChunkRetrieval,
  fittedSources,
  type FoundChunk,
  type RetrieveOrder,
  sourcesTokensMax,
} from '../../retrieval/rag-retrieval';
import { EMBEDDED_CHAT_MODEL } from '../../text/extractive-answer';
import { TextThreads } from '../../text/text-threads';
import { TokenCounter } from '../../text/token-counter';
import { textJobs } from '../../text/text.jobs';

const NOT_IN_SOURCES = 'NOT_IN_SOURCES';
const PROMPT = new PromptFile('answer-from-sources');

/** Neither the question nor a source can end its tag and give orders. */
function ragMessages(query: string, sources: readonly string[]): ChatMessage[] {
  const texts = Object.fromEntries(sources.map((source, index) => [`source_${index + 1}`, source]));
  return PROMPT.fill({
    choices: { language: languageOf(query, 'the language of the question') },
    material: { ...texts, question: query },
  }).messages('text');
}

function citationOf(index: number, chunk: FoundChunk, place: { start: number; end: number }): RagCitation {
  return {
    index,
    quote: chunk.text.slice(place.start, place.end),
    start: chunk.start + place.start,
    end: chunk.start + place.end,
    document_id: chunk.documentId,
    chunk_id: chunk.chunkId,
  };
}

export const NOT_FOUND = 'The documents do not answer this question.';

/** What a model may put around the mark, in vain. */
const AROUND = /^[\s"'“”„«»*_`[(<]*/u;
const AROUND_LENGTH_MAX = 20;

/** An answer that begins with the mark that the sources hold none is replaced. Until that is known, nothing is sent on. */
export class AnswerReader implements PieceReader {
  isFound = true;
  private held: string | null = '';

  push(piece: string): string {
    if (this.held === null) {
      return this.isFound ? piece : '';
    }
    this.held += piece;
    const begun = this.held.replace(AROUND, '');
    const mayBeMark =
      begun.length < NOT_IN_SOURCES.length
        ? NOT_IN_SOURCES.startsWith(begun) && this.held.length - begun.length <= AROUND_LENGTH_MAX
        : begun.startsWith(NOT_IN_SOURCES);
    if (!mayBeMark) {
      return this.release();
    }
    if (begun.startsWith(NOT_IN_SOURCES)) {
      this.isFound = false;
      this.held = null;
      return NOT_FOUND;
    }
    return '';
  }

  end(): string {
    return this.held === null ? '' : this.release();
  }

  private release(): string {
    const held = this.held ?? '';
    this.held = null;
    return held;
  }
}

/** What a call was priced by, and is then answered. */
export class RagQuestion {
  constructor(
    readonly retrieve: RetrieveOrder,
    readonly model: TextTerms,
  ) {}
}

interface CitedAnswer {
  readonly isFound: boolean;
  readonly citations: RagCitation[];
}

const NOT_CITED: CitedAnswer = { isFound: false, citations: [] };

export interface Quoted {
  readonly citations: readonly { readonly citation: RagCitation; readonly end: number }[];
}

interface PreparedAnswer {
  readonly chunks: readonly FoundChunk[];
  readonly engine: Engine;
  /** How the answer is to be written; null where nothing was found, so that no model is asked. */
  readonly order: TextOrder<Quoted> | null;
  answerOf(written: GeneratedText<Quoted>, signal: AbortSignal): Promise<CitedAnswer>;
}

const QUOTING: Engine = { provider: 'embedded', method: 'bm25+sentences', quality: 'basic' };

@Injectable()
export class RagAnswers {
  constructor(
    private readonly retrieval: ChunkRetrieval,
    private readonly generation: TextGeneration,
    private readonly threads: TextThreads,
    private readonly counter: TokenCounter,
  ) {}

  /** Nothing is retrieved to know it more exactly: callers without credit could have their documents searched free of charge. */
  async bound({ retrieve, model }: RagQuestion, signal: AbortSignal): Promise<TextBound> {
    const messages = ragMessages(retrieve.query, []);
    return this.generation.bound({ ...model, messages }, signal, sourcesTokensMax(retrieve.topK));
  }

  async prepare(
    accountId: string,
    question: RagQuestion,
    { signal }: Pick<TextCall, 'signal'>,
  ): Promise<PreparedAnswer> {
    const { query } = question.retrieve;
    const { chunks, engine } = await this.retrieval.retrieve(accountId, question.retrieve, signal);
    const reader = new AnswerReader();
    const answerOf = (written: GeneratedText<Quoted>, ending: AbortSignal) =>
      written.detail ? quotedIn(written, written.detail) : this.cited(written, chunks, reader, ending);
    if (chunks.length === 0) {
      return { chunks, engine, order: null, answerOf };
    }
    const order: TextOrder<Quoted> = {
      ...question.model,
      messages: ragMessages(query, await fittedSources(chunks.map(headed), this.counter, signal)),
      reader,
      embedded: (stopped) => this.quoted(query, chunks, stopped),
    };
    return { chunks, engine, order, answerOf };
  }

  async generate(
    question: RagQuestion,
    call: Call<'generateWithRag'>,
    streams: boolean,
  ): Promise<RagAnswer | StreamedAnswer> {
    const prepared = await this.prepare(call.account.id, question, call);
    const { order, engine } = prepared;
    if (order === null) {
      call.setEngine(engine);
      call.meter.report(NOTHING_USED);
      const answer = toRagAnswer(prepared.chunks, UNASKED, NOT_CITED);
      const text = new StoredStream({ ...UNASKED, model: '' });
      const start = toRagRetrieval(prepared.chunks);
      return streams ? new TypedStream({ text, start, finish: () => answer }) : answer;
    }
    const finish = async (written: GeneratedText<Quoted>) =>
      toRagAnswer(prepared.chunks, written, await prepared.answerOf(written, call.signal));
    if (streams) {
      const text = await this.generation.stream(order, call);
      return new TypedStream({ text, start: toRagRetrieval(prepared.chunks), finish });
    }
    return finish(await this.generation.write(order, call));
  }

  private async quoted(question: string, chunks: readonly FoundChunk[], signal: AbortSignal) {
    const passages = chunks.map(({ text, heading }) => ({ text, heading }));
    const read = [question, ...passages.map(({ text }) => text)];
    const quotes = await this.threads.run(textJobs.quoteAnswer, { question, passages }, read, signal);
    let text = '';
    const citations = quotes.map((quote, index) => {
      text += `${text === '' ? '' : ' '}${quote.text} [${index + 1}]`;
      const chunk = chunks[quote.passage] as FoundChunk;
      return { citation: citationOf(index + 1, chunk, quote), end: text.length };
    });
    return {
      text: text === '' ? NOT_FOUND : text,
      model: EMBEDDED_CHAT_MODEL,
      engine: QUOTING,
      read,
      isRefusal: text === '',
      detail: { citations },
    };
  }

  private async cited(
    { text }: GeneratedText<Quoted>,
    chunks: readonly FoundChunk[],
    { isFound }: AnswerReader,
    signal: AbortSignal,
  ): Promise<CitedAnswer> {
    const sources = chunks.map((chunk) => chunk.text);
    // Some models think aloud or explain before they write the mark, and some say nothing at all.
    if (!isFound || text.trim() === '' || text.includes(NOT_IN_SOURCES)) {
      return NOT_CITED;
    }
    const job = { answer: text, sources };
    const quotes = await this.threads.run(textJobs.quoteNamedSources, job, [text, ...sources], signal);
    const citations = quotes.map(({ source, start, end }) =>
      citationOf(source + 1, chunks[source] as FoundChunk, { start, end }),
    );
    return { isFound: true, citations };
  }
}

function headed({ heading, text }: FoundChunk): string {
  return heading === null || text.includes(heading) ? text : `${heading}\n${text}`;
}

/** The quotes whose numbers stand in the text, which may have been cut off. */
function quotedIn({ text }: GeneratedText<Quoted>, { citations }: Quoted): Promise<CitedAnswer> {
  const left = citations.filter(({ end }) => end <= text.length).map(({ citation }) => citation);
  return Promise.resolve({ isFound: citations.length > 0, citations: left });
}

type Written = Omit<GeneratedText<Quoted>, 'model' | 'detail'> & { readonly model: string | null };

function toRagAnswer(
  chunks: readonly FoundChunk[],
  written: Written,
  { isFound, citations }: CitedAnswer,
): RagAnswer {
  return {
    ...toRagRetrieval(chunks),
    text: written.text,
    answer: written.text,
    found: isFound,
    citations,
    model: written.model,
    finish_reason: written.finishReason,
    usage: usageFields(written.use),
  };
}

const NOTHING_USED = { inputTokens: 0, outputTokens: 0 };
const UNASKED = { text: NOT_FOUND, model: null, finishReason: 'stop', use: NOTHING_USED };

export function toRagRetrieval(chunks: readonly FoundChunk[]): RagRetrieval {
  const results = chunks.map(({ chunkId, documentId, ...chunk }) => ({
    chunk_id: chunkId,
    document_id: documentId,
    ...chunk,
  }));
  return { results, total: chunks.length };
}
