import { Injectable } from '@nestjs/common';
import type { Engine } from '../../../models/model-provider';
import type { TextBound, TextCall, TextOrder, GeneratedText } from '../../../models/generation/text-order';
import { TextGeneration } from '../../../models/generation/text-generation';
import { EMBEDDED_CHAT_MODEL } from '../../../text/extractive/read-conversation';
import { TextThreads } from '../../../text/threads/text-threads';
import { fitToTokens } from '../../../text/tokens/fit-to-tokens';
import { TokenCounter } from '../../../text/tokens/token-counter';
import { RagRetrieval, type FoundChunk, type RetrieveOrder } from '../rag-retrieval';
import { AnswerReader, NOT_FOUND } from './answer-reader';
import { citationOf, quotingAnswer, type RagCitation } from './citations';
import { NOT_IN_SOURCES, ragMessages, SOURCE_TOKENS_MAX, sourcesTokensMax } from './rag-prompt';

/** A question that is to be answered from documents, and how a model is asked. */
export interface RagQuestion {
  readonly retrieve: RetrieveOrder;
  readonly model: Pick<TextOrder<Quoted>, 'route' | 'temperature' | 'outputTokensMax'>;
}

/** An answer without what wrote it. */
export interface RagAnswer {
  /** Whether the documents answer the question. */
  readonly isFound: boolean;
  readonly citations: readonly RagCitation[];
}

/** What the embedded engine quotes: its citations, and where the number of each ends in the text. */
export interface Quoted {
  readonly citations: readonly { readonly citation: RagCitation; readonly end: number }[];
}

/** A question with the chunks that were found for it. */
export interface PreparedAnswer {
  readonly chunks: readonly FoundChunk[];
  readonly engine: Engine;
  /** How the answer is to be written; null where nothing was found, so that no model is asked. */
  readonly order: TextOrder<Quoted> | null;
  /** Turns the text that was written into an answer. Throws what TextThreads.run throws. */
  answerOf(written: GeneratedText<Quoted>, signal: AbortSignal): Promise<RagAnswer>;
}

const QUOTING: Engine = { provider: 'embedded', method: 'bm25+sentences', quality: 'basic' };

/** Answers questions from an account's documents. */
@Injectable()
export class RagAnswers {
  constructor(
    private readonly retrieval: RagRetrieval,
    private readonly generation: TextGeneration,
    private readonly threads: TextThreads,
    private readonly counter: TokenCounter,
  ) {}

  /**
   * The most that an answer may use, whatever is retrieved. Nothing is retrieved to know it more exactly: that would
   * happen before the reservation, so that callers without credit could have the documents searched free of charge.
   * Throws what TokenCounter.countAll throws.
   */
  async bound({ retrieve, model }: RagQuestion, signal: AbortSignal): Promise<TextBound> {
    const messages = ragMessages(retrieve.query, []);
    return this.generation.bound({ ...model, messages }, signal, sourcesTokensMax(retrieve.topK));
  }

  /** Retrieves the chunks for a question. Throws what RagRetrieval.retrieve and TokenCounter.count throw. */
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
      messages: ragMessages(query, await this.sources(chunks, signal)),
      reader,
      embedded: (stopped) => this.quoted(query, chunks, stopped),
    };
    return { chunks, engine, order, answerOf };
  }

  /** What a model reads of the chunks, none of it longer than was reserved. */
  private async sources(chunks: readonly FoundChunk[], signal: AbortSignal): Promise<string[]> {
    const sources: string[] = [];
    for (const { heading, text } of chunks) {
      const headed = heading === null || text.includes(heading) ? text : `${heading}\n${text}`;
      sources.push(await fitToTokens(headed, SOURCE_TOKENS_MAX, this.counter, signal));
    }
    return sources;
  }

  private async quoted(question: string, chunks: readonly FoundChunk[], signal: AbortSignal) {
    const passages = chunks.map(({ text, heading }) => ({ text, heading }));
    const read = [question, ...passages.map(({ text }) => text)];
    const quotes = await this.threads.run('quoteAnswer', { question, passages }, read, signal);
    const { text, ends } = quotingAnswer(quotes);
    const citations = quotes.map((quote, index) => ({
      citation: citationOf(index + 1, chunks[quote.passage] as FoundChunk, quote),
      end: ends[index] ?? 0,
    }));
    return {
      text: text === '' ? NOT_FOUND : text,
      model: EMBEDDED_CHAT_MODEL,
      engine: QUOTING,
      read,
      detail: { citations },
    };
  }

  /** The sources that a model's answer names, each quoted by its sentence that is closest to the answer's. */
  private async cited(
    { text }: GeneratedText<Quoted>,
    chunks: readonly FoundChunk[],
    { isFound }: AnswerReader,
    signal: AbortSignal,
  ): Promise<RagAnswer> {
    const sources = chunks.map((chunk) => chunk.text);
    // Some models think aloud or explain before they write the mark, and some say nothing at all.
    if (!isFound || text.trim() === '' || text.includes(NOT_IN_SOURCES)) {
      return { isFound: false, citations: [] };
    }
    const job = { answer: text, sources };
    const quotes = await this.threads.run('quoteNamedSources', job, [text, ...sources], signal);
    const citations = quotes.map(({ source, start, end }) =>
      citationOf(source + 1, chunks[source] as FoundChunk, { start, end }),
    );
    return { isFound: true, citations };
  }
}

/** The quotes whose numbers stand in the text, which may have been cut off. */
function quotedIn({ text }: GeneratedText<Quoted>, { citations }: Quoted): Promise<RagAnswer> {
  const left = citations.filter(({ end }) => end <= text.length).map(({ citation }) => citation);
  return Promise.resolve({ isFound: citations.length > 0, citations: left });
}
